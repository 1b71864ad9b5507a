"""What the chat announces after a commit."""

from dataclasses import dataclass
from uuid import UUID

from api.core.events import DomainEvent


@dataclass(frozen=True)
class RoomAdvanced(DomainEvent):
    """Somebody has written in a room since this worker announced it last.

    ``club_id`` is None for the room of all clubs, ``tab`` what its members call the room, ``last``
    the newest message's place in it.
    """

    club_id: UUID | None
    tab: str
    last: int
