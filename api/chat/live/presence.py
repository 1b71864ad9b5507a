"""Who is online: the rows of workers that live, and the lists that are drawn from them."""

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from uuid import UUID

import structlog

from api.chat import repository, rules
from api.chat.live.pace import ALIVE_SECONDS
from api.chat.rules import PUBLIC_ROOM, PUBLIC_TAB, ChatSocket
from api.chat.schemas import OnlineUser, UserList
from api.core import clock
from api.core.errors import DomainError
from api.core.ids import new_id
from api.core.supervisor import Job, Rest
from api.database.database import Database
from api.database.lanes import Lane
from api.database.statements import Row
from api.http.wire import Content
from api.media.storage import picture_url

log = structlog.get_logger(__name__)

PRESENCE_CHANNEL = "chat_presence"
HEARTBEAT_SECONDS = 15.0
DRAWN_LATELY = 0.9  # of a pause: timers are not that exact

Tell = Callable[[Iterable[str], UserList], Awaitable[None]]


class Presence:
    """Which members are online, over all workers; the sockets are this worker's.

    Members are counted, not sockets. The list goes out when something has changed, at most once in
    two seconds and less often in a crowd.
    """

    def __init__(self, database: Database, tell: Tell) -> None:
        self._database = database.lane(Lane.BACKGROUND)
        self._tell = tell
        self._worker_id = new_id()
        self._seats: dict[str, ChatSocket] = {}
        self._news = asyncio.Event()
        self._has_news = False
        self._changed_at = clock.now()
        self._count = 0
        self._lists: dict[UUID, UserList] = {}
        self._last: dict[UUID, int] = {}

    async def join(self, sid: str, seat: ChatSocket) -> None:
        """Count a socket, and show it the last list if there is one."""
        self._seats[sid] = seat
        self._note_news()
        known = self._lists.get(seat.club_id)
        if known is not None:
            await self._tell([sid], known)

    def leave(self, sid: str) -> None:
        """Forget a socket that is gone."""
        if self._seats.pop(sid, None) is not None:
            self._note_news()

    def recheck(self) -> None:
        """Show who is online: what other workers said meanwhile was not heard."""
        self._note_news()

    async def hear(self, payload: str) -> None:
        """Take notice that another worker's members have changed."""
        if payload != str(self._worker_id):
            self._note_news()

    def jobs(self) -> list[Job]:
        """Return what has to be done again and again: listing, and saying that we live."""
        return [
            Job(name="chat_list", step=self.show, every_seconds=ALIVE_SECONDS, wake=self._news),
            Job(name="chat_presence", step=self.live, every_seconds=HEARTBEAT_SECONDS),
        ]

    async def show(self) -> Rest:
        """Tell this worker's sockets who is online now; return how long to rest before the next.

        Raises:
            DatabaseUnavailableError: nobody knows.
        """
        await self._be_present(clock.now())
        if self._has_news:
            self._has_news, self._changed_at = False, clock.now()
        sids: defaultdict[UUID, list[str]] = defaultdict(list)
        names: dict[UUID, str] = {}
        for sid, seat in self._seats.items():
            sids[seat.club_id].append(sid)
            names[seat.club_id] = seat.club_name
        online = await self._draw(list(sids))
        last = await repository.list_last_seq(self._database, [PUBLIC_ROOM, *sids])
        known, self._lists = self._lists, {}
        for club_id, told_to in sids.items():
            shown = online.user_list(club_id, names[club_id], last)
            if club_id not in known or self._is_news(shown, known[club_id], club_id, last):
                self._lists[club_id] = shown
                await self._tell(told_to, shown)
            else:
                self._lists[club_id] = known[club_id]
        self._last = last
        self._count = online.counts.get(PUBLIC_ROOM, 0)
        if online.listed_at is None or online.listed_at < self._changed_at:
            self._news.set()  # another worker drew the lists before: look again
        return Rest(rules.list_pause_seconds(self._count))

    async def _draw(self, club_ids: Sequence[UUID]) -> "Online":
        """Return the lists, drawn now unless a worker has drawn them within the pause."""
        now = clock.now()
        pause = timedelta(seconds=rules.list_pause_seconds(self._count) * DRAWN_LATELY)
        await repository.refresh_online(
            self._database,
            now,
            seen_after=now - timedelta(seconds=rules.GONE_SECONDS),
            stale_before=now - pause,
            most=rules.LISTED_USERS,
        )
        return Online(await repository.list_online(self._database, [PUBLIC_ROOM, *club_ids]))

    async def live(self) -> None:
        """Say that this worker lives, and forget those that have died.

        Raises:
            DatabaseUnavailableError: it could not be written.
        """
        now = clock.now()
        await self._be_present(now)
        await repository.forget_workers(self._database, now - timedelta(seconds=rules.GONE_SECONDS))
        # A worker that died took its members along, and may have kept a message from us.
        self._note_news()

    def _note_news(self) -> None:
        self._has_news = True
        self._news.set()

    def _is_news(
        self, shown: UserList, known: UserList, club_id: UUID, last: dict[UUID, int]
    ) -> bool:
        """Say whether a list is worth its weight.

        Where messages flow, screens see by themselves that one is missing; where they have
        stopped, the newest sequence is told once.
        """
        if {**shown, "last": None} != {**known, "last": None}:
            return True
        is_quiet = all(self._last.get(room) == last.get(room) for room in (PUBLIC_ROOM, club_id))
        return is_quiet and shown["last"] != known["last"]

    async def _be_present(self, now: datetime) -> None:
        members = {seat.user_id: seat.club_id for seat in self._seats.values()}
        await repository.be_present(self._database, self._worker_id, members, now, PRESENCE_CHANNEL)

    async def leave_all(self) -> None:
        """Take this worker's members away: it stops."""
        try:
            await repository.be_absent(self._database, self._worker_id, PRESENCE_CHANNEL)
        except DomainError as refusal:
            log.warning("presence could not be taken back", code=refusal.code)


class Online:
    """Who is online, as lists of users show them: each is drawn once for all lists.

    ``counts`` is by room; ``listed_at`` is None when no list was ever drawn.
    """

    def __init__(self, rows: Sequence[Row]) -> None:
        self.counts: dict[UUID, int] = {}
        self.listed_at: datetime | None = None
        self._rooms: defaultdict[UUID, list[Content]] = defaultdict(list)
        drawn: dict[UUID, Content] = {}
        for row in rows:
            room_id, user_id = row["room_id"], row["user_id"]
            self.counts[room_id] = row["members"]
            if room_id == PUBLIC_ROOM:
                self.listed_at = row["listed_at"]
            if user_id is None:
                continue
            if user_id not in drawn:
                drawn[user_id] = _user(row)
            self._rooms[room_id].append(drawn[user_id])

    def user_list(self, club_id: UUID, club_name: str, last: Mapping[UUID, int]) -> UserList:
        """Return what members of a club are told; ``last`` has the rooms' newest sequences."""
        rooms = {club_name: club_id, PUBLIC_TAB: PUBLIC_ROOM}
        shown: UserList = {tab: self._rooms[room_id] for tab, room_id in rooms.items()}
        shown["counts"] = {tab: self.counts.get(room_id, 0) for tab, room_id in rooms.items()}
        shown["last"] = {tab: last.get(room_id, 0) for tab, room_id in rooms.items()}
        return shown


def _user(row: Row) -> Content:
    return OnlineUser(
        id=row["user_id"],
        first_name=row["first_name"],
        last_name=row["last_name"],
        avatar=picture_url(row["avatar"]),
    ).model_dump(mode="json", by_alias=True)
