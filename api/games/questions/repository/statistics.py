from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, cast
from uuid import UUID

import asyncpg
from sqlalchemy.dialects.postgresql import insert

from api.foundation.database.connections import CLOSE_SECONDS
from api.foundation.database.database import Database, Transaction
from api.foundation.database.locks import AdvisoryLock
from api.foundation.database.statements import Query, RowT
from api.games.questions.models import QuestionStatistic

COUNT_SECONDS = 1800.0  # timeout of the statement; it may read the attempts of three months
TAKE_TURN = "SELECT pg_try_advisory_xact_lock($1)"


@dataclass(frozen=True)
class ChoiceCount:
    """How often a rank chose an option of a question; None is no rank, or no option."""

    question_id: UUID
    rank: str | None
    option: int | None
    times: int


# $1 is the first id of the attempts that count. Options are the question's own, regardless of the
# key they were shown under; None means the question was left open, which counts as not known.
COUNT_BATTLE = Query(
    """
SELECT question_id, rank, shown[answer + 1]::int AS option, count(*)::int AS times
  FROM battle_attempt WHERE id >= $1 AND outcome IS NOT NULL GROUP BY 1, 2, 3
""",
    ChoiceCount,
)
COUNT_TRIVIA = Query(
    """
SELECT (item ->> 'question')::uuid AS question_id, NULL AS rank,
       (item -> 'order' ->> (strpos('ABCD', a.choices ->> (item ->> 'question')) - 1))::int
         AS option,
       count(*)::int AS times
  FROM trivia_attempt a CROSS JOIN LATERAL jsonb_array_elements(a.shown) AS item
 WHERE a.id >= $1 AND a.submitted_at IS NOT NULL GROUP BY 1, 3
""",
    ChoiceCount,
)


@dataclass(frozen=True)
class MedianTime:
    question_id: UUID
    median_ms: int


LIST_MEDIANS = Query(
    """
SELECT question_id, percentile_cont(0.5) WITHIN GROUP (ORDER BY elapsed_ms)::int AS median_ms
  FROM battle_attempt WHERE id >= $1 AND answer IS NOT NULL GROUP BY 1
""",
    MedianTime,
)


@dataclass(frozen=True)
class RightOption:
    id: UUID
    right_option: int


LIST_RIGHT_OPTIONS = Query(
    """
SELECT id, right_option FROM question WHERE id = ANY ($1::uuid[]) AND retired_at IS NULL
""",
    RightOption,
)
READ_LAST = "SELECT max(counted_at) FROM question_statistic"
DELETE_OTHERS = "DELETE FROM question_statistic WHERE counted_at <> $1"
COUNT_FLAGGED = "SELECT count(*) FROM question_statistic WHERE cardinality(flags) > 0"


@dataclass(frozen=True)
class QuestionCount:
    """The statistics of a question; ``median_ms`` is None without answers against the clock."""

    question_id: UUID
    asked: int
    right_count: int
    median_ms: int | None
    by_rank: list[dict[str, Any]]
    flags: list[str]
    counted_at: datetime


@dataclass(frozen=True)
class Answers:
    """How often each rank chose each option, and how fast; live questions only."""

    choices: Sequence[ChoiceCount]
    medians: dict[UUID, int]
    right_options: dict[UUID, int]


async def count_answers(database: Database, first_id: UUID) -> Answers:
    """Return the counts of all attempts from ``first_id`` on.

    Uses a session outside the pool: it may take minutes, too long to occupy a place in a lane.
    """
    connection = await database.connect_alone()
    try:
        await connection.execute(f"SET statement_timeout = {round(COUNT_SECONDS * 1000)}")
        async with connection.transaction(isolation="repeatable_read", readonly=True):
            battle = await _fetch(connection, COUNT_BATTLE, first_id)
            trivia = await _fetch(connection, COUNT_TRIVIA, first_id)
            medians = await _fetch(connection, LIST_MEDIANS, first_id)
            choices = [*battle, *trivia]
            ids = list({row.question_id for row in choices})
            right = await _fetch(connection, LIST_RIGHT_OPTIONS, ids)
    finally:
        await connection.close(timeout=CLOSE_SECONDS)
    return Answers(
        choices,
        {row.question_id: row.median_ms for row in medians},
        {row.id: row.right_option for row in right},
    )


async def _fetch(
    connection: asyncpg.Connection, query: Query[RowT], argument: object
) -> Sequence[RowT]:
    records = await connection.fetch(query.statement, argument, timeout=COUNT_SECONDS)
    return [query.read(record) for record in records]


async def try_lock_statistics(tx: Transaction) -> bool:
    """Return whether the lock on the statistics was free; it is held until commit."""
    return bool(await tx.fetch_value(TAKE_TURN, AdvisoryLock.QUESTION_STATISTICS))


async def replace_statistics(
    tx: Transaction, counts: Sequence[QuestionCount], now: datetime
) -> None:
    statement = insert(QuestionStatistic)
    columns = [column.name for column in QuestionStatistic.__table__.columns]
    changed = {name: statement.excluded[name] for name in columns if name != "question_id"}
    await tx.execute_many(
        statement.on_conflict_do_update(index_elements=["question_id"], set_=changed),
        [asdict(one) for one in counts],
    )
    await tx.execute(DELETE_OTHERS, now)


async def read_last_count(database: Database) -> datetime | None:
    return cast("datetime | None", await database.fetch_value(READ_LAST))


async def count_flagged(database: Database) -> int:
    """Count the live questions whose answers suggest a problem."""
    return int(await database.fetch_value(COUNT_FLAGGED))
