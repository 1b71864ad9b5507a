"""Whether this worker can serve: it is not stopping, and the database takes a write."""

import asyncio
from datetime import datetime
from uuid import UUID

import asyncpg
from sqlalchemy.orm import Mapped, mapped_column

from api.core import clock
from api.core.errors import DatabaseUnavailableError
from api.core.ids import new_id
from api.database.database import Database
from api.database.errors import UNAVAILABLE
from api.database.safety import SafetyCheck
from api.database.tables import Base

FRESH_SECONDS = 1.0
ANSWER_SECONDS = 2.0
WRITE = "SELECT write_heartbeat($1, $2)"


class Heartbeat(Base):
    """The last write that a worker tried in order to know whether the database takes any."""

    __tablename__ = "heartbeat"

    worker_id: Mapped[UUID] = mapped_column(primary_key=True)
    beat_at: Mapped[datetime]


class Readiness:
    """Answers probes from one look at the database, at most a second old.

    Production is not ready before its database was found safe to serve with.

    Each look opens a connection of its own: it says whether a session that begins now can write,
    and needs no place that members' calls wait for.
    """

    def __init__(self, database: Database, safety: SafetyCheck) -> None:
        self._database = database
        self._safety = safety
        self._worker_id = new_id()
        self._looking: asyncio.Task[bool] | None = None
        self._fresh_until = 0.0

    def is_safe(self) -> bool:
        """Say whether the database may be served with, as far as that is known."""
        return self._safety.is_passed

    async def is_ready(self) -> bool:
        """Say whether requests can be served, as far as that is the database's affair."""
        return await self.database_takes_writes() and self.is_safe()

    async def database_takes_writes(self) -> bool:
        """Say whether the database took a write within the last second, or takes one now."""
        now = asyncio.get_running_loop().time()
        if self._looking is None or (self._looking.done() and now >= self._fresh_until):
            self._looking = asyncio.create_task(self._look())
        return await asyncio.shield(self._looking)

    async def _look(self) -> bool:
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                await self._database.retry(WRITE, self._worker_id, clock.now())
            takes_writes = True
        except (DatabaseUnavailableError, asyncpg.PostgresError, *UNAVAILABLE):
            takes_writes = False
        self._fresh_until = asyncio.get_running_loop().time() + FRESH_SECONDS
        return takes_writes
