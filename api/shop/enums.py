from enum import StrEnum


class PaymentMethod(StrEnum):
    """How an order is paid (spec 9)."""

    WALLET = "wallet"
    BANK_TRANSFER = "bank-transfer"


class OrderStatus(StrEnum):
    """The status of an order (contract B-37)."""

    PENDING = "pending"
    PROCESSING = "processing"
    SHIPPED = "shipped"
    DELIVERED = "delivered"
    CANCELLED = "cancelled"
    EXPIRED = "expired"
    REFUNDED = "refunded"


class OrderEventKind(StrEnum):
    """An event in the life of an order (contract B-79)."""

    PAID = "paid"
    TRANSFER_SHORT = "transfer_short"
    TRANSFER_LATE = "transfer_late"
    CANCELLED = "cancelled"
    EXPIRED = "expired"
    SHIPPED = "shipped"
    DELIVERED = "delivered"
    REFUNDED = "refunded"


class OrderActor(StrEnum):
    """Who changes the status of an order."""

    MEMBER = "member"
    ADMIN = "admin"
    CLOCK = "clock"


class TransferOutcome(StrEnum):
    """The outcome of a confirmed bank transfer (contract B-85, B-86)."""

    PAID = "paid"
    SHORT = "short"
    SURPLUS = "surplus"
    WALLET = "wallet"


class ProofState(StrEnum):
    """The state of an uploaded proof of payment (contracts B-84 and T-7)."""

    WAITING = "waiting"
    ACCEPTED = "accepted"
    REJECTED = "rejected"
    REPLACED = "replaced"
    EXPIRED = "expired"


class BankLineState(StrEnum):
    """Whether a bank statement line is matched to a transfer (contract T-1a)."""

    MATCHED = "matched"
    AMBIGUOUS = "ambiguous"
    UNMATCHED = "unmatched"


class BankLineFilter(StrEnum):
    """Which lines to list: those in one state, or all unmatched and ambiguous ones."""

    MATCHED = "matched"
    AMBIGUOUS = "ambiguous"
    UNMATCHED = "unmatched"
    OPEN = "open"
