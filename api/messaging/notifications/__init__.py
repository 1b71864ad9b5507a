"""Notifications: messages to members about their money, orders, plans and community.

Words: *kind* (what happened), *subject* (to what: an order's id, a funding's reference), *group*
(money, orders, plans, community: what members switch mail on and off for).
"""
