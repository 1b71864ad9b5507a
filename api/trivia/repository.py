"""SQL of the daily quest. Opening and submitting are one statement each, see their migration."""

import json
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from uuid import UUID

from api.database.database import Database, Row

OPEN = "SELECT open_trivia($1, $2, $3, $4, $5, $6) AS quest"
SUBMIT = "SELECT submit_trivia($1, $2, $3, $4, $5::text::jsonb, $6, $7, $8, $9) AS answer"
READ_ATTEMPT = """
SELECT trivia_streak($1, $2) AS streak, a.points, a.correct,
       jsonb_array_length(a.shown) AS total, trivia_review(a.shown, a.choices) AS review
  FROM (SELECT) always
  LEFT JOIN trivia_attempt a ON a.user_id = $1 AND a.day = $2 AND a.submitted_at IS NOT NULL
"""


@dataclass(frozen=True)
class NewAttempt:
    """A wish to see the day's questions; ``size`` is how many a fresh set has."""

    id: UUID
    user_id: UUID
    club_id: UUID
    day: date
    size: int
    now: datetime


@dataclass(frozen=True)
class Submission:
    """Answers to judge; ``oldest`` is the first day whose attempts are still taken."""

    entry_id: UUID
    user_id: UUID
    oldest: date
    today: date
    choices: dict[str, str | None]
    points_per_question: int
    now: datetime
    key: str | None
    fingerprint: str


async def open_trivia(database: Database, wish: NewAttempt) -> dict[str, Any]:
    """Freeze the set and begin the attempt unless done before; return ``{submitted, questions}``.

    ``questions`` are ``{id, question, options}``, the options in this member's order; none when
    the attempt was submitted or there is nothing to ask.
    """
    row = await database.fetch_row(
        OPEN, wish.id, wish.user_id, wish.club_id, wish.day, wish.size, wish.now
    )
    if row is None:
        raise RuntimeError("open_trivia returned no row")
    quest: dict[str, Any] = row["quest"]
    return quest


async def read_attempt(database: Database, user_id: UUID, day: date) -> Row:
    """Return the streak and, once it was submitted, the outcome and review of a day's attempt."""
    row = await database.fetch_row(READ_ATTEMPT, user_id, day)
    if row is None:
        raise RuntimeError("the attempt's query returned no row")
    return row


async def submit_trivia(database: Database, submission: Submission) -> dict[str, Any]:
    """Judge an attempt and award its points, or nothing of it.

    Returns ``{points, correct, total, streak, review, replayed}``.

    Raises:
        DatabaseRefusal: ``KF422`` key, ``KF441`` submitted before, ``KF442`` nothing to submit,
            ``KF443`` an answer to no question of the set.
    """
    row = await database.fetch_row(
        SUBMIT,
        submission.entry_id,
        submission.user_id,
        submission.oldest,
        submission.today,
        json.dumps(submission.choices),
        submission.points_per_question,
        submission.now,
        submission.key,
        submission.fingerprint,
    )
    if row is None:
        raise RuntimeError("submit_trivia returned no row")
    answer: dict[str, Any] = row["answer"]
    return answer
