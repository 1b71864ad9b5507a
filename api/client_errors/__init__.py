"""Client errors: what went wrong in somebody's browser, as the web app reports it.

Nobody is asked who they are, nothing is stored: a report is a figure and a line of the log.
"""
