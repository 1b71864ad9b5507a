"""SQL of what was ordered in a day."""

from api.database.database import Database
from api.database.days import Day
from api.database.statements import Row

COUNT_DAY = """
SELECT count(*) AS count, coalesce(sum(total_kobo), 0)::bigint AS amount_kobo,
       coalesce(array_agg(DISTINCT user_id), '{}') AS members
  FROM shop_order WHERE id >= $1 AND id < $2 AND created_at >= $3 AND created_at < $4
"""


async def count_day(database: Database, day: Day) -> Row:
    """Return how many orders were placed in a day, for how much, and by whom."""
    row = await database.fetch_row(COUNT_DAY, day.first_id, day.end_id, day.since, day.until)
    assert row is not None  # noqa: S101 a count has a row
    return row
