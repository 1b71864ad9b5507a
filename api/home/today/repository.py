"""SQL of notifications about games."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from uuid import UUID

from api.foundation.database.database import Database, Transaction
from api.foundation.database.statements import Query


@dataclass(frozen=True)
class ClaimedPromotion:
    user_id: UUID
    season_id: UUID
    rank: str


TAKE_PROMOTIONS = Query(
    """
UPDATE rank_promotion SET told_at = $1
 WHERE (user_id, season_id, rank) IN (
   SELECT user_id, season_id, rank FROM rank_promotion WHERE told_at IS NULL
    ORDER BY promoted_at LIMIT $2 FOR UPDATE SKIP LOCKED)
RETURNING user_id, season_id, rank
""",
    ClaimedPromotion,
)
# Members with a live session, in batches by id.
LIST_ACTIVE = """
SELECT user_id FROM session
 WHERE revoked_at IS NULL AND last_seen_at > $1 AND expires_at > $2 AND user_id > $3
 GROUP BY user_id ORDER BY user_id LIMIT $4
"""
FIRST_ID = UUID(int=0)
# Those who can answer or submit the quest of the day and have not been notified of it.
LIST_QUEST_OPEN = """
SELECT u.id FROM user_account u
  LEFT JOIN trivia_attempt a ON a.user_id = u.id AND a.day = $2
 WHERE u.id = ANY ($1) AND a.submitted_at IS NULL
   AND NOT EXISTS (SELECT FROM notification n
                    WHERE n.user_id = u.id AND n.kind = 'quest_open' AND n.subject = $2::text)
   AND EXISTS (SELECT FROM question q
                WHERE q.kind = 'trivia' AND q.retired_at IS NULL
                  AND (q.club_id = u.club_id OR q.club_id IS NULL))
 ORDER BY u.id
"""
LIST_CLUBS = """
SELECT c.id FROM club c LEFT JOIN club_top t ON t.club_id = c.id
 WHERE t.day IS NULL OR t.day < $1 ORDER BY c.id
"""
INSERT_TOP = """
INSERT INTO club_top (club_id, day, user_ids) VALUES ($1, $2::date - 1, '{}')
ON CONFLICT (club_id) DO NOTHING
"""


@dataclass(frozen=True)
class LockedTop:
    season_id: UUID | None
    user_ids: list[UUID]
    club: str


LOCK_TOP = Query(
    """
SELECT t.season_id, t.user_ids, c.name AS club
  FROM club_top t JOIN club c ON c.id = t.club_id
 WHERE t.club_id = $1 AND t.day < $2 FOR UPDATE OF t
""",
    LockedTop,
)
READ_TOP = """
SELECT t.user_id
  FROM board b JOIN board_total t ON t.board_id = b.id AND t.club_id = $1
 WHERE b.period = 'season' AND b.season_id = $2
 ORDER BY t.points DESC, t.elapsed_ms, t.reached_at, t.user_id LIMIT $3
"""
CHANGE_TOP = "UPDATE club_top SET season_id = $2, day = $3, user_ids = $4 WHERE club_id = $1"
LIST_STILL_THERE = """
SELECT id FROM user_account WHERE id = ANY ($1) AND club_id = $2 AND NOT is_off_boards(id)
"""


async def claim_promotions(
    tx: Transaction, now: datetime, limit: int
) -> Sequence[ClaimedPromotion]:
    """Lock and return promotions without a notification, and mark them as notified."""
    return await tx.fetch_rows(TAKE_PROMOTIONS, now, limit)


async def list_active(
    tx: Transaction, seen_since: datetime, now: datetime, after: UUID | None, limit: int
) -> list[UUID]:
    """Return members with a session seen since then, by id."""
    return await tx.fetch_column(LIST_ACTIVE, seen_since, now, after or FIRST_ID, limit)


async def list_quest_open(tx: Transaction, user_ids: Sequence[UUID], day: date) -> list[UUID]:
    """Return which of these members have not submitted a day's quest nor been notified of it."""
    return await tx.fetch_column(LIST_QUEST_OPEN, list(user_ids), day)


async def list_clubs(database: Database, day: date) -> list[UUID]:
    """Return the clubs whose board was not checked on a day."""
    return await database.fetch_column(LIST_CLUBS, day)


async def lock_top(tx: Transaction, club_id: UUID, day: date) -> LockedTop | None:
    """Lock a club's stored leaders; return None if the board was checked that day."""
    await tx.execute(INSERT_TOP, club_id, day)
    return await tx.fetch_row(LOCK_TOP, club_id, day)


async def read_top(
    tx: Transaction, club_id: UUID, season_id: UUID | None, limit: int
) -> list[UUID]:
    """Return the leaders of a club's board of a season, as of the last fold."""
    return await tx.fetch_column(READ_TOP, club_id, season_id, limit)


async def change_top(
    tx: Transaction, club_id: UUID, season_id: UUID | None, day: date, user_ids: Sequence[UUID]
) -> None:
    await tx.execute(CHANGE_TOP, club_id, season_id, day, list(user_ids))


async def list_still_there(tx: Transaction, user_ids: Sequence[UUID], club_id: UUID) -> list[UUID]:
    """Return which of these members still belong to the club and appear on boards."""
    return await tx.fetch_column(LIST_STILL_THERE, list(user_ids), club_id)
