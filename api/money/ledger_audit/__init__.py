"""Audits of the ledger: every kobo is accounted for; hourly, on demand, and stored.

Terms: a *proof* is one audit of the whole ledger as of one moment; a *check* is one invariant of
the ledger; a violation is an *example*.
"""
