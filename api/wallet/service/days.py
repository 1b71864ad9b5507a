"""What moved in a day."""

from api.database.database import Database
from api.database.days import Day
from api.wallet import repository


async def count_day(database: Database, day: Day) -> tuple[int, int]:
    """Return how much came into wallets in a day, and how much left them, in kobo."""
    row = await repository.sum_day(database, day)
    return row["in_kobo"], row["out_kobo"]
