"""Wire schemas of orders as their members see them (contract B-37, section A)."""

from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import (
    Field,
)

from api.foundation.wire.schemas import (
    Instant,
    Naira,
    WireInput,
    WireModel,
)
from api.shop.enums import (
    OrderActor,
    OrderEventKind,
    OrderStatus,
    PaymentMethod,
    ProofState,
)
from api.shop.schemas.checkout import ShortText, TransferInstructions


class OrderedProduct(WireModel):
    """A line of an order, as ordered; ``id`` is the product's."""

    line: int
    id: UUID
    name: str
    price: Naira
    thumbnail: str
    quantity: int
    variant_id: UUID | None = None
    size: str | None = None
    refunded_quantity: int


class OrderAnswer(WireModel):
    """One of the member's orders."""

    id: UUID
    order_number: str
    product_meta_data: Annotated[list[OrderedProduct], Field(alias="product_meta_data")]  # spec 3
    billing: dict[str, Any]
    status: OrderStatus
    is_paid: Annotated[bool, Field(alias="is_paid")]  # spec 3: snake_case
    payment_method: Annotated[PaymentMethod, Field(alias="payment_method")]  # spec 3: snake_case
    total: Naira
    pay_by: Instant | None = Field(description="When an unpaid bank transfer order expires")
    created_at: Instant


class OrderEventAnswer(WireModel):
    """An event of an order, and the status it led to."""

    kind: OrderEventKind | Literal["placed"]
    status: OrderStatus
    at: Instant
    by: OrderActor
    note: str | None


class TransferProofAnswer(WireModel):
    """An uploaded proof of payment, and its state."""

    id: UUID
    state: ProofState
    reason: str | None = Field(description="Why it was rejected")
    at: Instant
    expires_at: Instant | None = Field(description="When the order expires without a decision")


class ProofUploaded(WireModel):
    """A proof of payment and its state."""

    id: UUID
    state: ProofState


class ProofText(WireModel):
    """The note sent with a proof."""

    note: ShortText | None = None


class OrderDetail(OrderAnswer):
    """An order with its history; ``received`` is the total paid in, in naira."""

    items_total: Naira
    delivery_fee: Naira
    refunded_total: Naira
    received: Naira
    under_review: Naira = Field(
        description="The part of ``received`` above the order's cost, under review by the club"
    )
    transfer: TransferInstructions | None = Field(description="Null once paid or closed")
    proofs: list[TransferProofAnswer] = Field(description="Oldest first")
    events: list[OrderEventAnswer] = Field(description="Oldest first")
    can_cancel: bool
    can_upload_proof: bool


class CancelOrder(WireInput):
    """The member's reason for cancelling, if given."""

    reason: ShortText | None = None


class CancelledOrder(WireModel):
    """The result of a cancellation: the amount refunded to the wallet, and its balance."""

    status: OrderStatus
    refunded: Naira
    balance: Naira


PROOF_FORM: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "required": ["file"],
                    "properties": {
                        "file": {"type": "string", "format": "binary"},
                        "note": {"type": "string", "minLength": 1, "maxLength": 200},
                    },
                }
            }
        },
    }
}
"""The OpenAPI description of the body, which is streamed and not parsed by a model."""
