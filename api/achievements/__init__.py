"""What members achieve by coming back: a streak of days, and badges that are kept for ever.

Words: a day *counts* once the member has handed in a quest, answered in the Battle Zone or saved a
prediction; a *freeze* bridges a missed day of a running streak, of which each week has some; a
missed day is *settled* once nothing can be handed in for it any more.
"""
