from dataclasses import dataclass
from uuid import UUID

from api.foundation.database.database import Database
from api.foundation.database.days import Day
from api.foundation.database.statements import Query


@dataclass(frozen=True)
class DayMessages:
    count: int
    members: list[UUID]


COUNT_DAY = Query(
    """
SELECT count(*) AS count, coalesce(array_agg(DISTINCT user_id), '{}') AS members
  FROM chat_message WHERE id >= $1 AND id < $2 AND sent_at >= $3 AND sent_at < $4
""",
    DayMessages,
)


async def count_day(database: Database, day: Day) -> DayMessages:
    row = await database.fetch_row(COUNT_DAY, day.first_id, day.end_id, day.since, day.until)
    assert row is not None  # noqa: S101 a count has a row
    return row
