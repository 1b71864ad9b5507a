"""Refunds of orders and plans: requested by one operator, sent by another.

Terms: *ask* (open a case; no money moves), *send* (credit the wallet, once), *refuse*.
"""
