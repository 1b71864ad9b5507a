"""Wire schemas of refunds (contract section D)."""

from typing import Annotated
from uuid import UUID

from pydantic import Field, StringConstraints

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
)
from api.money.wallet.schemas import MoneyMember
from api.shop.rules import MAX_LINES, MAX_QUANTITY


class RefundLine(WireInput):
    """How many of an order's line are refunded."""

    line: Annotated[int, Field(ge=1, le=MAX_LINES)]
    quantity: Annotated[int, Field(ge=1, le=MAX_QUANTITY)]


class AskOrderRefund(WireInput):
    """What of an order is refunded; ``deliveryFee`` is naira of it, or true for what is left."""

    lines: Annotated[list[RefundLine], Field(max_length=MAX_LINES)]
    delivery_fee: bool | NairaAmount | None = None
    restock: bool
    reason: Reason


class AskPlanRefund(WireInput):
    """How much of a paid period is refunded, and whether the plan ends with it."""

    amount: NairaAmount
    end: bool
    reason: Reason


class RefundReason(WireInput):
    """Why a refund is not sent, or why the club cancels an order."""

    reason: Reason


class SendRefund(WireInput):
    """The refund that a second person is asked to agree to, in words as it was asked for."""

    refund_id: ExistingId
    amount: Annotated[SafeText, StringConstraints(max_length=40)] = Field(examples=["₦150,000"])
    bought: Annotated[SafeText, StringConstraints(max_length=200)] = Field(
        examples=["order FC-7K3Q9X"]
    )


class RefundAsked(WireModel):
    """A refund that waits to be sent."""

    id: UUID
    amount: Naira
    state: RefundState


class RefundDecided(WireModel):
    """What became of a refund, and what the member's wallet holds."""

    state: RefundState
    balance: Naira


class CancelledAtDesk(WireModel):
    """A cancelled order, and the refund of what was paid for it."""

    status: str
    refund: RefundAsked | None


class CancelProposed(Proposed):
    """A cancelled order whose refund waits for a second person."""

    status: str
    refund: RefundAsked


class RefundAnswer(WireModel):
    """A refund in the back office's list; ``bought`` names the order or the plan.

    ``canRefuse`` is false once it is decided, and where the club owes it. ``approvalId`` is the
    proposal to send it that waits for a second person.
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
