"""SQL of the ledger, and of money that waits for a person."""

from api.wallet.repository.ledger import (
    WalletTransfer,
    list_statement,
    lock_balance,
    post_transfer,
    read_balance,
    read_refunded,
)
from api.wallet.repository.reviews import (
    NewReview,
    change_decided,
    close_review,
    count_open,
    insert_review,
    list_reviews,
    lock_review,
)

__all__ = [
    "NewReview",
    "WalletTransfer",
    "change_decided",
    "close_review",
    "count_open",
    "insert_review",
    "list_reviews",
    "list_statement",
    "lock_balance",
    "lock_review",
    "post_transfer",
    "read_balance",
    "read_refunded",
]
