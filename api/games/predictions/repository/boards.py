from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from api.foundation.database.database import Database, Runner
from api.foundation.database.statements import Query
from api.games.predictions.repository.scoring import MatchRound

# The last decided round, by the latest matches of the member's club, home and away; of any club if
# those have no result.
READ_LAST_ROUND = Query(
    """
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
""",
    MatchRound,
)
MAX_RECENT = 20


@dataclass(frozen=True)
class PredictionTotalRow:
    user_id: UUID
    points: int
    exact: int
    results: int
    first_name: str
    last_name: str
    avatar: str | None


BOARD = """
SELECT t.user_id, t.points, t.exact, t.results, u.first_name, u.last_name, u.avatar
  FROM (SELECT * FROM prediction_total WHERE board = $1 AND points > 0 AND {whose}
         ORDER BY points DESC, exact DESC, user_id OFFSET $3 LIMIT $4) t
  JOIN user_account u ON u.id = t.user_id ORDER BY t.points DESC, t.exact DESC, t.user_id
"""
READ_TOTAL = Query(
    """
SELECT t.user_id, t.points, t.exact, t.results, u.first_name, u.last_name, u.avatar
  FROM prediction_total t JOIN user_account u ON u.id = t.user_id
 WHERE t.board = $1 AND t.user_id = $2 AND t.points > 0 AND ($3::uuid IS NULL OR t.club_id = $3)
""",
    PredictionTotalRow,
)
COUNT_BETTER = """
SELECT count(*)::int FROM prediction_total
 WHERE board = $1 AND {whose} AND (points, exact) > ($3, $4)
"""
OF_ALL_CLUBS, OF_CLUB = "$2::uuid IS NULL", "club_id = $2"
LIST_BOARD = Query(BOARD.format(whose=OF_ALL_CLUBS), PredictionTotalRow)
LIST_CLUB_BOARD = Query(BOARD.format(whose=OF_CLUB), PredictionTotalRow)


@dataclass(frozen=True)
class BoardPage:
    """A page of a board; ``club_id`` None means all clubs."""

    board: str
    club_id: UUID | None
    offset: int = 0
    limit: int = 0


async def read_last_round(runner: Runner, club_id: UUID, now: datetime) -> MatchRound | None:
    """Return the last decided round and its competition, or None."""
    return await runner.fetch_row(READ_LAST_ROUND, club_id, now, MAX_RECENT)


async def list_board(database: Database, page: BoardPage) -> Sequence[PredictionTotalRow]:
    statement = LIST_BOARD if page.club_id is None else LIST_CLUB_BOARD
    return await database.fetch_rows(statement, page.board, page.club_id, page.offset, page.limit)


async def read_total(
    database: Database, page: BoardPage, user_id: UUID
) -> PredictionTotalRow | None:
    """Return a member's row of a board; None without points."""
    return await database.fetch_row(READ_TOTAL, page.board, user_id, page.club_id)


async def count_better(database: Database, page: BoardPage, row: PredictionTotalRow) -> int:
    """Count the rows ranked above a row of a board."""
    statement = COUNT_BETTER.format(whose=OF_ALL_CLUBS if page.club_id is None else OF_CLUB)
    return int(
        await database.fetch_value(statement, page.board, page.club_id, row.points, row.exact)
    )
