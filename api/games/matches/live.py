"""Sends changes of matches to screens: those of the member's club, and those they watch."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from datetime import datetime, timedelta
from uuid import UUID

from api.foundation.core import clock
from api.foundation.core.supervisor import Job
from api.foundation.security.members import Member
from api.foundation.wire.acknowledgements import Acknowledgement
from api.foundation.wire.schemas import WireModel
from api.games.matches.enums import FixtureState
from api.games.matches.repository import queries as queries_repository
from api.games.matches.rules import moving
from api.games.matches.schemas.members import (
    FixtureAnnouncement,
    FixtureHeadline,
    FixtureUpdate,
    WatchedFixtures,
    WatchFixtures,
)
from api.games.matches.service import queries, serializers
from api.games.matches.service.context import FixtureContext

EVENT = "fixture_update"
ALIVE_SECONDS = 15.0  # how often the job reports that it is alive while idle
LOST_BEFORE = timedelta(seconds=10)  # a loss of announcements can go unnoticed this long
BATCH_SIZE = 200

Watch = Callable[[str, Iterable[UUID]], None]
Emit = Callable[[Iterable[UUID], UUID, str, WireModel], Awaitable[None]]


class MatchUpdates:
    """Sends announced changes to this process's sockets, whichever process made them.

    ``watch`` registers the matches a socket watches; ``emit`` sends an event, once per socket, to
    members of the given clubs and to watchers. Announcements arrive in commit order.
    """

    def __init__(self, context: FixtureContext, *, watch: Watch, emit: Emit) -> None:
        self._context = context
        self._watch = watch
        self._emit = emit
        self._down_since: datetime | None = clock.now()
        self._missed_since: datetime | None = None
        self._reconnected = asyncio.Event()

    async def answer(self, member: Member, sid: str, wanted: WatchFixtures) -> Acknowledgement:
        """Replace the socket's watched matches, and return their state."""
        self._watch(sid, wanted.ids)  # first, so that no change in between is missed
        found = await queries.find_matches(self._context, member.user_id, wanted.ids)
        content = WatchedFixtures(fixtures=found).model_dump(mode="json", by_alias=True)
        return Acknowledgement(status=200, message="OK", data=content)

    async def on_announcement(self, payload: str) -> None:
        """Emit an announced change."""
        news = FixtureAnnouncement.model_validate_json(payload)
        await self._emit_update(news.clubs, news.update)

    def stop_listening(self) -> None:
        """Record that the listener is down."""
        self._down_since = self._down_since or clock.now()

    def start_listening(self) -> None:
        """Schedule a check for changes missed while the listener was down."""
        if self._down_since is not None:
            self._missed_since = self._missed_since or self._down_since - LOST_BEFORE
            self._down_since = None
            self._reconnected.set()

    def job(self) -> Job:
        """Return the job that emits missed changes."""
        return Job(
            name="fixtures",
            step=self.catch_up,
            every_seconds=ALIVE_SECONDS,
            wake=self._reconnected,
        )

    async def catch_up(self) -> None:
        """Emit the matches that changed while the listener was down, some possibly twice.

        Raises:
            DatabaseUnavailableError: nothing was read; the call has to be repeated.
        """
        since = self._missed_since
        if since is None:
            return
        rows = await queries_repository.list_changed(self._context.database, since, BATCH_SIZE)
        self._missed_since = None
        now = clock.now()
        for row in rows:
            state = FixtureState(row.state)
            if moving.is_only_noted(row.version, state, row.kick_off_at, now):
                continue
            update = serializers.headline(row, moving.news_of(state))
            await self._emit_update(serializers.clubs_of(row), update)

    async def _emit_update(self, clubs: Iterable[UUID], update: FixtureHeadline) -> None:
        event = FixtureUpdate(**dict(update), server_now=clock.now())
        await self._emit(clubs, update.id, EVENT, event)
