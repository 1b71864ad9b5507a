"""The orders of a day."""

from api.foundation.database.database import Database
from api.foundation.database.days import Day, DayActivity
from api.shop.repository import days


async def count_day(database: Database, day: Day) -> DayActivity:
    """Return the orders that were placed in a day, whatever their status now."""
    row = await days.count_day(database, day)
    return DayActivity(row.count, frozenset(row.members), row.amount_kobo)
