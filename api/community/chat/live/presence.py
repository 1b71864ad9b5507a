"""Who is online: rows of live workers, and the user lists built from them."""

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from uuid import UUID

import structlog

from api.community.chat import rules
from api.community.chat.live.pace import ALIVE_SECONDS
from api.community.chat.repository import presence, rooms
from api.community.chat.repository.presence import OnlineMember
from api.community.chat.rules import PUBLIC_ROOM, PUBLIC_TAB, ChatSocket
from api.community.chat.schemas import OnlineUser, UserList
from api.foundation.core import clock
from api.foundation.core.errors import DomainError
from api.foundation.core.ids import new_id
from api.foundation.core.supervisor import Job, Sleep
from api.foundation.database.database import Database
from api.foundation.database.lanes import Priority
from api.foundation.media.storage import picture_url
from api.foundation.wire.schemas import Content

log = structlog.get_logger(__name__)

PRESENCE_CHANNEL = "chat_presence"
HEARTBEAT_SECONDS = 15.0
FRESHNESS = 0.9  # of a pause: timers are not that exact

Emit = Callable[[Iterable[str], UserList], Awaitable[None]]


class Presence:
    """Tracks which members are online over all workers; the sockets are this worker's.

    Members are counted, not sockets. The list is emitted after a change, at most every two seconds
    and less often when many are online.
    """

    def __init__(self, database: Database, emit: Emit, limits: rules.Limits) -> None:
        self._database = database.lane(Priority.BACKGROUND)
        self._emit = emit
        self._limits = limits
        self._worker_id = new_id()
        self._seats: dict[str, ChatSocket] = {}
        self._wake = asyncio.Event()
        self._has_changed = False
        self._changed_at = clock.now()
        self._count = 0
        self._lists: dict[UUID, UserList] = {}
        self._last: dict[UUID, int] = {}
        self._shown_last: dict[UUID, int] = {}

    async def join(self, sid: str, seat: ChatSocket) -> None:
        """Count a socket, and send it the last list if there is one."""
        self._seats[sid] = seat
        self._mark_changed()
        previous = self._lists.get(seat.club_id)
        if previous is not None:
            await self._emit([sid], previous)

    def leave(self, sid: str) -> None:
        """Remove a socket that has disconnected."""
        if self._seats.pop(sid, None) is not None:
            self._mark_changed()

    def recheck(self) -> None:
        """Emit the list again, because changes on other workers may have been missed."""
        self._mark_changed()

    async def on_announcement(self, payload: str) -> None:
        """Handle a change of another worker's members."""
        if payload != str(self._worker_id):
            self._mark_changed()

    def jobs(self) -> list[Job]:
        """Return the jobs that emit the lists and send this worker's heartbeat."""
        return [
            Job(name="chat_list", step=self.show, every_seconds=ALIVE_SECONDS, wake=self._wake),
            Job(name="chat_presence", step=self.beat, every_seconds=HEARTBEAT_SECONDS),
        ]

    async def show(self) -> Sleep:
        """Emit who is online to this worker's sockets; return the pause until the next list."""
        await self._be_present(clock.now())
        if self._has_changed:
            self._has_changed, self._changed_at = False, clock.now()
        sids: defaultdict[UUID, list[str]] = defaultdict(list)
        names: dict[UUID, str] = {}
        for sid, seat in self._seats.items():
            sids[seat.club_id].append(sid)
            names[seat.club_id] = seat.club_name
        online = await self._refresh(list(sids))
        last = await rooms.list_last_seq(self._database, [PUBLIC_ROOM, *sids])
        # While messages flow, the newest ones may not have been delivered or announced yet.
        self._shown_last = {
            room: seq if self._last.get(room, seq) == seq else self._shown_last.get(room, seq)
            for room, seq in last.items()
        }
        previous, self._lists = self._lists, {}
        for club_id, club_sids in sids.items():
            shown = online.user_list(club_id, names[club_id], self._shown_last, self._limits)
            if club_id not in previous or self._is_news(shown, previous[club_id], club_id, last):
                self._lists[club_id] = shown
                await self._emit(club_sids, shown)
            else:
                self._lists[club_id] = previous[club_id]
        self._last = last
        self._count = online.counts.get(PUBLIC_ROOM, 0)
        if online.listed_at is None or online.listed_at < self._changed_at:
            self._wake.set()  # another worker built the lists before this change: check again
        return Sleep(rules.list_pause_seconds(self._count))

    async def _refresh(self, club_ids: Sequence[UUID]) -> "Online":
        """Return the lists, rebuilt unless a worker has done so within the pause."""
        now = clock.now()
        pause = timedelta(seconds=rules.list_pause_seconds(self._count) * FRESHNESS)
        await presence.refresh_online(
            self._database,
            now,
            seen_after=now - timedelta(seconds=rules.GONE_SECONDS),
            stale_before=now - pause,
            limit=rules.MAX_LISTED_USERS,
        )
        return Online(await presence.list_online(self._database, [PUBLIC_ROOM, *club_ids]))

    async def beat(self) -> None:
        """Send this worker's heartbeat, and remove workers that have died."""
        now = clock.now()
        await self._be_present(now)
        await presence.delete_workers(self._database, now - timedelta(seconds=rules.GONE_SECONDS))
        # A worker that died took its members along, and may not have published its last messages.
        self._mark_changed()

    def _mark_changed(self) -> None:
        self._has_changed = True
        self._wake.set()

    def _is_news(
        self, shown: UserList, previous: UserList, club_id: UUID, last: dict[UUID, int]
    ) -> bool:
        """Return whether a list is worth emitting.

        While messages flow, clients notice a missing one from the next; once they stop, the newest
        sequence is emitted once.
        """
        if {**shown, "last": None} != {**previous, "last": None}:
            return True
        is_quiet = all(self._last.get(room) == last.get(room) for room in (PUBLIC_ROOM, club_id))
        return is_quiet and shown["last"] != previous["last"]

    async def _be_present(self, now: datetime) -> None:
        members = {seat.user_id: seat.club_id for seat in self._seats.values()}
        await presence.be_present(self._database, self._worker_id, members, now, PRESENCE_CHANNEL)

    async def leave_all(self) -> None:
        """Remove this worker's members at shutdown."""
        try:
            await presence.be_absent(self._database, self._worker_id, PRESENCE_CHANNEL)
        except DomainError as refusal:
            log.warning("presence could not be taken back", code=refusal.code)


class Online:
    """The user lists of rooms; each user is serialized once for all lists.

    ``counts`` is by room; ``listed_at`` is None when no list was ever built.
    """

    def __init__(self, rows: Sequence[OnlineMember]) -> None:
        self.counts: dict[UUID, int] = {}
        self.listed_at: datetime | None = None
        self._rooms: defaultdict[UUID, list[Content]] = defaultdict(list)
        users: dict[UUID, Content] = {}
        for row in rows:
            self.counts[row.room_id] = row.members
            if row.room_id == PUBLIC_ROOM:
                self.listed_at = row.listed_at
            if row.user_id is None or row.first_name is None or row.last_name is None:
                continue
            if row.user_id not in users:
                users[row.user_id] = _user(row.user_id, row.first_name, row.last_name, row.avatar)
            self._rooms[row.room_id].append(users[row.user_id])

    def user_list(
        self, club_id: UUID, club_name: str, last: Mapping[UUID, int], limits: rules.Limits
    ) -> UserList:
        """Return the user list of a club's members; ``last`` has the rooms' newest sequences."""
        rooms = {club_name: club_id, PUBLIC_TAB: PUBLIC_ROOM}
        shown: UserList = {tab: self._rooms[room_id] for tab, room_id in rooms.items()}
        counts = {tab: self.counts.get(room_id, 0) for tab, room_id in rooms.items()}
        shown["counts"] = counts
        shown["slow"] = {tab: limits.slow_seconds(count) for tab, count in counts.items()}
        shown["last"] = {tab: last.get(room_id, 0) for tab, room_id in rooms.items()}
        return shown


def _user(user_id: UUID, first_name: str, last_name: str, avatar: str | None) -> Content:
    return OnlineUser(
        id=user_id, first_name=first_name, last_name=last_name, avatar=picture_url(avatar)
    ).model_dump(mode="json", by_alias=True)
