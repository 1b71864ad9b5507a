from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from uuid import UUID

from sqlalchemy import update
from sqlalchemy.dialects.postgresql import insert

from api.foundation.database.database import Database, Transaction
from api.foundation.database.days import Day
from api.foundation.database.statements import Query
from api.games.trivia.models import TriviaAttempt


@dataclass(frozen=True)
class QuestAttempt:
    """A member's attempt of a day; its result is None until it is submitted."""

    id: UUID
    club_id: UUID
    day: date
    shown: list[dict[str, Any]]
    submitted_at: datetime | None
    choices: dict[str, str] | None
    correct: int | None
    points: int | None


ATTEMPT = """
SELECT id, club_id, day, shown, submitted_at, choices, correct, points FROM trivia_attempt
"""
READ_ATTEMPT = Query(
    ATTEMPT + " WHERE user_id = $1 AND day = $2",
    QuestAttempt,
)
READ_ATTEMPT_BY_ID = Query(
    ATTEMPT + " WHERE id = $1",
    QuestAttempt,
)
LIST_OPEN_ATTEMPTS = Query(
    ATTEMPT + " WHERE user_id = $1 AND day BETWEEN $2 AND $3",
    QuestAttempt,
)
LOCK_ATTEMPT = Query(
    ATTEMPT + " WHERE id = $1 FOR UPDATE",
    QuestAttempt,
)


@dataclass(frozen=True)
class QuestQuestion:
    """A question as members may see it, without the right option."""

    id: UUID
    question: str
    options: list[str]


@dataclass(frozen=True)
class QuestAnswer(QuestQuestion):
    right_option: int
    explanation: str


# Columns that a member may see; excludes the right option.
LIST_QUESTIONS = Query(
    "SELECT id, question, options FROM question WHERE id = ANY ($1::uuid[])",
    QuestQuestion,
)
LIST_ANSWERS = Query(
    """
SELECT id, question, options, right_option, explanation
  FROM question WHERE id = ANY ($1::uuid[])
""",
    QuestAnswer,
)
WAS_SHOWN_BEFORE = """
SELECT EXISTS (
  SELECT FROM trivia_attempt a
   WHERE a.user_id = $1 AND a.day < $2
     AND (SELECT count(*) FROM jsonb_array_elements(a.shown) AS item
           WHERE item ->> 'question' = ANY ($3::text[])) = cardinality($3::text[]))
"""


@dataclass(frozen=True)
class QuestDay:
    """A member's attempt of a day; ``questions`` is None before the day's set is drawn."""

    is_submitted: bool
    points: int | None
    correct: int | None
    questions: int | None


READ_TODAY = Query(
    """
SELECT a.submitted_at IS NOT NULL AS is_submitted, a.points, a.correct,
       coalesce(jsonb_array_length(a.shown), cardinality(s.question_ids)) AS questions
  FROM (SELECT $1::uuid AS user_id, $2::uuid AS club_id, $3::date AS day) asked
  LEFT JOIN trivia_attempt a ON a.user_id = asked.user_id AND a.day = asked.day
  LEFT JOIN trivia_set s ON s.club_id = asked.club_id AND s.day = asked.day
""",
    QuestDay,
)
COUNT_DAY = """
SELECT coalesce(array_agg(user_id), '{}') AS members FROM trivia_attempt
 WHERE id >= $1 AND id < $2 AND day = $3 AND submitted_at IS NOT NULL
"""


@dataclass(frozen=True)
class NewAttempt:
    id: UUID
    user_id: UUID
    club_id: UUID
    day: date
    shown: list[dict[str, Any]]
    issued_at: datetime


async def read_attempt(database: Database, user_id: UUID, day: date) -> QuestAttempt | None:
    return await database.fetch_row(READ_ATTEMPT, user_id, day)


async def read_attempt_by_id(tx: Transaction, attempt_id: UUID) -> QuestAttempt:
    row = await tx.fetch_row(READ_ATTEMPT_BY_ID, attempt_id)
    assert row is not None  # noqa: S101 the caller knows it
    return row


async def list_open_attempts(
    tx: Transaction, user_id: UUID, oldest: date, today: date
) -> Sequence[QuestAttempt]:
    """Return a member's attempts of these days, submitted or not."""
    return await tx.fetch_rows(LIST_OPEN_ATTEMPTS, user_id, oldest, today)


async def lock_attempt(tx: Transaction, attempt_id: UUID) -> QuestAttempt:
    row = await tx.fetch_row(LOCK_ATTEMPT, attempt_id)
    assert row is not None  # noqa: S101 the caller knows it
    return row


async def insert_attempt(tx: Transaction, attempt: NewAttempt) -> None:
    """Insert an attempt; an existing one of the same day is unchanged."""
    statement = insert(TriviaAttempt).values(**vars(attempt)).on_conflict_do_nothing()
    await tx.execute(statement)


async def change_submitted(
    tx: Transaction,
    attempt_id: UUID,
    choices: dict[str, str],
    *,
    correct: int,
    points: int,
    now: datetime,
) -> None:
    statement = update(TriviaAttempt).where(TriviaAttempt.id == attempt_id)
    await tx.execute(
        statement.values(submitted_at=now, choices=choices, correct=correct, points=points)
    )


async def was_shown_before(
    tx: Transaction, user_id: UUID, oldest: date, questions: Sequence[str]
) -> bool:
    """Return whether one attempt before ``oldest`` was shown all these questions."""
    return bool(await tx.fetch_value(WAS_SHOWN_BEFORE, user_id, oldest, list(questions)))


async def list_questions(database: Database, ids: Sequence[UUID]) -> dict[UUID, QuestQuestion]:
    """Return questions and their options by id, without the right one."""
    return {row.id: row for row in await database.fetch_rows(LIST_QUESTIONS, ids)}


async def list_answers(tx: Transaction, ids: Sequence[UUID]) -> dict[UUID, QuestAnswer]:
    return {row.id: row for row in await tx.fetch_rows(LIST_ANSWERS, list(ids))}


async def read_today(database: Database, user_id: UUID, club_id: UUID, day: date) -> QuestDay:
    row = await database.fetch_row(READ_TODAY, user_id, club_id, day)
    assert row is not None  # noqa: S101 outer joins of one row
    return row


async def list_who_submitted(database: Database, day: Day) -> list[UUID]:
    found: list[UUID] = await database.fetch_value(COUNT_DAY, day.first_id, day.end_id, day.day)
    return found
