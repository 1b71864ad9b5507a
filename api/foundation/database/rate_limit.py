"""Rate limits stored in the database, shared by all workers and kept across restarts.

An address counts as its network: the whole IPv4 address, or the /64 of an IPv6 address, because a
client that has one address of a /64 has all of them.
"""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy import Index, text
from sqlalchemy.orm import Mapped, mapped_column

from api.foundation.core import clock
from api.foundation.core.errors import (
    DatabaseUnavailableError,
    DomainError,
    TooManyRequestsError,
    UnavailableError,
)
from api.foundation.database.database import Database
from api.foundation.database.statements import Query
from api.foundation.database.tables import Base
from api.foundation.security.digests import keyed_digest
from api.foundation.security.events import SecurityEvent, SecurityLog
from api.foundation.security.network import network_of

NO_SETTINGS: Mapping[str, int] = {}
GIVE_BACK = "UPDATE rate_limit SET hits = greatest(0, hits - $2) WHERE bucket = $1"


@dataclass(frozen=True)
class WindowHits:
    """The hits of a bucket in its window."""

    hits: int
    window_started_at: datetime


HIT = Query(
    """
INSERT INTO rate_limit AS current (bucket, window_started_at, hits) VALUES ($1, $3, $4)
ON CONFLICT (bucket) DO UPDATE SET
  hits = CASE WHEN current.window_started_at <= $3::timestamptz - $2::interval
              THEN $4 ELSE current.hits + $4 END,
  window_started_at = CASE WHEN current.window_started_at <= $3::timestamptz - $2::interval
                           THEN $3 ELSE current.window_started_at END
RETURNING hits, window_started_at
""",
    WindowHits,
)
READ_HITS = Query(
    """
SELECT hits, window_started_at FROM rate_limit
 WHERE bucket = $1 AND window_started_at > $3::timestamptz - $2::interval
""",
    WindowHits,
)


class RateLimit(Base):
    """Hits of one bucket in its current window; the bucket's name is a digest."""

    __tablename__ = "rate_limit"
    __table_args__ = (Index("ix_rate_limit_window_started_at", "window_started_at"),)

    bucket: Mapped[str] = mapped_column(primary_key=True)
    window_started_at: Mapped[datetime] = mapped_column(server_default=text("now()"))
    hits: Mapped[int]


@dataclass(frozen=True)
class Limit:
    """At most ``hits`` in ``window`` under ``name``."""

    name: str
    hits: int
    window: timedelta


class WrongGuessError(DomainError):
    """The credentials are wrong; the attempt counts."""


class RateLimiter:
    """Counts hits by network, stored as keyed digests only.

    ``settings`` has the limits of networks that were set, by name. They hold in every environment;
    ``leniency`` multiplies the others.
    """

    def __init__(
        self,
        database: Database,
        *,
        key: str,
        leniency: int,
        security: SecurityLog,
        settings: Mapping[str, int] = NO_SETTINGS,
    ) -> None:
        self._database = database
        self._key = key
        self._leniency = leniency
        self._security = security
        self._settings = settings

    def digest(self, *parts: str) -> str:
        """Return the keyed digest that replaces ``parts`` in tables."""
        return keyed_digest(self._key, *parts)

    def origin(self, address: str) -> str:
        """Return the digest that replaces the network of ``address`` in logs and tables."""
        return keyed_digest(self._key, "origin", network_of(address))[:16]

    def max_hits(self, limit: Limit) -> int:
        """Return how many hits of ``limit`` a network has."""
        return self._settings.get(limit.name, limit.hits * self._leniency)

    async def hit_address(self, limit: Limit, address: str) -> None:
        """Count a hit for an address's network; raise if the limit is reached."""
        seconds = await self.count(limit, address)
        if seconds is not None:
            raise TooManyRequestsError(retry_after_seconds=seconds)

    async def count(self, limit: Limit, address: str) -> int | None:
        """Count a hit; return the seconds to wait if it exceeds the limit, else None."""
        seconds = await self._hit(limit, self._bucket(limit, address), self.max_hits(limit))
        if seconds is not None:
            self.record_reached(limit, address)
        return seconds

    async def count_free(self, limit: Limit, address: str) -> bool:
        """Count a hit unless the limit is reached; return whether it was counted."""
        if await self.used(limit, address) >= self.max_hits(limit):
            return False
        if await self._hit(limit, self._bucket(limit, address), self.max_hits(limit)) is None:
            return True
        await self.give_back(limit, address)  # others were faster
        return False

    async def count_paid(self, limit: Limit, address: str) -> None:
        """Count a hit, whether the limit is reached or not."""
        await self._hit(limit, self._bucket(limit, address), self.max_hits(limit))

    async def used(self, limit: Limit, address: str) -> int:
        """Return the hits of an address's network in the current window; counts nothing."""
        row = await self._read(limit, address)
        return 0 if row is None else row.hits

    async def wait(self, limit: Limit, address: str) -> int | None:
        """Return the seconds to wait once all hits are used, else None; counts nothing."""
        row = await self._read(limit, address)
        if row is None or row.hits < self.max_hits(limit):
            return None
        self.record_reached(limit, address)
        return _seconds_left(limit, row)

    def record_reached(self, limit: Limit, address: str) -> None:
        """Record that a network was refused by ``limit``."""
        self._security.record(
            SecurityEvent.LIMIT_REACHED, limit=limit.name, origin=self.origin(address)
        )

    async def hit_member(self, limit: Limit, user_id: UUID) -> None:
        """Count a member's hit; raise if the limit, the same in all environments, is reached."""
        bucket = self._account_bucket(limit, str(user_id))
        seconds = await self._hit(limit, bucket, limit.hits)
        if seconds is not None:
            raise TooManyRequestsError(retry_after_seconds=seconds)

    @asynccontextmanager
    async def only_wrong(self, limit: Limit, account: str) -> AsyncIterator[None]:
        """Count an attempt at an account, and undo it unless the block raises ``WrongGuessError``.

        Raises if the limit is reached. Account limits are the same in all environments.
        """
        bucket = self._account_bucket(limit, account)
        seconds = await self._hit(limit, bucket, limit.hits)
        if seconds is not None:
            self._security.record(SecurityEvent.LIMIT_REACHED, limit=limit.name)
            raise TooManyRequestsError(retry_after_seconds=seconds)
        try:
            yield
        except WrongGuessError:
            raise
        except BaseException:
            await self._undo_hits(bucket)
            raise
        await self._undo_hits(bucket)

    async def count_account(self, limit: Limit, account: str) -> int | None:
        """Count an account's hit; return the seconds to wait if it exceeds the limit, else None.

        Account limits are the same in all environments.
        """
        return await self._hit(limit, self._account_bucket(limit, account), limit.hits)

    async def give_back_account(self, limit: Limit, account: str) -> None:
        """Undo one hit for an account; ignored if the database is unavailable."""
        await self._undo_hits(self._account_bucket(limit, account))

    @asynccontextmanager
    async def spent(
        self, limit: Limit, user_id: UUID, amount: int, error: type[TooManyRequestsError]
    ) -> AsyncIterator[None]:
        """Count ``amount`` hits of a member; undone if over the limit or on ``UnavailableError``.

        Raises:
            TooManyRequestsError: fewer hits are left in the window; raised as ``error``.
        """
        bucket = self._account_bucket(limit, str(user_id))
        seconds = await self._hit(limit, bucket, limit.hits, amount)
        if seconds is not None:
            await self._undo_hits(bucket, amount)
            self._security.record(SecurityEvent.LIMIT_REACHED, user_id=user_id, limit=limit.name)
            raise error(retry_after_seconds=seconds)
        try:
            yield
        except UnavailableError:
            await self._undo_hits(bucket, amount)
            raise

    async def _hit(self, limit: Limit, bucket: str, max_hits: int, amount: int = 1) -> int | None:
        row = await self._database.fetch_row(HIT, bucket, limit.window, clock.now(), amount)
        return None if row is None or row.hits <= max_hits else _seconds_left(limit, row)

    async def _read(self, limit: Limit, address: str) -> WindowHits | None:
        bucket = self._bucket(limit, address)
        return await self._database.fetch_row(READ_HITS, bucket, limit.window, clock.now())

    async def give_back(self, limit: Limit, address: str) -> None:
        """Undo one hit; ignored if the database is unavailable."""
        await self._undo_hits(self._bucket(limit, address))

    async def _undo_hits(self, bucket: str, amount: int = 1) -> None:
        with suppress(DatabaseUnavailableError):
            await self._database.execute(GIVE_BACK, bucket, amount)

    def _account_bucket(self, limit: Limit, account: str) -> str:
        return f"{limit.name}:{self.digest(limit.name, account)[:32]}"

    def _bucket(self, limit: Limit, address: str) -> str:
        return f"{limit.name}:{keyed_digest(self._key, limit.name, network_of(address))[:32]}"


def _seconds_left(limit: Limit, row: WindowHits) -> int:
    opens_at = row.window_started_at + limit.window
    return max(1, int((opens_at - clock.now()).total_seconds()) + 1)


# Limits of a network, here and in the domains, count what is refused or costs much, because a
# mobile carrier puts thousands of phones behind one address.
REFUSED_CALLS = Limit("anonymous", 300, timedelta(minutes=1))
SIGN_UPS = Limit("sign-up", 30, timedelta(hours=1))
FAILED_SIGN_INS = Limit("sign-in", 100, timedelta(minutes=10))
