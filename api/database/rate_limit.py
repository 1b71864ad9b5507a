"""Rate limits kept in the database: they outlive restarts and hold across workers.

An address stands for the network it is of: a whole IPv4 address, the /64 of an IPv6 address,
because whoever has one of those has all of them.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy import Index, text
from sqlalchemy.orm import Mapped, mapped_column

from api.core import clock
from api.core.errors import (
    DatabaseUnavailableError,
    DomainError,
    TooManyRequestsError,
    UnavailableError,
)
from api.database.database import Database
from api.database.tables import Base
from api.security.digests import keyed_digest
from api.security.events import SecurityEvent, SecurityLog
from api.security.network import network_of

HIT = """
INSERT INTO rate_limit AS current (bucket, window_started_at, hits) VALUES ($1, $3, $4)
ON CONFLICT (bucket) DO UPDATE SET
  hits = CASE WHEN current.window_started_at <= $3::timestamptz - $2::interval
              THEN $4 ELSE current.hits + $4 END,
  window_started_at = CASE WHEN current.window_started_at <= $3::timestamptz - $2::interval
                           THEN $3 ELSE current.window_started_at END
RETURNING hits, window_started_at
"""
GIVE_BACK = "UPDATE rate_limit SET hits = greatest(0, hits - $2) WHERE bucket = $1"


class RateLimit(Base):
    """How often one bucket was hit in its current window; the bucket's name is a digest."""

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
    """What was entered is wrong, and counts."""


class RateLimiter:
    """Counts hits by network; networks are stored as keyed digests only."""

    def __init__(
        self, database: Database, *, key: str, leniency: int, security: SecurityLog
    ) -> None:
        self._database = database
        self._key = key
        self._leniency = leniency
        self._security = security

    def digest(self, *parts: str) -> str:
        """Return the keyed digest that stands for ``parts`` in tables."""
        return keyed_digest(self._key, *parts)

    def origin(self, address: str) -> str:
        """Return the digest that stands for the network of ``address`` in logs and tables."""
        return keyed_digest(self._key, "origin", network_of(address))[:16]

    async def hit_address(self, limit: Limit, address: str) -> None:
        """Count one hit of an address's network.

        Raises:
            TooManyRequestsError: the window is full.
        """
        seconds = await self.count(limit, address)
        if seconds is not None:
            raise TooManyRequestsError(retry_after_seconds=seconds)

    async def count(self, limit: Limit, address: str) -> int | None:
        """Count one hit; return the seconds until the window opens when it is full, else None."""
        seconds = await self._hit(limit, self._bucket(limit, address), limit.hits * self._leniency)
        if seconds is not None:
            self._security.record(
                SecurityEvent.LIMIT_REACHED, limit=limit.name, origin=self.origin(address)
            )
        return seconds

    async def hit_member(self, limit: Limit, user_id: UUID) -> None:
        """Count one hit of a member; the limit is the same everywhere, production or not.

        Raises:
            TooManyRequestsError: the window is full.
        """
        bucket = self._account_bucket(limit, str(user_id))
        seconds = await self._hit(limit, bucket, limit.hits)
        if seconds is not None:
            raise TooManyRequestsError(retry_after_seconds=seconds)

    @asynccontextmanager
    async def only_wrong(self, limit: Limit, account: str) -> AsyncIterator[None]:
        """Count a try at an account, and give it back unless ``WrongGuessError`` says it was wrong.

        Limits of accounts are the same everywhere, production or not.

        Raises:
            TooManyRequestsError: the window is full.
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
            await self._give_back(bucket)
            raise
        await self._give_back(bucket)

    async def count_account(self, limit: Limit, account: str) -> int | None:
        """Count one hit of an account; return the seconds to wait if it is over, else None.

        Limits of accounts are the same everywhere, production or not.
        """
        return await self._hit(limit, self._account_bucket(limit, account), limit.hits)

    async def give_back_account(self, limit: Limit, account: str) -> None:
        """Take back one hit of an account; ignored if the database is unavailable."""
        await self._give_back(self._account_bucket(limit, account))

    @asynccontextmanager
    async def spent(
        self, limit: Limit, user_id: UUID, amount: int, error: type[TooManyRequestsError]
    ) -> AsyncIterator[None]:
        """Count ``amount`` hits of a member; undone if refused or the block could not run.

        Raises:
            TooManyRequestsError: more than the window has left; raised as ``error``.
        """
        bucket = self._account_bucket(limit, str(user_id))
        seconds = await self._hit(limit, bucket, limit.hits, amount)
        if seconds is not None:
            await self._give_back(bucket, amount)
            self._security.record(SecurityEvent.LIMIT_REACHED, user_id=user_id, limit=limit.name)
            raise error(retry_after_seconds=seconds)
        try:
            yield
        except UnavailableError:
            await self._give_back(bucket, amount)
            raise

    async def _hit(self, limit: Limit, bucket: str, most: int, amount: int = 1) -> int | None:
        row = await self._database.fetch_row(HIT, bucket, limit.window, clock.now(), amount)
        if row is None or row["hits"] <= most:
            return None
        opens_at: datetime = row["window_started_at"] + limit.window
        return max(1, int((opens_at - clock.now()).total_seconds()) + 1)

    async def give_back(self, limit: Limit, address: str) -> None:
        """Take one hit back, as far as the database is there to hear it."""
        await self._give_back(self._bucket(limit, address))

    async def _give_back(self, bucket: str, amount: int = 1) -> None:
        with suppress(DatabaseUnavailableError):
            await self._database.execute(GIVE_BACK, bucket, amount)

    @asynccontextmanager
    async def counted(self, limit: Limit, address: str) -> AsyncIterator[None]:
        """Count one hit, and give it back when the block could not do its work.

        Raises:
            TooManyRequestsError: the window is full.
        """
        await self.hit_address(limit, address)
        try:
            yield
        except UnavailableError:
            await self.give_back(limit, address)
            raise

    def _account_bucket(self, limit: Limit, account: str) -> str:
        return f"{limit.name}:{self.digest(limit.name, account)[:32]}"

    def _bucket(self, limit: Limit, address: str) -> str:
        return f"{limit.name}:{keyed_digest(self._key, limit.name, network_of(address))[:32]}"


UNAUTHENTICATED = Limit("anonymous", 300, timedelta(minutes=1))
SIGN_UPS = Limit("sign-up", 30, timedelta(hours=1))
FAILED_SIGN_INS = Limit("sign-in", 100, timedelta(minutes=10))
