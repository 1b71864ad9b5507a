"""The wallet's rules: the ways money moves, and money that waits for a person."""

from api.wallet.service.adjustments import ADJUST_WALLET, adjust, adjust_approved
from api.wallet.service.days import count_day
from api.wallet.service.ledger import (
    balance,
    credit,
    debit,
    lock_balance,
    refund,
    refunded,
    refusals,
)
from api.wallet.service.reviews import (
    ACCEPT_REVIEW,
    accept_approved,
    close_review,
    count_open,
    decide,
    list_reviews,
    open_review,
)
from api.wallet.service.statements import (
    StatementSearch,
    months,
    statement,
    statement_csv,
)

__all__ = [
    "ACCEPT_REVIEW",
    "ADJUST_WALLET",
    "StatementSearch",
    "accept_approved",
    "adjust",
    "adjust_approved",
    "balance",
    "close_review",
    "count_day",
    "count_open",
    "credit",
    "debit",
    "decide",
    "list_reviews",
    "lock_balance",
    "months",
    "open_review",
    "refund",
    "refunded",
    "refusals",
    "statement",
    "statement_csv",
]
