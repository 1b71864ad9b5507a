"""SQL of the settings made in the back office: one row."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import update

from api.foundation.database.database import Transaction
from api.foundation.database.statements import Query
from api.foundation.office_settings.models import OfficeSetting
from api.foundation.office_settings.repository import SETTINGS, OfficeSettingRow

OPEN = "INSERT INTO office_setting (is_one) VALUES (true) ON CONFLICT DO NOTHING"
LOCK = Query(SETTINGS + " FOR NO KEY UPDATE", OfficeSettingRow)


async def lock_settings(tx: Transaction) -> OfficeSettingRow:
    await tx.execute(OPEN)
    row = await tx.fetch_row(LOCK)
    assert row is not None  # noqa: S101 just inserted
    return row


async def change_settings(tx: Transaction, values: Mapping[str, Any]) -> None:
    """Set columns and increment the version."""
    statement = update(OfficeSetting).values(version=OfficeSetting.version + 1, **values)
    await tx.execute(statement)
