from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from api.foundation.database.database import Database, Transaction
from api.foundation.database.statements import Query
from api.games.matches.repository.queries import LockedMatch

REMIND = """
INSERT INTO fixture_reminder (user_id, fixture_id, created_at) VALUES ($1, $2, $3)
ON CONFLICT DO NOTHING
"""
FORGET = "DELETE FROM fixture_reminder WHERE user_id = $1 AND fixture_id = $2"
IS_REMINDED = """
SELECT EXISTS (SELECT FROM fixture_reminder WHERE user_id = $1 AND fixture_id = $2)
"""
IS_CALLED = """
EXISTS (SELECT FROM fixture_call WHERE fixture_id = $1 AND kick_off_at = $2)
"""


LIST_SOON = """
SELECT f.id FROM fixture f
 WHERE f.state = 'scheduled' AND f.kick_off_at > $1 AND f.kick_off_at <= $2
   AND NOT EXISTS (SELECT FROM fixture_call c
                    WHERE c.fixture_id = f.id AND c.kick_off_at = f.kick_off_at AND c.is_done)
 ORDER BY f.kick_off_at, f.id
"""
# Waits for members who are setting a reminder and hold the match; later ones come after the lock.
LOCK_MATCH = Query(
    "SELECT state, kick_off_at FROM fixture WHERE id = $1 FOR NO KEY UPDATE",
    LockedMatch,
)
# A new kick-off restarts the reminders of a match. If they have begun for this kick-off, the row is
# left alone, because a worker may hold its lock.
BEGIN_CALL = f"""
INSERT INTO fixture_call (fixture_id, kick_off_at)
SELECT $1, $2 WHERE NOT {IS_CALLED}
ON CONFLICT (fixture_id) DO UPDATE
   SET kick_off_at = excluded.kick_off_at, last_user_id = NULL, is_done = false
"""  # noqa: S608 constants only


@dataclass(frozen=True)
class ReminderProgress:
    last_user_id: UUID | None
    is_done: bool


LOCK_CALL = Query(
    """
SELECT last_user_id, is_done FROM fixture_call
 WHERE fixture_id = $1 AND kick_off_at = $2 FOR UPDATE
""",
    ReminderProgress,
)
CLUBS_OF = """
SELECT array_remove(array_agg(t.club_id), NULL) FROM team t WHERE t.id = ANY ($1)
"""
# Excludes members without a session, who cannot receive reminders.
SIGNED_IN = """
EXISTS (SELECT FROM session s WHERE s.user_id = u.id AND s.revoked_at IS NULL)
"""


LIST_CALLED = f"""
(SELECT u.id FROM unnest($1::uuid[]) AS c (id) CROSS JOIN LATERAL (
   SELECT u.id FROM user_account u WHERE u.club_id = c.id AND u.id > $3 AND {SIGNED_IN}
    ORDER BY u.id LIMIT $4) u)
UNION
(SELECT user_id FROM fixture_reminder WHERE fixture_id = $2 AND user_id > $3
  ORDER BY user_id LIMIT $4)
 ORDER BY 1 LIMIT $4
"""  # noqa: S608 constants only
CHANGE_CALL = "UPDATE fixture_call SET last_user_id = $2, is_done = $3 WHERE fixture_id = $1"
FIRST_ID = UUID(int=0)


async def is_called(tx: Transaction, fixture_id: UUID, kick_off_at: datetime) -> bool:
    """Return whether the reminders of a kick-off have begun."""
    return bool(await tx.fetch_value("SELECT " + IS_CALLED, fixture_id, kick_off_at))


async def insert_reminder(tx: Transaction, user_id: UUID, fixture_id: UUID, now: datetime) -> None:
    await tx.execute(REMIND, user_id, fixture_id, now)


async def delete_reminder(database: Database, user_id: UUID, fixture_id: UUID) -> None:
    await database.execute(FORGET, user_id, fixture_id)


async def is_reminded(database: Database, user_id: UUID, fixture_id: UUID) -> bool:
    return bool(await database.fetch_value(IS_REMINDED, user_id, fixture_id))


async def list_soon(database: Database, now: datetime, until: datetime) -> list[UUID]:
    """Return the matches that kick off until then and whose reminders are not all sent."""
    return await database.fetch_column(LIST_SOON, now, until)


async def lock_match(tx: Transaction, fixture_id: UUID) -> LockedMatch | None:
    """Lock a match against new reminders; return None if there is none."""
    return await tx.fetch_row(LOCK_MATCH, fixture_id)


async def begin_call(tx: Transaction, fixture_id: UUID, kick_off_at: datetime) -> None:
    """Record that the reminders of a kick-off have begun."""
    await tx.execute(BEGIN_CALL, fixture_id, kick_off_at)


async def lock_call(
    tx: Transaction, fixture_id: UUID, kick_off_at: datetime
) -> ReminderProgress | None:
    """Lock and return the progress of a kick-off's reminders; None if they have not begun."""
    return await tx.fetch_row(LOCK_CALL, fixture_id, kick_off_at)


async def list_called(
    tx: Transaction,
    fixture_id: UUID,
    team_ids: Sequence[UUID],
    after: UUID | None,
    limit: int,
) -> list[UUID]:
    """Return the members of both clubs and those who set a reminder, by id."""
    club_ids = await tx.fetch_value(CLUBS_OF, list(team_ids)) or []
    return await tx.fetch_column(LIST_CALLED, club_ids, fixture_id, after or FIRST_ID, limit)


async def change_call(
    tx: Transaction, fixture_id: UUID, last_user_id: UUID | None, *, is_done: bool
) -> None:
    await tx.execute(CHANGE_CALL, fixture_id, last_user_id, is_done)
