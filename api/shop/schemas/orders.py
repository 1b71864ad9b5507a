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
    """One line of an order, as it was then; ``id`` is the product's."""

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
    """Something that happened to an order, and where it led."""

    kind: OrderEventKind | Literal["placed"]
    status: OrderStatus
    at: Instant
    by: OrderActor
    note: str | None


class TransferProofAnswer(WireModel):
    """A proof of payment that was uploaded, and what became of it."""

    id: UUID
    state: ProofState
    reason: str | None = Field(description="Why it was not accepted")
    at: Instant
    expires_at: Instant | None = Field(description="When the order expires without a decision")


class ProofUploaded(WireModel):
    """Where a proof is."""

    id: UUID
    state: ProofState


class ProofText(WireModel):
    """What is typed beside a proof."""

    note: ShortText | None = None


class OrderDetail(OrderAnswer):
    """One order with its history; ``received`` is what came in for it, in naira."""

    items_total: Naira
    delivery_fee: Naira
    refunded_total: Naira
    received: Naira
    under_review: Naira = Field(
        description="Of what was received: more than the order costs, checked by the club"
    )
    transfer: TransferInstructions | None = Field(description="Null once it is paid or over")
    proofs: list[TransferProofAnswer] = Field(description="Oldest first")
    events: list[OrderEventAnswer] = Field(description="Oldest first")
    can_cancel: bool
    can_upload_proof: bool


class CancelOrder(WireInput):
    """Why the member cancels, if they say."""

    reason: ShortText | None = None


class CancelledOrder(WireModel):
    """What a cancellation came to: what went back to the wallet, and what it holds now."""

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
"""The body in OpenAPI's words: it is streamed, so no model parses it."""
