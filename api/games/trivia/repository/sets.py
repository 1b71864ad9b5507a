from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert

from api.foundation.database.database import Database, Runner, Transaction
from api.foundation.database.locks import AdvisoryLock
from api.foundation.database.statements import Query
from api.games.trivia.models import TriviaSchedule, TriviaSet
from api.games.trivia.rules import Candidate
from api.games.trivia.schemas import ScheduledQuestion

LIST_CANDIDATES = Query(
    """
SELECT q.id, q.difficulty, q.club_id IS NOT NULL AS is_own, asked.day AS asked_on
  FROM question q
  LEFT JOIN (SELECT question_id, max(s.day) AS day
               FROM trivia_set s CROSS JOIN LATERAL unnest(s.question_ids) AS question_id
              WHERE s.club_id = $1 AND s.day < $2
              GROUP BY question_id) asked ON asked.question_id = q.id
 WHERE q.kind = 'trivia' AND q.retired_at IS NULL
   AND (q.club_id = $1 OR q.club_id IS NULL)
""",
    Candidate,
)
COUNT_ASKABLE = """
SELECT count(*) FROM (
  SELECT FROM question WHERE kind = 'trivia' AND retired_at IS NULL
     AND (club_id = $1 OR club_id IS NULL) LIMIT $2) one
"""
LOCK_DAY = "SELECT pg_advisory_xact_lock($1, $2)"
SHARE_DAY = "SELECT pg_advisory_xact_lock_shared($1, $2)"


# A question corrected since is asked in its current form; a retired one is left out.
LIST_SCHEDULED = """
SELECT live.id
  FROM (SELECT question_ids FROM trivia_schedule
         WHERE day = $2 AND (club_id = $1 OR club_id IS NULL)
         ORDER BY club_id NULLS LAST LIMIT 1) s
 CROSS JOIN LATERAL unnest(s.question_ids) WITH ORDINALITY AS wanted (id, place)
  JOIN question old ON old.id = wanted.id
  JOIN question live ON live.slug = old.slug AND live.retired_at IS NULL AND live.kind = 'trivia'
   AND (live.club_id IS NULL OR live.club_id = $1)
 ORDER BY wanted.place
"""
IS_FROZEN = """
SELECT EXISTS (SELECT FROM trivia_set WHERE day = $1 AND ($2::uuid IS NULL OR club_id = $2))
"""
READ_SCHEDULE = """
SELECT question_ids FROM trivia_schedule WHERE day = $1 AND club_id IS NOT DISTINCT FROM $2::uuid
"""


@dataclass(frozen=True)
class ScheduleEntry:
    """The questions scheduled for a day, for a club or for all."""

    id: UUID
    day: date
    club_id: UUID | None
    club: str | None
    question_ids: list[UUID]
    frozen: bool


SCHEDULES = """
SELECT s.id, s.day, s.club_id, c.name AS club, s.question_ids,
       EXISTS (SELECT FROM trivia_set f
                WHERE f.day = s.day AND (s.club_id IS NULL OR f.club_id = s.club_id)) AS frozen
  FROM trivia_schedule s LEFT JOIN club c ON c.id = s.club_id
 WHERE s.day BETWEEN $1 AND $2 AND {older}
 ORDER BY s.day DESC, s.id DESC LIMIT $3
"""
LIST_SCHEDULE = Query(
    SCHEDULES.format(older="true"),
    ScheduleEntry,
)
LIST_OLDER_SCHEDULE = Query(
    SCHEDULES.format(older="(s.day, s.id) < (SELECT day, id FROM trivia_schedule WHERE id = $4)"),
    ScheduleEntry,
)
NAME_QUESTIONS = Query(
    """
SELECT q.id, q.slug, q.question,
       NOT EXISTS (SELECT FROM question live
                    WHERE live.slug = q.slug AND live.retired_at IS NULL
                      AND live.kind = 'trivia') AS retired
  FROM question q WHERE q.id = ANY ($1::uuid[])
""",
    ScheduledQuestion,
)
DELETE_SCHEDULE = """
DELETE FROM trivia_schedule WHERE day = $1 AND club_id IS NOT DISTINCT FROM $2::uuid
"""
COUNT_FITTING = """
SELECT count(*) FROM question
 WHERE id = ANY ($1::uuid[]) AND kind = 'trivia' AND retired_at IS NULL
   AND (club_id IS NULL OR club_id = $2)
"""


async def read_set(runner: Runner, club_id: UUID, day: date) -> list[UUID]:
    """Return the frozen questions of a club's day in order; empty before they are frozen."""
    statement = select(TriviaSet.question_ids).where(
        TriviaSet.club_id == club_id, TriviaSet.day == day
    )
    found: list[UUID] | None = await runner.fetch_value(statement)
    return found or []


async def list_candidates(tx: Transaction, club_id: UUID, day: date) -> Sequence[Candidate]:
    """Return the questions a club can be asked on a day, with when each was last asked."""
    return await tx.fetch_rows(LIST_CANDIDATES, club_id, day)


async def insert_set(tx: Transaction, club_id: UUID, day: date, questions: list[UUID]) -> None:
    """Freeze a day's questions; one of several concurrent calls does, the others wait for it."""
    statement = insert(TriviaSet).values(club_id=club_id, day=day, question_ids=questions)
    await tx.execute(statement.on_conflict_do_nothing())


async def count_askable(database: Database, club_id: UUID, limit: int) -> int:
    return int(await database.fetch_value(COUNT_ASKABLE, club_id, limit))


async def lock_schedule(tx: Transaction, day: date, *, shared: bool) -> None:
    """Lock a day's schedule; writers lock it exclusively, the draw of a set ``shared``."""
    await tx.execute(SHARE_DAY if shared else LOCK_DAY, AdvisoryLock.QUEST_DAY, day.toordinal())


async def list_scheduled(tx: Runner, club_id: UUID, day: date) -> list[UUID]:
    """Return the questions scheduled for a club's day, in order; empty means a random draw."""
    return await tx.fetch_column(LIST_SCHEDULED, club_id, day)


async def is_frozen(runner: Runner, day: date, club_id: UUID | None) -> bool:
    """Return whether a club's questions of a day were drawn; without a club, any club's."""
    return bool(await runner.fetch_value(IS_FROZEN, day, club_id))


async def read_schedule(runner: Runner, day: date, club_id: UUID | None) -> list[UUID]:
    """Return the questions scheduled for a club, or for all clubs; may be empty."""
    found: list[UUID] | None = await runner.fetch_value(READ_SCHEDULE, day, club_id)
    return found or []


async def list_schedule(
    database: Database, first: date, last: date, before: UUID | None, limit: int
) -> Sequence[ScheduleEntry]:
    """Return the schedule of some days, the latest first."""
    if before is None:
        return await database.fetch_rows(LIST_SCHEDULE, first, last, limit)
    return await database.fetch_rows(LIST_OLDER_SCHEDULE, first, last, limit, before)


async def list_names(runner: Runner, ids: Sequence[UUID]) -> Sequence[ScheduledQuestion]:
    """Return the slugs and texts of questions, unordered."""
    return await runner.fetch_rows(NAME_QUESTIONS, list(ids))


async def replace_schedule(
    tx: Transaction, schedule_id: UUID, day: date, club_id: UUID | None, questions: list[UUID]
) -> None:
    """Replace the schedule of a day; no questions means a random draw."""
    await tx.execute(DELETE_SCHEDULE, day, club_id)
    if questions:
        statement = insert(TriviaSchedule).values(
            id=schedule_id, day=day, club_id=club_id, question_ids=questions
        )
        await tx.execute(statement)


async def count_fitting(tx: Transaction, ids: Sequence[UUID], club_id: UUID | None) -> int:
    """Count which of these questions a club's quest may ask; without a club, every club's."""
    return int(await tx.fetch_value(COUNT_FITTING, list(ids), club_id))
