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
    """The wallet's balance, and the member's debt, which incoming money repays first."""

    balance: Annotated[Naira, Field(examples=[25000])]
    debt: Annotated[Naira, Field(examples=[0])]


class ReceiptName(WireModel):
    """The receipt of a transaction."""

    kind: ReceiptKind
    id: UUID


class StatementRow(WireModel):
    """A transaction; ``amount`` is negative when money left the wallet.

    ``receipt`` is null where none exists: adjustments, chargebacks, and the surplus of a bank
    transfer.
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
    """The member whose money it is."""

    id: UUID
    first_name: str
    last_name: str


class ProviderReport(WireModel):
    """A payment as reported by its provider, with a valid signature.

    ``amount`` and ``requested`` (the amount asked for) are in units of ``currency``; ``requested``
    and ``memberId`` are null if the provider omits them. ``member`` is the account with that id, if
    any.
    """

    amount: Annotated[Naira, Field(examples=[4999])]
    requested: Annotated[Naira, Field(examples=[5000])] | None
    currency: str = Field(examples=["NGN"])
    mode: PaymentMode
    member_id: str | None
    member: MoneyMember | None
    received_at: Instant


class ReviewCaseAnswer(WireModel):
    """A review case, open or decided; ``subject`` is the id of what the money came in for.

    ``reasons`` are all reasons for the review, ``kind`` the first of them. ``orderNumber`` or
    ``fundingReference`` identifies the subject. ``reports`` are the provider's reports of a
    successful payment for the funding, oldest first; empty if none is stored.
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
    """The reason for the decision."""

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
    """The change to a wallet and its reason; ``amount`` is negative to take money out."""

    amount: AdjustedBy
    category: Category
    reason: Reason


class AdjustmentWanted(WireInput):
    """The proposal a second person approves: a wallet changes by ``amount`` naira."""

    user_id: Id
    amount: Annotated[AdjustedBy, READ_KEPT_NAIRA, KEEP_NAIRA]
    category: Category


class AcceptReview(WireInput):
    """The case a second person is asked to accept, and the amount to credit."""

    review_case_id: Id
    amount: Annotated[str, Field(max_length=40, examples=["₦5,000"])]


class AdjustmentAnswer(WireModel):
    """The adjustment, and the new balance of the wallet."""

    id: UUID
    balance: Annotated[Naira, Field(examples=[25000])]
