"""Which rooms have moved, for screens that show no chat."""

from math import inf
from time import monotonic
from uuid import UUID

from api.chat import repository
from api.chat.events import RoomAdvanced
from api.chat.rules import PUBLIC_TAB
from api.core.supervisor import Job
from api.database.database import Database
from api.database.lanes import Lane

ROOM_POLL_INTERVAL_SECONDS = 1.0
ROOM_ANNOUNCE_INTERVAL_SECONDS = 10.0  # how often a room may be announced: contract F-7


class RoomWatch:
    """Announces to this process in which rooms somebody has written, on whichever worker.

    Rooms are looked at, and not posts: however much is written, it costs one small read a second
    and each room at most one announcement in ten.
    """

    def __init__(self, database: Database) -> None:
        self._database = database.lane(Lane.BACKGROUND)
        self._told: dict[UUID, tuple[int, float]] = {}

    def job(self) -> Job:
        """Return what has to be done again and again."""
        return Job(name="chat_rooms", step=self.look, every_seconds=ROOM_POLL_INTERVAL_SECONDS)

    async def look(self) -> None:
        """Announce the rooms that have moved and were not announced lately.

        Raises:
            DatabaseUnavailableError: nobody knows.
        """
        now = monotonic()
        moved = []
        for row in await repository.list_written(self._database):
            last, told_at = self._told.get(row["id"], (0, -inf))
            if row["last_seq"] > last and now - told_at >= ROOM_ANNOUNCE_INTERVAL_SECONDS:
                self._told[row["id"]] = (row["last_seq"], now)
                tab = row["club_name"] or PUBLIC_TAB
                moved.append(RoomAdvanced(row["club_id"], tab, row["last_seq"]))
        await self._database.publish(moved)
