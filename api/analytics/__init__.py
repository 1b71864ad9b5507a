"""Figures of each day for the back office's charts, counted by a worker and never at a call.

Words: *day* (a Lagos day), *figure* (what was counted of it), *count* (to do so again).
"""
