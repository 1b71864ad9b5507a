"""Notifications: messages to members about money, orders, plans, community, games and matches.

Words: *kind* (what happened), *subject* (to what: an order's id, a funding's reference), *group*
(money, orders, plans, community, games, matches: mail and push are switched on and off by group).
"""
