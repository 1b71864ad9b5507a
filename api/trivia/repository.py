"""SQL of the daily quest."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, cast
from uuid import UUID

from sqlalchemy import select, text, update
from sqlalchemy.dialects.postgresql import insert

from api.database.database import Database, Row, UnitOfWork
from api.trivia.models import TriviaAttempt, TriviaSet
from api.trivia.rules import Candidate

ATTEMPT = """
SELECT id, club_id, day, shown, submitted_at, choices, correct, points FROM trivia_attempt
"""
READ_ATTEMPT = ATTEMPT + " WHERE user_id = $1 AND day = $2"
READ_ATTEMPT_BY_ID = text(ATTEMPT + " WHERE id = :id")
LIST_OPEN_ATTEMPTS = text(ATTEMPT + " WHERE user_id = :user_id AND day BETWEEN :oldest AND :today")
LOCK_ATTEMPT = text(ATTEMPT + " WHERE id = :id FOR UPDATE")
# What a member is shown; the right option is not read.
LIST_QUESTIONS = "SELECT id, question, options FROM question WHERE id = ANY ($1::uuid[])"
LIST_ANSWERS = text("""
SELECT id, question, options, right_option, explanation
  FROM question WHERE id = ANY (cast(:ids AS uuid[]))
""")
LIST_CANDIDATES = text("""
SELECT q.id, q.difficulty, q.club_id IS NOT NULL AS is_own, asked.day AS asked_on
  FROM question q
  LEFT JOIN (SELECT question_id, max(s.day) AS day
               FROM trivia_set s CROSS JOIN LATERAL unnest(s.question_ids) AS question_id
              WHERE s.club_id = :club_id AND s.day < :day
              GROUP BY question_id) asked ON asked.question_id = q.id
 WHERE q.kind = 'trivia' AND q.retired_at IS NULL
   AND (q.club_id = :club_id OR q.club_id IS NULL)
""")
WAS_SHOWN_BEFORE = text("""
SELECT EXISTS (
  SELECT FROM trivia_attempt a
   WHERE a.user_id = :user_id AND a.day < :oldest
     AND (SELECT count(*) FROM jsonb_array_elements(a.shown) AS item
           WHERE item ->> 'question' = ANY (cast(:questions AS text[]))) = :number)
""")
LIST_DAYS = text("""
SELECT day FROM trivia_attempt
 WHERE user_id = :user_id AND day <= :today AND submitted_at IS NOT NULL
""")


@dataclass(frozen=True)
class NewAttempt:
    """A member's attempt of a day, with what is ``shown`` in which order."""

    id: UUID
    user_id: UUID
    club_id: UUID
    day: date
    shown: list[dict[str, Any]]
    issued_at: datetime


async def read_attempt(database: Database, user_id: UUID, day: date) -> Row | None:
    """Return a member's attempt of a day, or None."""
    return await database.fetch_row(READ_ATTEMPT, user_id, day)


async def read_attempt_by_id(unit: UnitOfWork, attempt_id: UUID) -> Row:
    """Return an attempt that is there."""
    found = await unit.connection.execute(READ_ATTEMPT_BY_ID, {"id": attempt_id})
    return cast("Row", found.mappings().one())


async def list_open_attempts(
    unit: UnitOfWork, user_id: UUID, oldest: date, today: date
) -> Sequence[Row]:
    """Return a member's attempts of these days, submitted or not."""
    values = {"user_id": user_id, "oldest": oldest, "today": today}
    found = await unit.connection.execute(LIST_OPEN_ATTEMPTS, values)
    return cast("Sequence[Row]", found.mappings().all())


async def lock_attempt(unit: UnitOfWork, attempt_id: UUID) -> Row:
    """Return an attempt as it is once nobody else decides it, and hold it."""
    found = await unit.connection.execute(LOCK_ATTEMPT, {"id": attempt_id})
    return cast("Row", found.mappings().one())


async def insert_attempt(unit: UnitOfWork, attempt: NewAttempt) -> None:
    """Insert an attempt; the one of that day which is there already stays."""
    statement = insert(TriviaAttempt).values(**vars(attempt)).on_conflict_do_nothing()
    await unit.connection.execute(statement)


async def change_submitted(
    unit: UnitOfWork,
    attempt_id: UUID,
    choices: dict[str, str],
    *,
    correct: int,
    points: int,
    now: datetime,
) -> None:
    """Write how an attempt was judged."""
    statement = update(TriviaAttempt).where(TriviaAttempt.id == attempt_id)
    await unit.connection.execute(
        statement.values(submitted_at=now, choices=choices, correct=correct, points=points)
    )


async def was_shown_before(
    unit: UnitOfWork, user_id: UUID, oldest: date, questions: Sequence[str]
) -> bool:
    """Say whether one attempt before ``oldest`` was shown all these questions."""
    values = {
        "user_id": user_id,
        "oldest": oldest,
        "questions": list(questions),
        "number": len(questions),
    }
    return bool((await unit.connection.execute(WAS_SHOWN_BEFORE, values)).scalar_one())


async def read_set(unit: UnitOfWork, club_id: UUID, day: date) -> list[UUID]:
    """Return the frozen questions of a club's day in their order; none before it is frozen."""
    statement = select(TriviaSet.question_ids).where(
        TriviaSet.club_id == club_id, TriviaSet.day == day
    )
    found: list[UUID] | None = (await unit.connection.execute(statement)).scalar_one_or_none()
    return found or []


async def list_candidates(unit: UnitOfWork, club_id: UUID, day: date) -> list[Candidate]:
    """Return what a club can be asked on a day, with when each was last asked before it."""
    rows = await unit.connection.execute(LIST_CANDIDATES, {"club_id": club_id, "day": day})
    return [Candidate(row.id, row.difficulty, row.is_own, row.asked_on) for row in rows]


async def insert_set(unit: UnitOfWork, club_id: UUID, day: date, questions: list[UUID]) -> None:
    """Freeze a day's questions; of calls at once one does, and the others wait for it."""
    statement = insert(TriviaSet).values(club_id=club_id, day=day, question_ids=questions)
    await unit.connection.execute(statement.on_conflict_do_nothing())


async def list_questions(database: Database, ids: Sequence[UUID]) -> dict[UUID, Row]:
    """Return questions and their options by id, without the right one."""
    return {row["id"]: row for row in await database.fetch_rows(LIST_QUESTIONS, ids)}


async def list_answers(unit: UnitOfWork, ids: Sequence[UUID]) -> dict[UUID, Row]:
    """Return questions with the right option and why, by id; a question never changes."""
    found = await unit.connection.execute(LIST_ANSWERS, {"ids": list(ids)})
    return {row["id"]: cast("Row", row) for row in found.mappings()}


async def list_submitted_days(unit: UnitOfWork, user_id: UUID, today: date) -> Sequence[date]:
    """Return the days up to ``today`` whose quest the member submitted."""
    values = {"user_id": user_id, "today": today}
    return (await unit.connection.execute(LIST_DAYS, values)).scalars().all()
