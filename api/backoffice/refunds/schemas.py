"""Wire schemas of refunds (contract section D)."""

from typing import Annotated
from uuid import UUID

from pydantic import Field, PlainValidator, StringConstraints

from api.backoffice.refunds.enums import RefundState, RefundSubject
from api.foundation.approvals.schemas import Proposed
from api.foundation.wire.results import Reason
from api.foundation.wire.schemas import (
    ExistingId,
    Instant,
    Naira,
    NairaAmount,
    SafeText,
    WireInput,
    WireModel,
    read_naira_amount,
)
from api.money.wallet.schemas import MoneyMember
from api.shop.rules import MAX_LINES, MAX_QUANTITY


class RefundLine(WireInput):
    """The quantity of an order's line to refund."""

    line: Annotated[int, Field(ge=1, le=MAX_LINES)]
    quantity: Annotated[int, Field(ge=1, le=MAX_QUANTITY)]


def _read_fee(value: object) -> bool | int | None:
    return value if value is None or isinstance(value, bool) else read_naira_amount(value)


class AskOrderRefund(WireInput):
    """The parts of an order to refund; ``deliveryFee`` is in naira, or true for what is left."""

    lines: Annotated[list[RefundLine], Field(max_length=MAX_LINES)]
    delivery_fee: Annotated[
        bool | int | None,
        PlainValidator(_read_fee, json_schema_input_type=bool | NairaAmount | None),
    ] = None
    restock: bool
    reason: Reason


class AskPlanRefund(WireInput):
    """The amount of a paid period to refund, and whether the plan ends with it."""

    amount: NairaAmount
    end: bool
    reason: Reason


class RefundReason(WireInput):
    """The reason for refusing a refund, or for cancelling an order."""

    reason: Reason


class SendRefund(WireInput):
    """The proposal a second person approves: a refund, with its amount and purchase as text."""

    refund_id: ExistingId
    amount: Annotated[SafeText, StringConstraints(max_length=40)] = Field(examples=["₦150,000"])
    bought: Annotated[SafeText, StringConstraints(max_length=200)] = Field(
        examples=["order FC-7K3Q9X"]
    )


class RefundAsked(WireModel):
    """A requested refund."""

    id: UUID
    amount: Naira
    state: RefundState


class RefundDecided(WireModel):
    """The state of a refund, and the balance of the member's wallet."""

    state: RefundState
    balance: Naira


class CancelledAtDesk(WireModel):
    """A cancelled order, and its refund, if any."""

    status: str
    refund: RefundAsked | None


class CancelProposed(Proposed):
    """A cancelled order whose refund needs a second person."""

    status: str
    refund: RefundAsked


class RefundAnswer(WireModel):
    """A refund in the back office; ``bought`` names the order or the plan.

    ``canRefuse`` is false once it is decided, and if the club owes it. ``approvalId`` is the
    pending proposal to send it.
    """

    id: UUID
    subject: RefundSubject
    subject_id: UUID
    bought: str
    member: MoneyMember
    amount: Naira
    restock: bool
    ends_plan: bool
    reason: str
    state: RefundState
    asked_at: Instant
    decided_at: Instant | None
    refusal: str | None
    can_refuse: bool
    approval_id: UUID | None
