"""Rate limits kept in the database: they outlive restarts and hold across workers."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from fastapi import Request
from sqlalchemy import text
from sqlalchemy.orm import Mapped, mapped_column

from api.core import clock
from api.core.database import Base, Database
from api.core.errors import TooManyRequestsError
from api.core.identity import keyed_digest

HIT = """
INSERT INTO rate_limit AS current (bucket, window_started_at, hits) VALUES ($1, now(), 1)
ON CONFLICT (bucket) DO UPDATE SET
  hits = CASE WHEN current.window_started_at <= now() - $2::interval
              THEN 1 ELSE current.hits + 1 END,
  window_started_at = CASE WHEN current.window_started_at <= now() - $2::interval
                           THEN now() ELSE current.window_started_at END
RETURNING hits, window_started_at
"""


class RateLimit(Base):
    """How often one bucket was hit in its current window; the bucket's name is a digest."""

    __tablename__ = "rate_limit"

    bucket: Mapped[str] = mapped_column(primary_key=True)
    window_started_at: Mapped[datetime] = mapped_column(server_default=text("now()"))
    hits: Mapped[int]


@dataclass(frozen=True)
class Limit:
    """At most ``hits`` in ``window`` under ``name``."""

    name: str
    hits: int
    window: timedelta


class RateLimiter:
    """Counts hits by address or account; addresses and accounts are stored as digests only."""

    def __init__(self, database: Database, *, key: str, leniency: int) -> None:
        self._database = database
        self._key = key
        self._leniency = leniency

    async def hit_address(self, limit: Limit, address: str) -> None:
        """Count one hit of an address.

        Raises:
            TooManyRequestsError: the window is full.
        """
        await self._hit(limit, address, limit.hits * self._leniency)

    async def _hit(self, limit: Limit, who: str, allowed: int) -> None:
        bucket = f"{limit.name}:{keyed_digest(self._key, limit.name, who)[:32]}"
        row = await self._database.fetch_row(HIT, bucket, limit.window)
        if row is not None and row["hits"] > allowed:
            opens_at: datetime = row["window_started_at"] + limit.window
            seconds = int((opens_at - clock.now()).total_seconds()) + 1
            raise TooManyRequestsError(retry_after_seconds=max(1, seconds))


UNAUTHENTICATED = Limit("anonymous", 300, timedelta(minutes=1))
SIGN_UPS = Limit("sign-up", 30, timedelta(hours=1))
SIGN_INS = Limit("sign-in", 100, timedelta(minutes=10))


def client_address(request: Request) -> str:
    """Return the caller's address; the server trusts configured proxies only."""
    return request.client.host if request.client else "unknown"
