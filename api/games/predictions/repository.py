"""SQL of the predictor."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import insert

from api.foundation.database.database import Database, Runner, Transaction
from api.foundation.database.locks import AdvisoryLock
from api.foundation.database.statements import Row
from api.games.predictions.models import PredictionDecision

SAVE = """
INSERT INTO prediction (id, fixture_id, user_id, club_id, home, away, saved_at)
SELECT $1, $2, u.id, u.club_id, $4, $5, $6 FROM user_account u WHERE u.id = $3
ON CONFLICT (user_id, fixture_id) DO UPDATE
  SET home = excluded.home, away = excluded.away, saved_at = excluded.saved_at,
      club_id = excluded.club_id, outcome = 'pending', points = NULL
"""
REMOVE = "DELETE FROM prediction WHERE fixture_id = $1 AND user_id = $2"
READ_ROUND = "SELECT competition_id, round FROM fixture WHERE id = $1"
READ_NAME = """
SELECT coalesce(hc.name, h.name) || ' v ' || coalesce(ac.name, a.name)
  FROM fixture f
  JOIN team h ON h.id = f.home_id LEFT JOIN club hc ON hc.id = h.club_id
  JOIN team a ON a.id = f.away_id LEFT JOIN club ac ON ac.id = a.club_id
 WHERE f.id = $1
"""
LIST_DECISIONS = "SELECT * FROM prediction_decision WHERE fixture_id = $1 ORDER BY version"
# One batch of a match at a time.
LOCK_SETTLING = "SELECT pg_advisory_xact_lock(hashtextextended($1, $2))"
LIST_WAITING = """
SELECT user_id FROM prediction WHERE fixture_id = $1 AND settled_version < $2
 ORDER BY settled_version, user_id LIMIT $3
"""
# Locks members before predictions, in the same order as account deletion.
LOCK_MEMBERS = "SELECT hold_member(id) FROM unnest($1::uuid[]) AS id"
LOCK_PREDICTIONS = """
SELECT p.id, p.user_id, p.club_id, p.home, p.away, p.saved_at, p.outcome, p.points,
       is_off_boards(p.user_id) AS is_off_boards, earns_from_games(p.user_id) AS earns
  FROM prediction p WHERE p.fixture_id = $1 AND p.user_id = ANY ($2) AND p.settled_version < $3
 ORDER BY p.user_id FOR UPDATE OF p
"""
CHANGE_SETTLED = """
UPDATE prediction p SET outcome = s.outcome, points = s.points, settled_version = $4
  FROM unnest($1::uuid[], $2::text[], $3::int[]) AS s (id, outcome, points) WHERE p.id = s.id
"""
ADD_TOTALS = """
INSERT INTO prediction_total AS t (board, user_id, club_id, points, exact, results, settled_on)
SELECT board, one.* , $7 FROM unnest($1::uuid[], $2::uuid[], $3::int[], $4::int[], $5::int[]) AS one
 CROSS JOIN unnest($6::text[]) AS board ORDER BY one, board
ON CONFLICT (board, user_id) DO UPDATE
  SET points = t.points + excluded.points, exact = t.exact + excluded.exact,
      results = t.results + excluded.results, settled_on = excluded.settled_on
"""
COUNT_EXACT = """
SELECT user_id, count(*)::int AS exact FROM prediction
 WHERE user_id = ANY ($1) AND outcome = 'exact' GROUP BY user_id
"""
# Matches that were not finished need no prediction; scheduled ones do.
LIST_FULL_ROUND = """
WITH one_round AS (
  SELECT id, state FROM fixture WHERE competition_id = $1 AND round = $2
     AND state NOT IN ('abandoned', 'cancelled', 'awarded')
)
SELECT p.user_id FROM one_round r
  JOIN prediction p ON p.fixture_id = r.id AND p.points IS NOT NULL AND p.outcome <> 'void'
   AND ($3::uuid[] IS NULL OR p.user_id = ANY ($3))
 WHERE NOT EXISTS (SELECT FROM one_round WHERE state <> 'finished')
 GROUP BY p.user_id HAVING count(*) = (SELECT count(*) FROM one_round)
"""
# A match counts as started from its kick-off, unless postponed or cancelled.
HAS_STARTED = """f.kick_off_at <= $3 AND f.state NOT IN ('postponed', 'cancelled')"""
LIST_PREDICTED = f"""
SELECT f.id, p.home, p.away, p.points, p.outcome, {HAS_STARTED} AS has_begun,
       c.home AS crowd_home, c.draw AS crowd_draw, c.away AS crowd_away
  FROM fixture f
  LEFT JOIN prediction p ON p.fixture_id = f.id AND p.user_id = $1
  LEFT JOIN prediction_crowd c ON c.fixture_id = f.id AND c.kick_off_at = f.kick_off_at
 WHERE f.id = ANY ($2)
"""  # noqa: S608 constants only
# Includes predictions voided by an abandoned match, but not those saved too late.
COUNT_CROWD = """
SELECT f.id, f.kick_off_at, count(p.id) FILTER (WHERE p.home > p.away)::int AS home,
       count(p.id) FILTER (WHERE p.home = p.away)::int AS draw,
       count(p.id) FILTER (WHERE p.home < p.away)::int AS away
  FROM fixture f
  LEFT JOIN prediction p ON p.fixture_id = f.id AND p.saved_at < f.kick_off_at
   AND (p.outcome <> 'void' OR f.state IN ('abandoned', 'awarded'))
 WHERE f.id = ANY ($1) GROUP BY f.id
"""
KEEP_CROWD = """
INSERT INTO prediction_crowd (fixture_id, kick_off_at, home, draw, away)
SELECT * FROM unnest($1::uuid[], $2::timestamptz[], $3::int[], $4::int[], $5::int[])
ON CONFLICT DO NOTHING
"""
LIST_OPEN = """
SELECT f.id, p.home, p.away, p.points, p.outcome
  FROM fixture f LEFT JOIN prediction p ON p.fixture_id = f.id AND p.user_id = $1
 WHERE f.state = 'scheduled' AND f.kick_off_at > $2
   AND f.kick_off_at <= $2::timestamptz + $3::interval
   AND ($4::uuid IS NULL
        OR (f.kick_off_at, f.id) > (SELECT kick_off_at, id FROM fixture WHERE id = $4))
 ORDER BY f.kick_off_at, f.id LIMIT $5
"""
# The number of open matches the member has predicted, and those left.
COUNT_OPEN = """
SELECT count(p.fixture_id)::int AS predicted,
       (count(*) - count(p.fixture_id))::int AS left_open,
       min(f.kick_off_at) FILTER (WHERE p.fixture_id IS NULL) AS closes_at
  FROM fixture f LEFT JOIN prediction p ON p.fixture_id = f.id AND p.user_id = $1
 WHERE f.state = 'scheduled' AND f.kick_off_at > $2
   AND f.kick_off_at <= $2::timestamptz + $3::interval
"""
LIST_CLOSED = """
SELECT f.id, p.home, p.away, p.points, p.outcome
  FROM prediction p JOIN fixture f ON f.id = p.fixture_id
 WHERE p.user_id = $1
   AND NOT (f.state = 'scheduled' AND f.kick_off_at > $2
            AND f.kick_off_at <= $2::timestamptz + $3::interval)
   AND ($4::uuid IS NULL
        OR (f.kick_off_at, f.id) < (SELECT kick_off_at, id FROM fixture WHERE id = $4))
 ORDER BY f.kick_off_at DESC, f.id DESC LIMIT $5
"""
# The round decided last, by the latest matches of the member's club, home and away; of any club if
# those have no result.
READ_LAST_ROUND = """
WITH latest AS (
  SELECT f.id FROM team t CROSS JOIN LATERAL (
    (SELECT id FROM fixture WHERE home_id = t.id AND kick_off_at <= $2
      ORDER BY kick_off_at DESC LIMIT $3)
    UNION ALL
    (SELECT id FROM fixture WHERE away_id = t.id AND kick_off_at <= $2
      ORDER BY kick_off_at DESC LIMIT $3)) f
   WHERE t.club_id = $1
), own AS MATERIALIZED (
  SELECT d.competition_id, d.round FROM latest l CROSS JOIN LATERAL (
    SELECT * FROM prediction_decision WHERE fixture_id = l.id AND home_goals IS NOT NULL
     ORDER BY version DESC LIMIT 1) d
   ORDER BY d.decided_at DESC, d.fixture_id LIMIT 1
)
SELECT * FROM own
UNION ALL
(SELECT d.competition_id, d.round FROM prediction_decision d
  WHERE d.home_goals IS NOT NULL AND NOT EXISTS (SELECT FROM own)
  ORDER BY d.decided_at DESC, d.fixture_id LIMIT 1)
"""
MAX_RECENT = 20
BOARD = """
SELECT t.user_id, t.points, t.exact, t.results, u.first_name, u.last_name, u.avatar
  FROM (SELECT * FROM prediction_total WHERE board = $1 AND points > 0 AND {whose}
         ORDER BY points DESC, exact DESC, user_id OFFSET $3 LIMIT $4) t
  JOIN user_account u ON u.id = t.user_id ORDER BY t.points DESC, t.exact DESC, t.user_id
"""
READ_TOTAL = """
SELECT t.user_id, t.points, t.exact, t.results, u.first_name, u.last_name, u.avatar
  FROM prediction_total t JOIN user_account u ON u.id = t.user_id
 WHERE t.board = $1 AND t.user_id = $2 AND t.points > 0 AND ($3::uuid IS NULL OR t.club_id = $3)
"""
COUNT_BETTER = """
SELECT count(*)::int FROM prediction_total
 WHERE board = $1 AND {whose} AND (points, exact) > ($3, $4)
"""
WHOSE = {True: "$2::uuid IS NULL", False: "club_id = $2"}


@dataclass(frozen=True)
class BoardPage:
    """A page of a board; ``club_id`` None means all clubs."""

    board: str
    club_id: UUID | None
    offset: int = 0
    limit: int = 0


async def save(tx: Transaction, values: Sequence[Any]) -> None:
    """Save a prediction (its id, match, member, home, away, time); the match is locked."""
    await tx.execute(SAVE, *values)


async def remove(tx: Transaction, fixture_id: UUID, user_id: UUID) -> None:
    """Delete a prediction, if any; the match is locked."""
    await tx.execute(REMOVE, fixture_id, user_id)


async def read_name(runner: Runner, fixture_id: UUID) -> str:
    """Return the names of a match's teams as one text."""
    return str(await runner.fetch_value(READ_NAME, fixture_id))


async def read_round(database: Database, fixture_id: UUID) -> tuple[UUID, str | None]:
    """Return the competition and the round of a match."""
    row = await database.fetch_row(READ_ROUND, fixture_id)
    assert row is not None  # noqa: S101 matches are never deleted
    return row["competition_id"], row["round"]


async def insert_decision(tx: Transaction, values: Mapping[str, Any]) -> None:
    """Insert the decision of a match's version about its predictions."""
    await tx.execute(insert(PredictionDecision).values(**values))


async def list_decisions(tx: Transaction, fixture_id: UUID) -> Sequence[Row]:
    """Return the decisions about a match, in order."""
    return await tx.fetch_rows(LIST_DECISIONS, fixture_id)


async def lock_settling(tx: Transaction, fixture_id: UUID) -> None:
    """Lock the scoring of a match until commit."""
    await tx.execute(LOCK_SETTLING, str(fixture_id), AdvisoryLock.PREDICTIONS_OF_MATCH)


async def lock_waiting(
    tx: Transaction, fixture_id: UUID, version: int, limit: int
) -> tuple[int, Sequence[Row]]:
    """Return how many predictions wait for a version, up to ``limit``, and lock existing ones."""
    waiting = [
        row["user_id"] for row in await tx.fetch_rows(LIST_WAITING, fixture_id, version, limit)
    ]
    await lock_members(tx, waiting)
    return len(waiting), await tx.fetch_rows(LOCK_PREDICTIONS, fixture_id, waiting, version)


async def change_settled(
    tx: Transaction, version: int, settled: Sequence[tuple[UUID, str, int | None]]
) -> None:
    """Store results of predictions (id, outcome, points) by a version of their match."""
    ids, outcomes, points = ([one[place] for one in settled] for place in range(3))
    await tx.execute(CHANGE_SETTLED, ids, outcomes, points, version)


async def count_exact(tx: Transaction, user_ids: Sequence[UUID]) -> dict[UUID, int]:
    """Return the members' numbers of exact predictions; members without any are missing."""
    rows = await tx.fetch_rows(COUNT_EXACT, list(user_ids))
    return {row["user_id"]: row["exact"] for row in rows}


async def list_full_round(
    tx: Transaction, competition_id: UUID, round_name: str, user_ids: Sequence[UUID] | None
) -> list[UUID]:
    """Return which of these members, or of all, have predicted every match of a finished round."""
    among = None if user_ids is None else list(user_ids)
    rows = await tx.fetch_rows(LIST_FULL_ROUND, competition_id, round_name, among)
    return [row["user_id"] for row in rows]


async def lock_members(tx: Transaction, user_ids: Sequence[UUID]) -> None:
    """Lock members against account deletion until commit."""
    await tx.fetch_rows(LOCK_MEMBERS, sorted(user_ids))


async def add_totals(
    tx: Transaction,
    boards: Sequence[str],
    day: date,
    added: Sequence[tuple[UUID, UUID, int, int, int]],
) -> None:
    """Add to members' totals (member, club, points, exact, results) on some boards."""
    columns = ([one[place] for one in added] for place in range(5))
    await tx.execute(ADD_TOTALS, *columns, list(boards), day)


async def list_predicted(
    runner: Runner, user_id: UUID, fixture_ids: Sequence[UUID], now: datetime
) -> Sequence[Row]:
    """Return matches with the member's prediction, whether they began, and the stored counts."""
    return await runner.fetch_rows(LIST_PREDICTED, user_id, list(fixture_ids), now)


async def count_crowd(runner: Runner, fixture_ids: Sequence[UUID]) -> Sequence[Row]:
    """Return how many members predicted each winner of some matches."""
    return await runner.fetch_rows(COUNT_CROWD, list(fixture_ids))


async def store_crowd(runner: Runner, rows: Sequence[Row]) -> None:
    """Store the counts of matches that cannot be predicted any more."""
    names = ("id", "kick_off_at", "home", "draw", "away")
    await runner.execute(KEEP_CROWD, *([row[name] for row in rows] for name in names))


async def list_rows(
    database: Database,
    user_id: UUID,
    *,
    is_open: bool,
    now: datetime,
    ahead: timedelta,
    before: UUID | None,
    limit: int,
) -> Sequence[Row]:
    """Return open matches, the next kick-off first, or the member's others, the latest first."""
    statement = LIST_OPEN if is_open else LIST_CLOSED
    return await database.fetch_rows(statement, user_id, now, ahead, before, limit)


async def count_open(
    database: Database, user_id: UUID, now: datetime, ahead: timedelta
) -> Row | None:
    """Count the open matches: those the member has predicted, and those left."""
    return await database.fetch_row(COUNT_OPEN, user_id, now, ahead)


async def read_last_round(runner: Runner, club_id: UUID, now: datetime) -> Row | None:
    """Return the competition and the round that was decided last, or None."""
    return await runner.fetch_row(READ_LAST_ROUND, club_id, now, MAX_RECENT)


async def list_board(database: Database, page: BoardPage) -> Sequence[Row]:
    """Return a page of a board in its order."""
    statement = BOARD.format(whose=WHOSE[page.club_id is None])
    return await database.fetch_rows(statement, page.board, page.club_id, page.offset, page.limit)


async def read_total(database: Database, page: BoardPage, user_id: UUID) -> Row | None:
    """Return a member's row of a board; None without points."""
    return await database.fetch_row(READ_TOTAL, page.board, user_id, page.club_id)


async def count_better(database: Database, page: BoardPage, row: Row) -> int:
    """Count the rows ranked above a row of a board."""
    statement = COUNT_BETTER.format(whose=WHOSE[page.club_id is None])
    return int(
        await database.fetch_value(statement, page.board, page.club_id, row["points"], row["exact"])
    )
