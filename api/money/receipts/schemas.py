"""Wire schemas of receipts (contract B-89)."""

from pydantic import Field

from api.foundation.wire.schemas import Instant, Naira, WireModel


class ReceiptBuyer(WireModel):
    """The buyer when the receipt was issued; empty once their account is deleted."""

    name: str
    email: str | None = None
    phone: str | None = None
    address: str | None = None
    state: str | None = None


class ReceiptLine(WireModel):
    """An item that was paid for."""

    name: str
    size: str | None = None
    quantity: int
    price: Naira
    total: Naira


class ReceiptRefund(WireModel):
    """A refund made since."""

    amount: Naira
    at: Instant


class ReceiptAnswer(WireModel):
    """A receipt; ``net`` is the total less refunds, ``version`` grows with each refund."""

    number: str = Field(examples=["KF-2026-000123"])
    version: int
    issued_at: Instant
    buyer: ReceiptBuyer
    lines: list[ReceiptLine]
    delivery_fee: Naira
    total: Naira
    paid_by: str = Field(examples=["Wallet"])
    reference: str
    refunds: list[ReceiptRefund]
    net: Naira
    page_url: str = Field(description="A printable page, valid for ten minutes without a token")
