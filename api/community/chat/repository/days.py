"""SQL of a day's messages."""

from api.foundation.database.database import Database
from api.foundation.database.days import Day
from api.foundation.database.statements import Row

COUNT_DAY = """
SELECT count(*) AS count, coalesce(array_agg(DISTINCT user_id), '{}') AS members
  FROM chat_message WHERE id >= $1 AND id < $2 AND sent_at >= $3 AND sent_at < $4
"""


async def count_day(database: Database, day: Day) -> Row:
    """Return the number of messages and of authors in a day."""
    row = await database.fetch_row(COUNT_DAY, day.first_id, day.end_id, day.since, day.until)
    assert row is not None  # noqa: S101 a count has a row
    return row
