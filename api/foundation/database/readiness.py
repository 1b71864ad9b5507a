"""Readiness: the worker is not stopping, and the database accepts a write."""

import asyncio
from datetime import datetime
from uuid import UUID

import asyncpg
from sqlalchemy.orm import Mapped, mapped_column

from api.foundation.core import clock
from api.foundation.core.errors import DatabaseUnavailableError
from api.foundation.core.ids import new_id
from api.foundation.database.database import Database
from api.foundation.database.errors import UNAVAILABLE
from api.foundation.database.safety import SafetyCheck
from api.foundation.database.tables import Base

FRESH_SECONDS = 1.0
ANSWER_SECONDS = 2.0
WRITE = "SELECT write_heartbeat($1, $2)"


class Heartbeat(Base):
    """A worker's last test write."""

    __tablename__ = "heartbeat"

    worker_id: Mapped[UUID] = mapped_column(primary_key=True)
    beat_at: Mapped[datetime]


class Readiness:
    """Answers probes from one check of the database, at most a second old.

    Production is not ready until its database has passed the safety check.

    Each check opens its own connection: that tests whether a new session can write, and uses no
    slot that members' calls wait for.
    """

    def __init__(self, database: Database, safety: SafetyCheck) -> None:
        self._database = database
        self._safety = safety
        self._worker_id = new_id()
        self._checking: asyncio.Task[bool] | None = None
        self._fresh_until = 0.0

    def is_safe(self) -> bool:
        """Return whether the database has passed the safety check, or needs none."""
        return self._safety.is_passed

    async def is_ready(self) -> bool:
        """Return whether the worker can serve requests."""
        return await self.database_takes_writes() and self.is_safe()

    async def database_takes_writes(self) -> bool:
        """Return whether the database accepted a write within the last second, or does now."""
        now = asyncio.get_running_loop().time()
        if self._checking is None or (self._checking.done() and now >= self._fresh_until):
            self._checking = asyncio.create_task(self._check())
        return await asyncio.shield(self._checking)

    async def _check(self) -> bool:
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                await self._database.retry(WRITE, self._worker_id, clock.now())
            takes_writes = True
        except (DatabaseUnavailableError, asyncpg.PostgresError, *UNAVAILABLE):
            takes_writes = False
        self._fresh_until = asyncio.get_running_loop().time() + FRESH_SECONDS
        return takes_writes
