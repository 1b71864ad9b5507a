"""The interface through which other domains explain movements of a wallet."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias
from uuid import UUID

from api.database.database import Database
from api.wallet.enums import ReceiptKind, TransferKind


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
