"""The wallet's rules: the ways money moves, and money that waits for a person."""

from api.wallet.repository import NewCredit
from api.wallet.service.adjustments import ADJUST_WALLET, adjust, adjust_approved
from api.wallet.service.days import count_day
from api.wallet.service.ledger import (
    balance,
    credit,
    debit,
    debt,
    holdings,
    lock_balance,
    notify_credited,
    refund,
    refunded,
    refusals,
)
from api.wallet.service.operator_credits import (
    CreditAuthority,
    CreditDay,
    import_credit,
    note,
    open_day,
)
from api.wallet.service.reviews import (
    ACCEPT_REVIEW,
    accept_approved,
    close_review,
    count_open,
    decide,
    list_reviews,
    open_review,
    read_review,
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
    "CreditAuthority",
    "CreditDay",
    "NewCredit",
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
    "debt",
    "decide",
    "holdings",
    "import_credit",
    "list_reviews",
    "lock_balance",
    "months",
    "note",
    "notify_credited",
    "open_day",
    "open_review",
    "read_review",
    "refund",
    "refunded",
    "refusals",
    "statement",
    "statement_csv",
]
