"""Today: what a member can do now, and their position, in one call for the home screen.

Terms: a *door* is the entry of a game with its state; the *action* is the one suggested.
"""
