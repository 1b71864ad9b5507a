from dataclasses import dataclass

from api.foundation.core.money import Kobo
from api.foundation.database.database import Database
from api.foundation.database.days import Day
from api.foundation.database.statements import Query


@dataclass(frozen=True)
class WalletDay:
    """The kobo that came into wallets in a day, and those that left them."""

    in_kobo: Kobo
    out_kobo: Kobo


SUM_DAY = Query(
    """
SELECT coalesce(sum(wallet_change_kobo) FILTER (WHERE wallet_change_kobo > 0), 0)::bigint
         AS in_kobo,
       coalesce(-sum(wallet_change_kobo) FILTER (WHERE wallet_change_kobo < 0), 0)::bigint
         AS out_kobo
  FROM ledger_transfer
 WHERE id >= $1 AND id < $2 AND created_at >= $3 AND created_at < $4
""",
    WalletDay,
)


async def sum_day(database: Database, day: Day) -> WalletDay:
    row = await database.fetch_row(SUM_DAY, day.first_id, day.end_id, day.since, day.until)
    assert row is not None  # noqa: S101 a sum has a row
    return row
