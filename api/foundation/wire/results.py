"""Parts of all back-office answers: results of writes, also repeated ones, and pages of rows."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, Generic, Protocol, Self, TypeVar
from uuid import UUID

from pydantic import (
    PlainSerializer,
    StringConstraints,
)

from api.foundation.wire.schemas import (
    Content,
    SafeText,
    WireModel,
)


class Identified(Protocol):
    """A row with an id, by which pages are cut."""

    @property
    def id(self) -> UUID | int:
        """The id of the row."""


RowT = TypeVar("RowT")
FoundT = TypeVar("FoundT", bound=Identified)
MAX_REASON_LENGTH = 200
Reason = Annotated[SafeText, StringConstraints(min_length=1, max_length=MAX_REASON_LENGTH)]


@dataclass(frozen=True)
class AdminResult:
    """A response as stored under an idempotency key: ``data`` is already JSON."""

    data: Content | None
    status: int = 200
    message: str = "Done."
    is_replayed: bool = False

    @classmethod
    def of(cls, content: WireModel | None, *, status: int = 200, message: str = "Done.") -> Self:
        """Return the result with ``content``."""
        data = None if content is None else content.model_dump(mode="json")
        return cls(data, status, message)


def _numbers(content: Content) -> Content:
    """Convert the database's JSON numbers to the wire's."""
    return {name: _number(value) for name, value in content.items()}


def _number(value: object) -> object:
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, dict):
        return _numbers(value)
    return [_number(part) for part in value] if isinstance(value, list) else value


StoredContent = Annotated[Content, PlainSerializer(_numbers)]


class Page(WireModel, Generic[RowT]):
    """A page of rows; ``next`` is the ``before`` of the next page, null after the last."""

    rows: list[RowT]
    next: str | None

    @classmethod
    def of(
        cls, found: Sequence[FoundT], limit: int, show: Callable[[FoundT], RowT]
    ) -> "Page[RowT]":
        """Return the page of ``limit`` rows by ``id``; ``found`` may have one more row."""
        shown = found[:limit]
        following = str(shown[-1].id) if len(found) > limit else None
        return Page(rows=[show(row) for row in shown], next=following)


class OperatorName(WireModel):
    """An operator's id and name."""

    id: UUID
    name: str

    @classmethod
    def of(cls, operator_id: UUID | None, name: str | None) -> Self | None:
        """Return an operator of a row; None if it has none."""
        return None if operator_id is None or name is None else cls(id=operator_id, name=name)
