"""Wire shapes of the wallet; every amount is naira."""

from typing import Annotated
from uuid import UUID

from pydantic import Field

from api.http.wire import Instant, Naira, WireInput, WireModel
from api.operators.schemas import Reason
from api.wallet.enums import ReviewKind, ReviewState, TransferKind


class WalletBalance(WireModel):
    """What the wallet holds."""

    balance: Annotated[Naira, Field(examples=[25000])]


class StatementRow(WireModel):
    """One movement; ``amount`` is negative when money left the wallet."""

    id: UUID
    kind: TransferKind
    reference: str
    amount: Annotated[Naira, Field(examples=[-2500.5])]
    balance_after: Annotated[Naira, Field(examples=[22499.5])]
    created_at: Instant


class ReviewedMember(WireModel):
    """Whose money waits."""

    id: UUID
    first_name: str
    last_name: str


class ReviewCaseAnswer(WireModel):
    """Money that waits for a person, or did; ``subject`` is the id of what it came in for."""

    id: UUID
    kind: ReviewKind
    amount: Naira
    member: ReviewedMember
    subject: str
    state: ReviewState
    opened_at: Instant
    decided_at: Instant | None
    reason: str | None


class DecideCase(WireInput):
    """Why a case is decided as it is."""

    reason: Reason
