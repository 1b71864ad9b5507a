"""The wallet: transfers, statements, adjustments and review cases."""

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
    repaid_facts,
)
from api.wallet.service.operator_credits import (
    CreditAuthority,
    CreditDay,
    import_credit,
    open_day,
    record_credit,
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
    surplus,
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
    "notify_credited",
    "open_day",
    "open_review",
    "read_review",
    "record_credit",
    "refund",
    "refunded",
    "refusals",
    "repaid_facts",
    "statement",
    "statement_csv",
    "surplus",
]
