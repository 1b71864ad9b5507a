from dataclasses import dataclass
from datetime import time
from typing import Any

from api.foundation.database.database import Runner
from api.foundation.database.statements import Query

SETTINGS = """
SELECT version, transfer_account, state_required, quiet_from, quiet_to, adjustment_limit_kobo,
       adjustment_day_limit_kobo, refund_limit_kobo, refund_day_limit_kobo, confirm_day_limit_kobo,
       gift_limit, transfer_units_limit, transfer_value_limit_kobo, legal, new_terms
  FROM office_setting
"""


@dataclass(frozen=True)
class OfficeSettingRow:
    """The settings that the back office has made; null for the defaults."""

    version: int
    transfer_account: dict[str, Any] | None
    state_required: bool | None
    quiet_from: time | None
    quiet_to: time | None
    adjustment_limit_kobo: int | None
    adjustment_day_limit_kobo: int | None
    refund_limit_kobo: int | None
    refund_day_limit_kobo: int | None
    confirm_day_limit_kobo: int | None
    gift_limit: int | None
    transfer_units_limit: int | None
    transfer_value_limit_kobo: int | None
    legal: dict[str, Any] | None
    new_terms: str | None


READ = Query(SETTINGS, OfficeSettingRow)


async def read_settings(database: Runner) -> OfficeSettingRow | None:
    """Return the settings, None before the first change."""
    return await database.fetch_row(READ)
