from enum import StrEnum


class PaymentMethod(StrEnum):
    """How an order is paid (spec 9)."""

    WALLET = "wallet"
    BANK_TRANSFER = "bank-transfer"


class OrderStatus(StrEnum):
    """Where an order is (contract B-37)."""

    PENDING = "pending"
    PROCESSING = "processing"
    SHIPPED = "shipped"
    DELIVERED = "delivered"
    CANCELLED = "cancelled"
    EXPIRED = "expired"
    REFUNDED = "refunded"


class OrderEventKind(StrEnum):
    """What happens to an order that stands (contract B-79)."""

    PAID = "paid"
    TRANSFER_SHORT = "transfer_short"
    TRANSFER_LATE = "transfer_late"
    CANCELLED = "cancelled"
    EXPIRED = "expired"
    SHIPPED = "shipped"
    DELIVERED = "delivered"
    REFUNDED = "refunded"


class OrderActor(StrEnum):
    """Who moves an order on."""

    MEMBER = "member"
    ADMIN = "admin"
    CLOCK = "clock"


class TransferOutcome(StrEnum):
    """What a confirmed bank transfer came to (contract B-85, B-86)."""

    PAID = "paid"
    SHORT = "short"
    SURPLUS = "surplus"
    WALLET = "wallet"


class ProofState(StrEnum):
    """What became of an uploaded proof of payment (contracts B-84 and T-7)."""

    WAITING = "waiting"
    ACCEPTED = "accepted"
    REJECTED = "rejected"
    REPLACED = "replaced"
    EXPIRED = "expired"


class BankLineState(StrEnum):
    """What is known of a line of the bank's statement (contract T-1a)."""

    MATCHED = "matched"
    AMBIGUOUS = "ambiguous"
    UNMATCHED = "unmatched"


class BankLineFilter(StrEnum):
    """Which lines are listed: those of a state, or all that are not matched."""

    MATCHED = "matched"
    AMBIGUOUS = "ambiguous"
    UNMATCHED = "unmatched"
    OPEN = "open"
