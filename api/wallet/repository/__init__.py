"""SQL of the ledger, and of review cases."""

from api.wallet.repository.adjustments import NewAdjustment, insert_adjustment
from api.wallet.repository.days import sum_day
from api.wallet.repository.ledger import (
    WalletTransfer,
    lock_balance,
    post_transfer,
    read_balance,
    read_debt,
    read_holdings,
    read_refunded,
)
from api.wallet.repository.operator_credits import NewCredit, insert_credit, lock_day
from api.wallet.repository.reviews import (
    NewReview,
    change_decided,
    close_review,
    count_open,
    insert_review,
    list_members,
    list_owners,
    list_reviews,
    lock_review,
    read_review,
    read_surplus,
)
from api.wallet.repository.statements import (
    StatementFilter,
    list_months,
    list_statement,
    read_first_moment,
)

__all__ = [
    "NewAdjustment",
    "NewCredit",
    "NewReview",
    "StatementFilter",
    "WalletTransfer",
    "change_decided",
    "close_review",
    "count_open",
    "insert_adjustment",
    "insert_credit",
    "insert_review",
    "list_members",
    "list_months",
    "list_owners",
    "list_reviews",
    "list_statement",
    "lock_balance",
    "lock_day",
    "lock_review",
    "post_transfer",
    "read_balance",
    "read_debt",
    "read_first_moment",
    "read_holdings",
    "read_refunded",
    "read_review",
    "read_surplus",
    "sum_day",
]
