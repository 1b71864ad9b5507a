"""SQL of reading the settings: one row."""

from api.foundation.database.database import Runner
from api.foundation.database.statements import Row

READ = """
SELECT version, transfer_account, state_required, quiet_from, quiet_to, adjustment_limit_kobo,
       adjustment_day_limit_kobo, refund_limit_kobo, refund_day_limit_kobo, confirm_day_limit_kobo,
       gift_limit, transfer_units_limit, transfer_value_limit_kobo
  FROM office_setting
"""


async def read_settings(database: Runner) -> Row | None:
    """Return the settings, None before the first change."""
    return await database.fetch_row(READ)
