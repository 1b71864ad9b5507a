"""Counters of failed attempts with growing delays, shared by members and operators.

The digest names what a row counts: an account from one network, or a member's own password.
"""

import math
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Index
from sqlalchemy.orm import Mapped, mapped_column

from api.foundation.core import clock
from api.foundation.core.errors import DatabaseUnavailableError, TooManyRequestsError
from api.foundation.database.database import Database
from api.foundation.database.rate_limit import WrongGuessError
from api.foundation.database.statements import Query
from api.foundation.database.tables import Base

# Undoes an attempt that was admitted but not checked, with any lock that it set.
GIVE_BACK_ATTEMPT = """
UPDATE sign_in_guard SET attempts = attempts - 1, locked_until = NULL
 WHERE digest = $1 AND attempts > 0
"""
CLEAR_GUARD = "DELETE FROM sign_in_guard WHERE digest = $1"


@dataclass(frozen=True)
class GuardedAttempt:
    """Whether an attempt was admitted, and else when the next one is."""

    admitted: bool
    locked_until: datetime | None


# An attempt is counted before the password is checked, so that a thousand concurrent ones are
# counted, too. Free attempts pass; each later one must wait for the delay set by the last one. If
# no attempt is free, the first one sets the delay, and passes no more than the others.
ADMIT_ATTEMPT = Query(
    """
INSERT INTO sign_in_guard AS g (digest, attempts, attempted_at, locked_until, admitted)
VALUES ($1, least($3::int, 1), $6::timestamptz,
        CASE WHEN $3 = 0 THEN $6 + $4::interval END, $3 > 0)
ON CONFLICT (digest) DO UPDATE SET
  admitted = CASE WHEN g.locked_until IS NULL THEN $3 > 0 ELSE g.locked_until <= $6 END,
  attempts = CASE WHEN g.locked_until > $6 OR (g.locked_until IS NULL AND $3 = 0) THEN g.attempts
                  WHEN g.attempted_at <= $6::timestamptz - $2::interval THEN 1
                  ELSE g.attempts + 1 END,
  attempted_at = CASE WHEN g.locked_until > $6 THEN g.attempted_at ELSE $6 END,
  locked_until = CASE WHEN g.locked_until > $6 THEN g.locked_until
                      WHEN $3 > 0 AND (g.attempted_at <= $6::timestamptz - $2::interval
                                       OR g.attempts + 1 < $3) THEN NULL
                      ELSE $6 + least($4::interval * power(2, greatest(0, g.attempts + 1 - $3)),
                                         $5::interval) END
RETURNING admitted, locked_until
""",
    GuardedAttempt,
)


class SignInGuard(Base):
    """Failed attempts under one keyed digest."""

    __tablename__ = "sign_in_guard"
    __table_args__ = (Index("ix_sign_in_guard_attempted_at", "attempted_at"),)

    digest: Mapped[str] = mapped_column(primary_key=True)
    attempts: Mapped[int]
    attempted_at: Mapped[datetime]
    locked_until: Mapped[datetime | None]
    admitted: Mapped[bool]


@dataclass(frozen=True)
class Guard:
    """How many attempts are free, how long they are remembered, and the delays after them.

    A delay doubles with every attempt, from ``first_delay`` to ``longest_delay``.
    """

    memory: timedelta
    free_attempts: int
    first_delay: timedelta
    max_delay: timedelta


@asynccontextmanager
async def guarded(
    database: Database,
    digest: str,
    guard: Guard,
    *,
    error: type[TooManyRequestsError] = TooManyRequestsError,
    is_always_checked: bool = False,
) -> AsyncIterator[None]:
    """Count an attempt around the block that checks what was entered.

    Only a block that raises ``WrongGuessError`` counts as a failure; any other exception undoes
    the count, and success deletes the counter. Attempts are counted before they are checked, so
    concurrent ones are all counted. With ``is_always_checked`` an early attempt runs the block as
    well, and is refused only if it is wrong.

    Raises:
        TooManyRequestsError: the attempt is too early; raised as ``error``.
    """
    opens_at = await _admit_attempt(database, digest, guard, clock.now())
    if opens_at is not None and not is_always_checked:
        raise _too_early(error, opens_at)
    try:
        yield
    except WrongGuessError:
        if opens_at is not None:
            raise _too_early(error, opens_at) from None
        raise
    except BaseException:  # cancelled or failed before the check
        if opens_at is None:
            with suppress(DatabaseUnavailableError):
                await database.execute(GIVE_BACK_ATTEMPT, digest)
        raise
    await database.execute(CLEAR_GUARD, digest)


async def _admit_attempt(
    database: Database, digest: str, guard: Guard, now: datetime
) -> datetime | None:
    """Count an attempt; return when the next one is accepted, None if this one is."""
    row = await database.fetch_row(
        ADMIT_ATTEMPT,
        digest,
        guard.memory,
        guard.free_attempts,
        guard.first_delay,
        guard.max_delay,
        now,
    )
    return None if row is None or row.admitted else row.locked_until


def _too_early(error: type[TooManyRequestsError], opens_at: datetime) -> TooManyRequestsError:
    seconds = math.ceil((opens_at - clock.now()).total_seconds())
    return error(retry_after_seconds=max(1, seconds))
