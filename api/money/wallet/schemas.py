"""Wire schemas of the wallet; every amount is naira."""

from typing import Annotated
from uuid import UUID

from pydantic import AfterValidator, Field

from api.foundation.core.money import LARGEST_KOBO, format_naira
from api.foundation.wire.results import Reason
from api.foundation.wire.schemas import (
    KEEP_NAIRA,
    READ_KEPT_NAIRA,
    Id,
    Instant,
    Naira,
    NairaInput,
    WireInput,
    WireModel,
)
from api.money.wallet.enums import (
    AdjustmentCategory,
    PaymentMode,
    ReceiptKind,
    ReviewKind,
    ReviewState,
    TransferKind,
)


class WalletBalance(WireModel):
    """What the wallet holds, and what the member owes: the next money that comes in repays it."""

    balance: Annotated[Naira, Field(examples=[25000])]
    debt: Annotated[Naira, Field(examples=[0])]


class ReceiptName(WireModel):
    """Which receipt a movement has."""

    kind: ReceiptKind
    id: UUID


class StatementRow(WireModel):
    """One movement; ``amount`` is negative when money left the wallet.

    ``receipt`` is null where there is nothing to be had: adjustments, chargebacks, and money that
    a bank transfer left over.
    """

    id: UUID
    kind: TransferKind
    title: str = Field(examples=["Order FC-7K3Q9X"])
    reference: str
    amount: Annotated[Naira, Field(examples=[-2500.5])]
    balance_after: Annotated[Naira, Field(examples=[22499.5])]
    created_at: Instant
    receipt: ReceiptName | None


class MonthRow(WireModel):
    """A month in Lagos: ``closing`` is ``opening`` + ``in`` - ``out``, and the next opening."""

    month: str = Field(examples=["2026-11"])
    opening: Annotated[Naira, Field(examples=[0])]
    in_: Annotated[Naira, Field(alias="in", examples=[25000])]
    out: Annotated[Naira, Field(examples=[2500.5])]
    closing: Annotated[Naira, Field(examples=[22499.5])]
    count: int = Field(ge=0, examples=[2])


class MoneyMember(WireModel):
    """Whose money it is about."""

    id: UUID
    first_name: str
    last_name: str


class ProviderReport(WireModel):
    """A payment as its provider reported it, with a good signature.

    ``amount`` and ``requested``, what was asked for, are in units of ``currency``; ``requested``
    and ``memberId`` are null where the provider does not say. ``member`` is the account with that
    id, if there is one.
    """

    amount: Annotated[Naira, Field(examples=[4999])]
    requested: Annotated[Naira, Field(examples=[5000])] | None
    currency: str = Field(examples=["NGN"])
    mode: PaymentMode
    member_id: str | None
    member: MoneyMember | None
    received_at: Instant


class ReviewCaseAnswer(WireModel):
    """Money that waits for a person, or did; ``subject`` is the id of what it came in for.

    ``reasons`` are all that keep it waiting, ``kind`` the first of them. ``orderNumber`` or
    ``fundingReference`` is what the subject is known by. ``reports`` are the provider's reports of
    a successful payment for the funding, oldest first; empty where none is stored.
    """

    id: UUID
    kind: ReviewKind
    reasons: list[ReviewKind]
    amount: Naira
    member: MoneyMember
    subject: str
    order_number: str | None = Field(examples=["FC-7K3Q9X"])
    funding_reference: str | None
    reports: list[ProviderReport]
    state: ReviewState
    opened_at: Instant
    decided_at: Instant | None
    reason: str | None


class DecideCase(WireInput):
    """Why a case is decided as it is."""

    reason: Reason


def _check_adjustment(kobo: int) -> int:
    if kobo == 0:
        raise ValueError("The amount must not be zero")
    if abs(kobo) > LARGEST_KOBO:
        raise ValueError(f"The amount must be at most {format_naira(LARGEST_KOBO)} either way")
    return kobo


AdjustedBy = Annotated[
    NairaInput,
    Field(examples=[500]),
    AfterValidator(_check_adjustment),
]
Category = Annotated[AdjustmentCategory, Field(strict=False)]


class AdjustmentInput(WireInput):
    """How much a wallet is changed by, and why; ``amount`` is negative when money is taken out."""

    amount: AdjustedBy
    category: Category
    reason: Reason


class AdjustmentWanted(WireInput):
    """What a second person agrees to: a wallet is changed; ``amount`` is naira where it is kept."""

    user_id: Id
    amount: Annotated[AdjustedBy, READ_KEPT_NAIRA, KEEP_NAIRA]
    category: Category


class AcceptReview(WireInput):
    """The case that a second person is asked to accept, with what would be credited."""

    review_case_id: Id
    amount: Annotated[str, Field(max_length=40, examples=["₦5,000"])]


class AdjustmentAnswer(WireModel):
    """The adjustment, and what the wallet holds after it."""

    id: UUID
    balance: Annotated[Naira, Field(examples=[25000])]
