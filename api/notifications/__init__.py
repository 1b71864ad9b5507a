"""Notifications: what members are told of their money, orders, plans and their place here.

Words: *kind* (what happened), *subject* (to what: an order's id, a funding's reference),
*group* (money, orders, plans, community: what the switches of mail are for).
"""
