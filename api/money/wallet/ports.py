"""The interface through which other domains explain movements of a wallet."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias
from uuid import UUID

from api.foundation.core.money import Kobo
from api.foundation.database.database import Database, Runner
from api.money.wallet.enums import PaymentMode, ReceiptKind, TransferKind


@dataclass(frozen=True)
class Movement:
    """A transfer to explain."""

    id: UUID
    reference: str


@dataclass(frozen=True)
class Origin:
    """What a transfer was for, in member-facing words, and the subject of its receipt."""

    title: str
    receipt: tuple[ReceiptKind, UUID]


Explain: TypeAlias = Callable[[Database, Sequence[Movement]], Awaitable[Mapping[UUID, Origin]]]
"""Returns the origins of those transfers that it knows, by their ids; one statement for all."""


@dataclass(frozen=True)
class StatementContext:
    """Dependencies of statements: the explainer of each kind of movement."""

    database: Database
    explain: Mapping[TransferKind, Explain]


@dataclass(frozen=True, kw_only=True)
class ReportedPayment:
    """A payment as its provider reported it; amounts are in hundredths of ``currency``.

    ``requested`` and ``member_id`` are None where the provider does not say.
    """

    amount: Kobo
    requested: Kobo | None
    currency: str
    mode: PaymentMode
    member_id: str | None
    received_at: datetime


ListReports: TypeAlias = Callable[
    [Runner, Sequence[str]], Awaitable[Mapping[str, Sequence[ReportedPayment]]]
]
"""Returns the stored reports of successful payments for fundings, by reference, oldest first."""


@dataclass(frozen=True)
class ReviewContext:
    """What review cases are read with: the database, and what providers reported."""

    database: Database
    reports: ListReports
