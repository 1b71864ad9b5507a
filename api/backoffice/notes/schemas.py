from typing import Annotated
from uuid import UUID

from pydantic import Field, StringConstraints

from api.foundation.wire.results import OperatorName
from api.foundation.wire.schemas import Instant, SafeText, WireInput, WireModel


class NoteInput(WireInput):
    """The text of a note."""

    text: Annotated[SafeText, StringConstraints(min_length=1, max_length=1000)] = Field(
        examples=["Asked for delivery after 5 p.m."]
    )


class Note(WireModel):
    """A note about an order or a member, and its author."""

    id: UUID
    at: Instant
    operator: OperatorName | None
    text: str


class NoteAdded(WireModel):
    """The new note's id."""

    id: UUID
