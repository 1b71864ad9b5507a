"""Trivia: the daily quest, one set of questions per club and Lagos day.

Words: *set* (the day's questions of a club, frozen at the first request), *attempt* (a member's one
try at it, from being shown the questions to the submit), *key* (A to D: the place an option has for
one member), *grace* (how long after midnight yesterday's attempt is still taken).
"""
