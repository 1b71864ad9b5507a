"""Client errors: failures in members' browsers, as reported by the web app.

Reports are anonymous and not stored: each is counted and logged.
"""
