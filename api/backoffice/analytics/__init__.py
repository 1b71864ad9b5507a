"""Daily figures for the back office's charts, counted by a worker and never during a request.

Words: *day* (a Lagos day), *figure* (a count of that day), *count* (to compute the figures).
"""
