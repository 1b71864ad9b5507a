from api.foundation.database.database import Database
from api.foundation.database.days import Day, DayActivity
from api.foundation.database.statements import Query

COUNT_DAY = Query(
    """
SELECT count(*) AS count, coalesce(array_agg(DISTINCT user_id), '{}') AS members
  FROM chat_message WHERE id >= $1 AND id < $2 AND sent_at >= $3 AND sent_at < $4
""",
    DayActivity,
)


async def count_day(database: Database, day: Day) -> DayActivity:
    row = await database.fetch_row(COUNT_DAY, day.first_id, day.end_id, day.since, day.until)
    assert row is not None  # noqa: S101 a count has a row
    return row
