"""Refunds: requested, sent once, or refused; and orders that the club cancels."""
