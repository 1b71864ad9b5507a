"""What a note is about."""

from dataclasses import dataclass
from uuid import UUID

from api.backoffice.notes.enums import NoteSubject


@dataclass(frozen=True)
class Subject:
    """What a note is about: an order or a member."""

    kind: NoteSubject
    id: UUID

    @property
    def columns(self) -> tuple[UUID | None, UUID | None]:
        """The values of ``order_id`` and ``user_id``."""
        return (self.id, None) if self.kind is NoteSubject.ORDER else (None, self.id)
