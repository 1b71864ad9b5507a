from dataclasses import dataclass

from api.foundation.core.money import Kobo
from api.foundation.database.database import Database
from api.foundation.database.days import Day, DayActivity
from api.foundation.database.statements import Query


@dataclass(frozen=True)
class OrderDay(DayActivity):
    amount_kobo: Kobo


COUNT_DAY = Query(
    """
SELECT count(*) AS count, coalesce(sum(total_kobo), 0)::bigint AS amount_kobo,
       coalesce(array_agg(DISTINCT user_id), '{}') AS members
  FROM shop_order WHERE id >= $1 AND id < $2 AND created_at >= $3 AND created_at < $4
""",
    OrderDay,
)


async def count_day(database: Database, day: Day) -> OrderDay:
    row = await database.fetch_row(COUNT_DAY, day.first_id, day.end_id, day.since, day.until)
    assert row is not None  # noqa: S101 a count has a row
    return row
