"""SQL of the Battle Zone: every step is one function of the database."""

from collections.abc import Sequence
from datetime import date, datetime
from uuid import UUID

from api.battle.rules import Draw, GivenAnswer, PlayerSocket, Step
from api.database.database import Database

ENTER = "SELECT enter_battle($1, $2, $3, $4, $5, $6, $7, $8, $9) AS step"
NEXT = "SELECT next_battle_question($1, $2, $3, $4, $5, $6, $7, $8) AS step"
ANSWER_ALL = "SELECT place, step FROM answer_battle_questions($1, $2, $3, $4, $5, $6)"
START_TIMER = "SELECT start_battle_timer($1, $2, $3, $4) AS deadline_ms"
END_OVERDUE = "SELECT end_overdue_battles($1, $2, $3) AS step"
READ_TODAY = """
SELECT (SELECT count(*)::int FROM battle_attempt WHERE user_id = $1 AND day = $2) AS served,
       EXISTS (SELECT FROM battle_attempt
                WHERE user_id = $1 AND outcome IS NULL AND deadline_at >= $3) AS is_running
"""


async def read_today(
    database: Database, user_id: UUID, day: date, not_before: datetime
) -> tuple[int, bool]:
    """Return how many questions a member was served on a day, and whether one runs.

    A question runs whose deadline is not before ``not_before``.
    """
    row = await database.fetch_row(READ_TODAY, user_id, day, not_before)
    if row is None:
        raise RuntimeError("a day returned no row")
    return row["served"], row["is_running"]


async def enter(database: Database, seat: PlayerSocket, draw: Draw, *, resume: bool) -> Step:
    """Take the seat and go on; the step tells who had the seat before."""
    return await _step(
        database,
        ENTER,
        seat.user_id,
        seat.club_id,
        seat.sid,
        resume,
        draw.attempt_id,
        draw.shown,
        draw.entry_id,
        draw.day,
        draw.now,
    )


async def go_on(database: Database, seat: PlayerSocket, draw: Draw) -> Step:
    """Serve the next question, or whatever is in its way."""
    return await _step(
        database,
        NEXT,
        seat.user_id,
        seat.club_id,
        seat.sid,
        draw.attempt_id,
        draw.shown,
        draw.entry_id,
        draw.day,
        draw.now,
    )


async def answer_all(database: Database, answers: Sequence[GivenAnswer]) -> list[Step]:
    """Judge answers that came together, in one transaction; return a step for each."""
    rows = await database.fetch_rows(
        ANSWER_ALL,
        [one.seat.user_id for one in answers],
        [one.seat.sid for one in answers],
        [one.question_id for one in answers],
        [one.option for one in answers],
        [one.entry_id for one in answers],
        [one.received_at for one in answers],
    )
    steps = {row["place"]: row["step"] for row in rows}
    return [steps[place] for place in range(1, len(answers) + 1)]


async def start_timer(
    database: Database, seat: PlayerSocket, question_id: UUID, now: datetime
) -> int | None:
    """Start a question's time anew, once; return the deadline in epoch milliseconds, or None."""
    row = await database.fetch_row(START_TIMER, seat.user_id, seat.sid, question_id, now)
    deadline_ms: int | None = None if row is None else row["deadline_ms"]
    return deadline_ms


async def end_overdue(
    database: Database, user_ids: Sequence[UUID] | None, now: datetime, most: int
) -> list[Step]:
    """End attempts whose time ran out, of these members or of anybody; return their results."""
    rows = await database.fetch_rows(END_OVERDUE, user_ids, now, most)
    return [row["step"] for row in rows]


async def _step(database: Database, query: str, *arguments: object) -> Step:
    row = await database.fetch_row(query, *arguments)
    if row is None:
        raise RuntimeError("a step returned no row")
    step: Step = row["step"]
    return step
