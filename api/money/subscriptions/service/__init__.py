"""Subscriptions: the offer, subscribing, renewing, and what the current plan includes."""
