"""Words of the shop."""

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
