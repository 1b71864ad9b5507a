"""The sums of a day's movements."""

from api.foundation.database.database import Database
from api.foundation.database.days import Day
from api.money.wallet.repository import days


async def count_day(database: Database, day: Day) -> tuple[int, int]:
    """Return the kobo that came into wallets in a day, and the kobo that left them."""
    row = await days.sum_day(database, day)
    return row.in_kobo, row.out_kobo
