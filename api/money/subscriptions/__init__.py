"""Subscriptions: plans, and the plan that a member is on.

Terms: *plan* (the product), *subscription* (one purchased period of a plan), *current plan* (the
one whose period is running). On the wire ``subscriptionId`` is the id of a plan (contract B-57).
"""
