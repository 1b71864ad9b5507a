"""Today: the home screen in one call: the member's games, actions and position.

Terms: a *door* is the entry of a game with its state; the *action* is the one suggested.
"""
