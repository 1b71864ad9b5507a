"""The orders of a day."""

from api.foundation.database.database import Database
from api.foundation.database.days import Day
from api.shop.repository import days
from api.shop.repository.days import OrderDay


async def count_day(database: Database, day: Day) -> OrderDay:
    """Return the orders that were placed in a day, whatever their status now."""
    return await days.count_day(database, day)
