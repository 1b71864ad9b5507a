"""SQL of the Battle Zone. A database function ends the questions."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import cast
from uuid import UUID

from api.foundation.database.database import Database, Runner, Transaction
from api.foundation.database.days import Day, DayActivity
from api.foundation.database.statements import Query
from api.games.battle.rules.outcomes import DrawnQuestion, JudgedAnswer
from api.games.battle.rules.situation import Draw, GivenAnswer, PlayerSocket, Situation

LOCK_SEAT = "SELECT user_id FROM battle_seat WHERE user_id = $1 AND sid = $2 FOR NO KEY UPDATE"
INSERT_SEAT = """
INSERT INTO battle_seat (user_id, sid, visit_from) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING
"""
TAKE_SEAT = """
UPDATE battle_seat s
   SET sid = $2, visit_from = CASE WHEN $4 THEN s.visit_from ELSE greatest(s.visit_from, $3) END
  FROM (SELECT user_id, sid FROM battle_seat WHERE user_id = $1 FOR NO KEY UPDATE) before
 WHERE s.user_id = before.user_id
RETURNING before.sid
"""


COUNT_DAY = Query(
    """
SELECT count(*) AS count, coalesce(array_agg(DISTINCT user_id), '{}') AS members
  FROM battle_attempt
 WHERE id >= $1 AND id < $2 AND day = $3 AND outcome IN ('right', 'wrong')
""",
    DayActivity,
)
BEGIN_VISIT = "UPDATE battle_seat SET visit_from = $2 WHERE user_id = $1"
LADDER = """
LEFT JOIN LATERAL (
  SELECT array_agg(r.rank ORDER BY r.threshold_point) AS ranks,
         array_agg(r.threshold_point ORDER BY r.threshold_point) AS thresholds,
         array_agg(r.starts_at ORDER BY r.threshold_point) AS opens,
         array_agg(r.ends_at ORDER BY r.threshold_point) AS closes
    FROM battle_rank r WHERE r.season_id = s.id) ladder ON true
"""
# The season is the open one, else the next; the attempt is the running one, else the last that
# ended in this visit.
READ_SITUATION = Query(
    f"""
SELECT coalesce((SELECT battle_zone FROM plan WHERE id = current_plan_id($1, $2)), false)
         AS allows_battle,
       s.id AS season_id, s.starts_at, s.ends_at, s.question_time_limit, s.questions_per_day,
       m.badge, coalesce(m.points, 0) AS points, coalesce(m.answered, 0) AS cnt,
       coalesce(m.answered_correctly, 0) AS answered_correctly, today.*, ladder.*, attempt.*
  FROM (SELECT count(*) AS served, coalesce(sum(points), 0)::int AS today_points,
               count(*) FILTER (WHERE outcome <> 'timeout') AS today_cnt,
               count(*) FILTER (WHERE outcome = 'right') AS today_answered_correctly
          FROM battle_attempt WHERE user_id = $1 AND day = $3) today
  LEFT JOIN (SELECT * FROM season WHERE ends_at > $2 ORDER BY starts_at LIMIT 1) s ON true
  LEFT JOIN member_season m ON m.user_id = $1 AND m.season_id = s.id
  LEFT JOIN LATERAL (
    SELECT a.question_id, a.outcome, a.deadline_at, a.shown, a.n AS number, a.rank, q.question,
           q.options, played.question_time_limit AS time_limit, played.questions_per_day AS total
      FROM battle_attempt a
      JOIN battle_seat seat ON seat.user_id = a.user_id
      JOIN question q ON q.id = a.question_id
      JOIN season played ON played.id = a.season_id
     WHERE a.user_id = $1 AND (a.outcome IS NULL OR a.closed_at >= seat.visit_from)
     ORDER BY a.outcome IS NOT NULL, a.day DESC, a.n DESC LIMIT 1) attempt ON true
{LADDER}""",  # noqa: S608 constants only
    Situation,
)
# Draws by the questions' random sort key: the next one that fits is read from an index, however
# large the bank.
SERVE = Query(
    """
WITH met AS (
  SELECT coalesce(array_agg(question_id), '{}') AS ids
    FROM battle_attempt WHERE user_id = $2 AND day > $13
), drawn AS (
  SELECT one.*
    FROM met, unnest($11::smallint[]) WITH ORDINALITY AS wanted (difficulty, turn)
   CROSS JOIN LATERAL (
     (SELECT 1 AS half, q.id, q.question, q.options FROM question q
       WHERE q.kind = 'battle' AND q.retired_at IS NULL AND q.difficulty = wanted.difficulty
         AND q.lot >= $12 AND (q.club_id IS NULL OR q.club_id = $3) AND q.id <> ALL (met.ids)
       ORDER BY q.lot LIMIT 1)
     UNION ALL
     (SELECT 2, q.id, q.question, q.options FROM question q
       WHERE q.kind = 'battle' AND q.retired_at IS NULL AND q.difficulty = wanted.difficulty
         AND q.lot < $12 AND (q.club_id IS NULL OR q.club_id = $3) AND q.id <> ALL (met.ids)
       ORDER BY q.lot LIMIT 1)) one
   ORDER BY wanted.turn, one.half LIMIT 1
), served AS (
  INSERT INTO battle_attempt (id, user_id, club_id, season_id, day, n, question_id, rank, shown,
                              opened_at, deadline_at)
  SELECT $1, $2, $3, $4, $5, $6, id, $7, $8, $9, $10 FROM drawn
)
SELECT id AS question_id, question, options FROM drawn
""",
    DrawnQuestion,
)
ANSWER_ALL = Query(
    f"""
SELECT e.refusal, e.fresh, (e.attempt).user_id, (e.attempt).question_id, (e.attempt).outcome,
       (e.attempt).day,
       (e.attempt).points AS points_awarded, (e.attempt).answer, (e.attempt).shown,
       (e.attempt).n AS number, (e.attempt).promoted_to, (e.asked).right_option,
       (e.asked).explanation, (e.standing).points, (e.standing).battle_points,
       (e.standing).badge, s.questions_per_day AS total, ladder.*
  FROM answer_battle_questions($1, $2, $3, $4, $5, $6, $7) e
  LEFT JOIN season s ON s.id = (e.attempt).season_id
{LADDER} ORDER BY e.place""",  # noqa: S608 constants only
    JudgedAnswer,
)
HAS_QUESTION = """
SELECT EXISTS (
  SELECT FROM question q
   WHERE q.kind = 'battle' AND q.retired_at IS NULL AND (q.club_id = $2 OR q.club_id IS NULL)
     AND q.id <> ALL (ARRAY(
       SELECT question_id FROM battle_attempt WHERE user_id = $1 AND day > $3)))
"""
# Restarts the time when the client first reports that the question is shown, once.
START_TIMER = """
UPDATE battle_attempt a
   SET deadline_at = $4 + (a.deadline_at - a.opened_at), anchored = true
 WHERE a.user_id = $1 AND a.outcome IS NULL AND a.question_id = $3
   AND NOT a.anchored AND a.opened_at BETWEEN $5 AND $4
   AND EXISTS (SELECT FROM battle_seat s WHERE s.user_id = $1 AND s.sid = $2)
RETURNING a.deadline_at
"""


@dataclass(frozen=True)
class OverdueAttempt:
    user_id: UUID
    club_id: UUID
    sid: str
    question_id: UUID


# Skips members in the middle of a step.
LOCK_OVERDUE = Query(
    """
SELECT a.user_id, a.club_id, seat.sid, a.question_id
  FROM battle_attempt a JOIN battle_seat seat ON seat.user_id = a.user_id
 WHERE a.outcome IS NULL AND a.deadline_at < $2
   AND ($1::uuid[] IS NULL OR a.user_id = ANY ($1))
 ORDER BY a.deadline_at LIMIT $3 FOR NO KEY UPDATE OF seat SKIP LOCKED
""",
    OverdueAttempt,
)


@dataclass(frozen=True)
class ServedToday:
    served: int
    is_running: bool


READ_TODAY = Query(
    """
SELECT (SELECT count(*)::int FROM battle_attempt WHERE user_id = $1 AND day = $2) AS served,
       EXISTS (SELECT FROM battle_attempt
                WHERE user_id = $1 AND outcome IS NULL AND deadline_at >= $3) AS is_running
""",
    ServedToday,
)


async def read_today(
    database: Database, user_id: UUID, day: date, not_before: datetime
) -> ServedToday:
    """Return how many questions a member was served on a day, and whether one runs.

    A question runs if its deadline is not before ``not_before``.
    """
    row = await database.fetch_row(READ_TODAY, user_id, day, not_before)
    if row is None:
        raise RuntimeError("a day returned no row")
    return row


async def lock_seat(tx: Transaction, seat: PlayerSocket) -> bool:
    """Lock the seat until commit; return False if another socket has it."""
    return await tx.fetch_value(LOCK_SEAT, seat.user_id, seat.sid) is not None


async def take_seat(tx: Transaction, seat: PlayerSocket, now: datetime, *, resume: bool) -> str:
    """Acquire and lock the seat for a socket; return the socket that had it, maybe the same.

    A visit begins unless a socket resumes.
    """
    taking = (seat.user_id, seat.sid, now, resume)
    previous = await tx.fetch_value(TAKE_SEAT, *taking)
    if previous is None:  # the member's first visit
        await tx.execute(INSERT_SEAT, seat.user_id, seat.sid, now)
        previous = await tx.fetch_value(TAKE_SEAT, *taking)
    return cast("str", previous)


async def change_visit(tx: Transaction, user_id: UUID, begins_at: datetime) -> None:
    await tx.execute(BEGIN_VISIT, user_id, begins_at)


async def read_situation(tx: Runner, user_id: UUID, day: date, now: datetime) -> Situation:
    row = await tx.fetch_row(READ_SITUATION, user_id, now, day)
    assert row is not None  # noqa: S101 the day's count has a row
    return row


async def has_question(database: Database, user_id: UUID, club_id: UUID, not_since: date) -> bool:
    """Return whether the bank has a question the member did not meet after ``not_since``."""
    return bool(await database.fetch_value(HAS_QUESTION, user_id, club_id, not_since))


async def insert_attempt(tx: Transaction, seat: PlayerSocket, new: Draw) -> DrawnQuestion | None:
    """Draw a question and serve it; return its id, text and options, or None."""
    return await tx.fetch_row(
        SERVE,
        new.id,
        seat.user_id,
        seat.club_id,
        new.season_id,
        new.day,
        new.number,
        new.rank,
        new.shown,
        new.opened_at,
        new.deadline_at,
        new.difficulties,
        new.chance,
        new.not_since,
    )


async def answer_all(
    runner: Runner, answers: Sequence[GivenAnswer], grace: timedelta
) -> Sequence[JudgedAnswer]:
    """Judge a batch of answers in one statement; return a row for each, in order."""
    return await runner.fetch_rows(
        ANSWER_ALL,
        [one.seat.user_id for one in answers],
        [one.seat.sid for one in answers],
        [one.question_id for one in answers],
        [one.option for one in answers],
        [one.entry_id for one in answers],
        [one.received_at for one in answers],
        grace,
    )


async def start_timer(
    database: Database, seat: PlayerSocket, question_id: UUID, now: datetime, served_since: datetime
) -> datetime | None:
    """Restart a question's time, once, unless it was served before; return the deadline."""
    found = await database.fetch_value(
        START_TIMER, seat.user_id, seat.sid, question_id, now, served_since
    )
    return cast("datetime | None", found)


async def lock_overdue(
    tx: Transaction, user_ids: Sequence[UUID] | None, before: datetime, limit: int
) -> Sequence[OverdueAttempt]:
    """Lock the seats of these members, or any, with an earlier deadline; return what runs."""
    return await tx.fetch_rows(LOCK_OVERDUE, user_ids, before, limit)


async def count_day(database: Database, day: Day) -> DayActivity:
    row = await database.fetch_row(COUNT_DAY, day.first_id, day.end_id, day.day)
    assert row is not None  # noqa: S101 a count has a row
    return row
