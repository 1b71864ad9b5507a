"""Achievements: a streak of days, and badges that are kept indefinitely.

Terms: a day *counts* once the member has submitted a quest, answered in the Battle Zone or saved a
prediction; a *freeze* bridges a missed day of a running streak, of which each week has some; a
missed day is *settled* (closed) once nothing can be submitted for it any more.
"""
