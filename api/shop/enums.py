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
