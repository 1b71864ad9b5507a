"""Common parts of the back office's schemas."""

import re
from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Annotated, Generic, TypeVar

from pydantic import (
    AfterValidator,
    Field,
    PlainSerializer,
    StringConstraints,
)

from api.backoffice.operators.rules import MAX_REASON_LENGTH
from api.foundation.database.statements import Row
from api.foundation.http.wire import (
    Content,
    SafeText,
    WireModel,
)
from api.foundation.security.rights import Role

RowT = TypeVar("RowT")
MAX_INPUT_LENGTH = 1024
CLOCK = re.compile(r"^([01][0-9]|2[0-3]):[0-5][0-9]$")

Reason = Annotated[SafeText, StringConstraints(min_length=1, max_length=MAX_REASON_LENGTH)]

Entered = Annotated[SafeText, StringConstraints(max_length=MAX_INPUT_LENGTH)]


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


def _without_repeats(roles: list[Role]) -> list[Role]:
    return [role for role in Role if role in roles]


Roles = Annotated[
    list[Annotated[Role, Field(strict=False)]],
    Field(min_length=1, max_length=len(Role), examples=[["finance"]]),
    AfterValidator(_without_repeats),
]


class Page(WireModel, Generic[RowT]):
    """Rows, newest first; ``next`` is the ``before`` of the next page, null after the last."""

    rows: list[RowT]
    next: str | None

    @classmethod
    def of(cls, found: Sequence[Row], limit: int, show: Callable[[Row], RowT]) -> "Page[RowT]":
        """Return the page of ``limit`` rows by ``id``; ``found`` may have one more row."""
        shown = found[:limit]
        following = str(shown[-1]["id"]) if len(found) > limit else None
        return Page(rows=[show(row) for row in shown], next=following)
