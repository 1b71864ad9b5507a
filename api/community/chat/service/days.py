"""A day's messages."""

from api.community.chat.repository import days
from api.foundation.database.database import Database
from api.foundation.database.days import Day, DayActivity


async def count_day(database: Database, day: Day) -> DayActivity:
    """Return the number of messages in a day, including hidden ones."""
    return await days.count_day(database, day)
