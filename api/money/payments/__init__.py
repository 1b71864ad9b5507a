"""Payments: money in from outside.

Terms: *funding* (one intent to fund a wallet), *gateway* (the provider behind its port), *settle*
(decide a funding from the provider's verified answer, once), *sweep* (ask about the undecided).
"""
