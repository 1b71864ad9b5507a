"""Wire schemas of orders at the back office (contract section A)."""

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
    """Which proof is not accepted, and what its member is told."""

    proof_id: ExistingId
    reason: ShortText


class OrderMember(WireModel):
    """Whose order it is."""

    id: UUID
    first_name: str
    last_name: str
    email: str | None
    phone: str | None


@dataclass(frozen=True)
class OrderFilter:
    """A filter of orders; None matches all.

    ``q`` is a number, or a prefix of a member's e-mail or name; at most two hundred such members
    are searched.
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
    """A bank transfer that an operator confirmed; ``confirmedBy`` is null where nobody is named."""

    bank: str = Field(examples=["058"])
    reference: str
    amount: Naira
    paid_on: date
    confirmed_at: Instant
    confirmed_by: OperatorName | None


class OpenCase(WireModel):
    """A review case or a refund that nobody has decided."""

    id: UUID
    amount: Naira


class AdminOrderDetail(OrderDetail):
    """An order as its member sees it, and whose it is.

    ``approvalId`` is the proposal to confirm a transfer for it that waits for a second person.
    ``transfers`` are oldest first. ``openReviewCases`` and ``openRefunds`` are empty for who may
    not read them.
    """

    member: OrderMember
    approval_id: UUID | None
    transfers: list[ConfirmedTransfer]
    open_review_cases: list[OpenCase]
    open_refunds: list[OpenCase]


class ConfirmTransfer(WireInput):
    """A bank transfer as the bank's statement has it; ``bank`` is a code of ``banks``.

    ``confirmAmount`` says an amount again that is more than twice what the order costs.
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
    """What a second person agrees to: a bank transfer came in for an order."""

    order_id: ExistingId
    amount: Annotated[NairaAmount, READ_KEPT_NAIRA, KEEP_NAIRA]
    confirm_amount: Annotated[NairaAmount | None, READ_KEPT_NAIRA, KEEP_NAIRA] = None


class TransferConfirmed(WireModel):
    """What a bank transfer came to: what came in altogether, is missing, or is too much."""

    outcome: TransferOutcome
    status: OrderStatus
    received: Naira
    missing: Naira
    surplus: Naira


class ShipOrder(WireInput):
    """Who carries an order, and under which number."""

    carrier: Annotated[SafeText, StringConstraints(min_length=1, max_length=60)] | None = None
    tracking: Annotated[SafeText, StringConstraints(min_length=1, max_length=60)] | None = None


class MovedOrder(WireModel):
    """Where an order is now."""

    status: OrderStatus
