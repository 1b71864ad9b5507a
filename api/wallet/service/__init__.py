"""The wallet's rules: the ways money moves, and money that waits for a person."""

from api.wallet.service.ledger import (
    balance,
    credit,
    debit,
    lock_balance,
    refund,
    refunded,
    refusals,
    statement,
)
from api.wallet.service.reviews import close_review, count_open, decide, list_reviews, open_review

__all__ = [
    "balance",
    "close_review",
    "count_open",
    "credit",
    "debit",
    "decide",
    "list_reviews",
    "lock_balance",
    "open_review",
    "refund",
    "refunded",
    "refusals",
    "statement",
]
