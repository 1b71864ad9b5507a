from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from sqlalchemy.dialects.postgresql import insert

from api.backoffice.analytics.models import DayFigure
from api.foundation.database.database import Database
from api.foundation.database.statements import Query


@dataclass(frozen=True)
class DayFigureRow:
    day: date
    counted_at: datetime
    active_members: int
    quest_members: int
    battle_members: int
    battle_answers: int
    chat_messages: int
    orders: int
    orders_kobo: int
    money_in_kobo: int
    money_out_kobo: int


LIST = Query(
    """
SELECT day, counted_at, active_members, quest_members, battle_members, battle_answers,
       chat_messages, orders, orders_kobo, money_in_kobo, money_out_kobo
  FROM day_figure WHERE day BETWEEN $1 AND $2 ORDER BY day
""",
    DayFigureRow,
)
LIST_MISSING = """
SELECT d::date FROM generate_series($1::date, $2::date, interval '1 day') d
 WHERE NOT EXISTS (SELECT FROM day_figure f WHERE f.day = d::date) ORDER BY d DESC LIMIT $3
"""


async def list_days(database: Database, first: date, last: date) -> Sequence[DayFigureRow]:
    """Return the stored figures, both days inclusive, in order."""
    return await database.fetch_rows(LIST, first, last)


async def list_missing(database: Database, first: date, last: date, limit: int) -> list[date]:
    """Return days without figures, both inclusive, latest first."""
    return await database.fetch_column(LIST_MISSING, first, last, limit)


async def upsert(database: Database, values: Mapping[str, Any]) -> None:
    """Store a day's figures, replacing earlier ones."""
    statement = insert(DayFigure).values(**values)
    await database.execute(
        statement.on_conflict_do_update(index_elements=[DayFigure.day], set_=dict(values))
    )
