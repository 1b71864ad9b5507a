"""Today: what a member can do now, and how they stand, in one call for the home screen.

Words: a *door* leads to a game and says what is behind it; the *action* is the door to be taken.
"""
