"""The orders of a day."""

from api.database.database import Database
from api.database.days import Day, DayActivity
from api.shop import repository


async def count_day(database: Database, day: Day) -> DayActivity:
    """Return the orders that were placed in a day, whatever their status now."""
    row = await repository.count_day(database, day)
    return DayActivity(row["count"], frozenset(row["members"]), row["amount_kobo"])
