"""Wire schemas of orders in the back office (contract section A)."""

from dataclasses import dataclass
from datetime import date
from typing import Annotated
from uuid import UUID

from pydantic import (
    AfterValidator,
    Field,
    StringConstraints,
)

from api.foundation.database.days import DayRange
from api.foundation.wire.results import OperatorName
from api.foundation.wire.schemas import (
    KEEP_NAIRA,
    READ_KEPT_NAIRA,
    ExistingId,
    Instant,
    Naira,
    NairaAmount,
    SafeText,
    WireInput,
    WireModel,
)
from api.people.users.rules import check_bank
from api.shop import rules
from api.shop.enums import (
    OrderStatus,
    PaymentMethod,
    ProofState,
    TransferOutcome,
)
from api.shop.schemas.checkout import ShortText
from api.shop.schemas.orders import OrderAnswer, OrderDetail


class RejectProof(WireInput):
    """The proof to reject, and the reason sent to its member."""

    proof_id: ExistingId
    reason: ShortText


class OrderMember(WireModel):
    """The member who placed the order."""

    id: UUID
    first_name: str
    last_name: str
    email: str | None
    phone: str | None


@dataclass(frozen=True)
class OrderFilter:
    """A filter of orders; None matches all.

    ``q`` is an order number, or a prefix of a member's email or name; at most two hundred such
    members are searched.
    """

    q: str | None
    status: OrderStatus | None
    method: PaymentMethod | None
    proof: ProofState | None
    days: DayRange


class AdminOrder(OrderAnswer):
    """An order in the back office's list."""

    member: OrderMember


class ConfirmedTransfer(WireModel):
    """A bank transfer confirmed by an operator; ``confirmedBy`` is null if not recorded."""

    bank: str = Field(examples=["058"])
    reference: str
    amount: Naira
    paid_on: date
    confirmed_at: Instant
    confirmed_by: OperatorName | None


class OpenCase(WireModel):
    """An undecided review case or refund."""

    id: UUID
    amount: Naira


class AdminOrderDetail(OrderDetail):
    """An order as its member sees it, and its member.

    ``approvalId`` is the pending proposal to confirm a transfer for it. ``transfers`` are oldest
    first. ``openReviewCases`` and ``openRefunds`` are empty for operators who may not read them.
    """

    member: OrderMember
    approval_id: UUID | None
    transfers: list[ConfirmedTransfer]
    open_review_cases: list[OpenCase]
    open_refunds: list[OpenCase]


class ConfirmTransfer(WireInput):
    """A bank transfer as on the bank's statement; ``bank`` is a code of ``banks``.

    ``confirmAmount`` repeats an amount that is more than twice what the order costs.
    """

    bank: Annotated[str, StringConstraints(min_length=1), AfterValidator(check_bank)] = Field(
        examples=["058"]
    )
    reference: Annotated[
        SafeText,
        StringConstraints(min_length=4, max_length=64),
        AfterValidator(rules.read_bank_reference),
    ]
    amount: NairaAmount
    paid_on: Annotated[date, Field(strict=False)]
    confirm_amount: NairaAmount | None = None


class TransferWanted(ConfirmTransfer):
    """The proposal a second person approves: a bank transfer came in for an order."""

    order_id: ExistingId
    amount: Annotated[NairaAmount, READ_KEPT_NAIRA, KEEP_NAIRA]
    confirm_amount: Annotated[NairaAmount | None, READ_KEPT_NAIRA, KEEP_NAIRA] = None


class TransferConfirmed(WireModel):
    """The result of a bank transfer: the total received, the shortfall and the surplus."""

    outcome: TransferOutcome
    status: OrderStatus
    received: Naira
    missing: Naira
    surplus: Naira


class ShipOrder(WireInput):
    """The carrier and the tracking number."""

    carrier: Annotated[SafeText, StringConstraints(min_length=1, max_length=60)] | None = None
    tracking: Annotated[SafeText, StringConstraints(min_length=1, max_length=60)] | None = None


class MovedOrder(WireModel):
    """The order's new status."""

    status: OrderStatus
