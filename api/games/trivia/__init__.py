"""Trivia: the daily quest, one set of questions per club and Lagos day.

Terms: *set* (the day's questions of a club, frozen at the first request), *attempt* (a member's one
attempt at it, from opening it to the submit), *key* (A to D: an option's position for one member),
*grace* (how long after midnight yesterday's attempt is still accepted).
"""
