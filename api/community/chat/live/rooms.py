"""Rooms with new messages, for screens that do not show the chat."""

from math import inf
from time import monotonic
from uuid import UUID

from api.community.chat.events import RoomAdvanced
from api.community.chat.repository import rooms
from api.community.chat.rules import PUBLIC_TAB
from api.foundation.core.supervisor import Job
from api.foundation.database.database import Database
from api.foundation.database.lanes import Priority

ROOM_POLL_INTERVAL_SECONDS = 1.0
ROOM_ANNOUNCE_INTERVAL_SECONDS = 10.0  # per room: contract F-7


class RoomWatch:
    """Publishes to this process which rooms have new messages, whichever worker wrote them.

    It polls rooms instead of following posts: however much is written, it costs one small read a
    second and each room at most one announcement in ten.
    """

    def __init__(self, database: Database) -> None:
        self._database = database.lane(Priority.BACKGROUND)
        self._announced: dict[UUID, tuple[int, float]] = {}

    def job(self) -> Job:
        """Return the job that polls."""
        return Job(name="chat_rooms", step=self.poll, every_seconds=ROOM_POLL_INTERVAL_SECONDS)

    async def poll(self) -> None:
        """Publish the rooms that have new messages and were not announced recently."""
        now = monotonic()
        moved = []
        for row in await rooms.list_written(self._database):
            last, announced_at = self._announced.get(row.id, (0, -inf))
            if row.last_seq > last and now - announced_at >= ROOM_ANNOUNCE_INTERVAL_SECONDS:
                self._announced[row.id] = (row.last_seq, now)
                tab = row.club_name or PUBLIC_TAB
                moved.append(RoomAdvanced(row.club_id, tab, row.last_seq))
        await self._database.publish(moved)
