"""SQL of the settings made in the back office: one row."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import update

from api.backoffice.operators.models import OfficeSetting
from api.foundation.database.database import Runner, Transaction
from api.foundation.database.statements import Row

READ = """
SELECT version, transfer_account, state_required, quiet_from, quiet_to, adjustment_limit_kobo,
       adjustment_day_limit_kobo, refund_limit_kobo, refund_day_limit_kobo, confirm_day_limit_kobo,
       gift_limit, transfer_units_limit, transfer_value_limit_kobo
  FROM office_setting
"""
OPEN = "INSERT INTO office_setting (is_one) VALUES (true) ON CONFLICT DO NOTHING"
LOCK = READ + " FOR NO KEY UPDATE"


async def read_settings(database: Runner) -> Row | None:
    """Return the settings, None before the first change."""
    return await database.fetch_row(READ)


async def lock_settings(tx: Transaction) -> Row:
    """Lock and return the settings."""
    await tx.execute(OPEN)
    row = await tx.fetch_row(LOCK)
    assert row is not None  # noqa: S101 just inserted
    return row


async def change_settings(tx: Transaction, values: Mapping[str, Any]) -> None:
    """Set columns and increment the version."""
    statement = update(OfficeSetting).values(version=OfficeSetting.version + 1, **values)
    await tx.execute(statement)
