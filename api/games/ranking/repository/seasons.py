from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast
from uuid import UUID

from sqlalchemy import delete, select
from sqlalchemy.dialects.postgresql import insert

from api.foundation.database.database import Database, Runner, Transaction
from api.foundation.database.statements import Query
from api.games.ranking.models import BattleRank, Season
from api.games.ranking.rules import LadderRank, SeasonDate, SeasonRules

SEASON = """
SELECT id, name, starts_at, ends_at, point_per_question, question_time_limit, questions_per_day
  FROM season
"""
# The season that is open, else the next one, else the last one.
READ_SHOWN_SEASON = Query(
    f"""{SEASON}
 ORDER BY ends_at <= $1, CASE WHEN ends_at > $1 THEN starts_at END, ends_at DESC LIMIT 1
""",
    SeasonRules,
)
# Boards and totals are those of the season that began last, until the next one begins.
READ_PLAYED_SEASON = Query(
    SEASON + " WHERE starts_at <= $1 ORDER BY starts_at DESC LIMIT 1",
    SeasonRules,
)
READ_SEASON_AT = "SELECT id FROM season WHERE starts_at <= $1 AND $1 < ends_at"


@dataclass(frozen=True)
class BattleRankRow:
    """A rank of a season; bounds of None are the season's."""

    rank: str
    threshold_point: int
    starts_at: datetime | None
    ends_at: datetime | None


LIST_RANKS = Query(
    """
SELECT rank, threshold_point, starts_at, ends_at
  FROM battle_rank WHERE season_id = $1 ORDER BY threshold_point
""",
    BattleRankRow,
)


@dataclass(frozen=True)
class SeasonLadder(SeasonRules):
    """A season with its ladder, lowest rank first."""

    version: int
    ranks: list[dict[str, Any]] | None


@dataclass(frozen=True)
class LockedSeason:
    id: UUID
    name: str
    starts_at: datetime
    ends_at: datetime
    version: int


LADDER = """
SELECT s.id, s.name, s.starts_at, s.ends_at, s.point_per_question, s.question_time_limit,
       s.questions_per_day, s.version,
       (SELECT jsonb_agg(jsonb_build_object(
                 'rank', r.rank, 'threshold_point', r.threshold_point,
                 'starts_at', r.starts_at, 'ends_at', r.ends_at) ORDER BY r.threshold_point)
          FROM battle_rank r WHERE r.season_id = s.id) AS ranks
  FROM season s
"""
LIST_SEASONS = Query(
    LADDER + " WHERE $1::uuid IS NULL OR s.id < $1 ORDER BY s.id DESC LIMIT $2",
    SeasonLadder,
)
READ_LADDER = Query(
    LADDER + " WHERE s.id = $1",
    SeasonLadder,
)
LIST_DATES = Query(
    """
SELECT 'begins' AS kind, id, name, starts_at AS at FROM season
 WHERE starts_at >= $1 AND starts_at < $2
UNION ALL
SELECT 'ends', id, name, ends_at FROM season WHERE ends_at >= $1 AND ends_at < $2
UNION ALL
SELECT 'rank_opens', s.id, r.rank, r.starts_at
  FROM battle_rank r JOIN season s ON s.id = r.season_id
 WHERE r.starts_at >= $1 AND r.starts_at < $2
 ORDER BY at LIMIT 500
""",
    SeasonDate,
)


async def read_shown_season(database: Database, now: datetime) -> SeasonRules | None:
    """Return the season to show: the open one, else the next, else the last."""
    return await database.fetch_row(READ_SHOWN_SEASON, now)


async def read_played_season(database: Database, now: datetime) -> SeasonRules | None:
    """Return the season that began last, open or over."""
    return await database.fetch_row(READ_PLAYED_SEASON, now)


async def read_season_at(runner: Runner, moment: datetime) -> UUID | None:
    return cast("UUID | None", await runner.fetch_value(READ_SEASON_AT, moment))


async def list_ranks(database: Database, season_id: UUID) -> Sequence[BattleRankRow]:
    """Return a season's ladder, lowest rank first."""
    return await database.fetch_rows(LIST_RANKS, season_id)


async def list_seasons(
    database: Database, before: UUID | None, limit: int
) -> Sequence[SeasonLadder]:
    """Return seasons with their ladders, newest first."""
    return await database.fetch_rows(LIST_SEASONS, before, limit)


async def read_season(tx: Transaction, season_id: UUID) -> SeasonLadder | None:
    return await tx.fetch_row(READ_LADDER, season_id)


async def list_dates(database: Database, since: datetime, until: datetime) -> Sequence[SeasonDate]:
    """Return the dates from ``since`` until before ``until``, in order."""
    return await database.fetch_rows(LIST_DATES, since, until)


async def lock_seasons(tx: Transaction) -> Sequence[LockedSeason]:
    """Lock all seasons against writes and return them, oldest first."""
    await tx.execute("LOCK TABLE season IN SHARE ROW EXCLUSIVE MODE")
    statement = select(
        Season.id, Season.name, Season.starts_at, Season.ends_at, Season.version
    ).order_by(Season.starts_at)
    return await tx.fetch_rows(Query(statement, LockedSeason))


async def list_thresholds(tx: Transaction, season_id: UUID) -> dict[str, int]:
    """Return a season's ranks and their thresholds."""
    statement = select(BattleRank.rank, BattleRank.threshold_point).where(
        BattleRank.season_id == season_id
    )
    ranks = await tx.fetch_rows(Query(statement, LadderRank))
    return {row.rank: row.threshold_point for row in ranks}


async def replace_season(
    tx: Transaction, season_id: UUID, values: dict[str, Any], ranks: list[dict[str, Any]]
) -> None:
    """Replace a season and its whole ladder."""
    await tx.execute(
        insert(Season)
        .values(id=season_id, **values)
        .on_conflict_do_update(
            index_elements=[Season.id], set_=values | {"version": Season.version + 1}
        )
    )
    await tx.execute(delete(BattleRank).where(BattleRank.season_id == season_id))
    ladder = [{"season_id": season_id, **rank} for rank in ranks]
    await tx.execute_many(insert(BattleRank), ladder)
