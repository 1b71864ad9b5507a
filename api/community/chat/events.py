"""Events that the chat publishes after a commit."""

from dataclasses import dataclass
from uuid import UUID

from api.foundation.core.events import DomainEvent


@dataclass(frozen=True)
class RoomAdvanced(DomainEvent):
    """A room has messages newer than this worker's last announcement.

    ``club_id`` is None for the Public room, ``tab`` is the room's name for its members, and
    ``last`` is the ``seq`` of the newest message.
    """

    club_id: UUID | None
    tab: str
    last: int
