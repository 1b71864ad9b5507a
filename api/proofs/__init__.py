"""The ledger's proof: that every kobo is where it should be, hourly, on demand and kept.

Words: a *proof* is one look at the whole ledger at one moment; a *check* is one of the things it
holds the ledger to; what breaks a check is an *example*.
"""
