"""Subscriptions: the plans, and which one a member is on.

Words: *plan* (what is sold), *subscription* (one bought period of a plan), *current plan* (the one
whose period runs now). On the wire ``subscriptionId`` is the id of a plan (contract B-57).
"""
