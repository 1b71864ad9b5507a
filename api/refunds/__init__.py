"""Refunds: money of an order or a plan that goes back, asked for by one operator, sent by another.

Words: *ask* (a case is opened, nothing moves), *send* (the money is in the wallet, once), *refuse*.
"""
