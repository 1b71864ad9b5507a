"""Settings that the back office changes at runtime.

They are one row. What is null defaults to the deployment's or the product's value. Code that
applies a limit calls ``read_settings`` in the same transaction.
"""

from typing import Any

from api.foundation.core.config import Settings
from api.foundation.database.database import Runner
from api.foundation.office_settings import repository, rules
from api.foundation.office_settings.enums import NewTerms
from api.foundation.office_settings.repository import OfficeSettingRow
from api.foundation.office_settings.schemas import (
    OfficeSettings,
    PublisherAnswer,
    TransferAccountAnswer,
)

FIRST_VERSION = 1
COLUMNS = {
    "adjustment_limit": "adjustment_limit_kobo",
    "adjustment_day_limit": "adjustment_day_limit_kobo",
    "refund_limit": "refund_limit_kobo",
    "refund_day_limit": "refund_day_limit_kobo",
    "confirm_day_limit": "confirm_day_limit_kobo",
    "transfer_value_limit": "transfer_value_limit_kobo",
}


async def read_settings(database: Runner, settings: Settings | None = None) -> OfficeSettings:
    """Return the current settings; amounts are kobo.

    Without the deployment's ``settings``, the account is None and no state is required unless the
    back office has set them.
    """
    return effective(await repository.read_settings(database), settings)


def effective(row: OfficeSettingRow | None, settings: Settings | None) -> OfficeSettings:
    """Return the settings that hold: the stored row's over the deployment's and the defaults."""
    stored = None if row is None else row.transfer_account
    holds: dict[str, Any] = {
        "version": FIRST_VERSION,
        "state_required": settings is not None and settings.is_production,
        "quiet_from": rules.QUIET_FROM,
        "quiet_to": rules.QUIET_TO,
        "adjustment_limit": rules.ADJUSTMENT_LIMIT,
        "adjustment_day_limit": rules.ADJUSTMENT_DAY_LIMIT,
        "refund_limit": rules.REFUND_LIMIT,
        "refund_day_limit": rules.REFUND_DAY_LIMIT,
        "confirm_day_limit": rules.CONFIRM_DAY_LIMIT,
        "gift_limit": rules.GIFT_LIMIT,
        "transfer_units_limit": rules.TRANSFER_UNITS_LIMIT,
        "transfer_value_limit": rules.TRANSFER_VALUE_LIMIT,
        "new_terms": NewTerms.ASK,
    }
    if row is not None:
        said = {name: getattr(row, COLUMNS.get(name, name)) for name in holds}
        holds |= {name: value for name, value in said.items() if value is not None}
    account = _deployed_account(settings) if stored is None else TransferAccountAnswer(**stored)
    legal = None if row is None or row.legal is None else PublisherAnswer(**row.legal)
    return OfficeSettings(transfer_account=account, legal=legal, **holds)


def _deployed_account(settings: Settings | None) -> TransferAccountAnswer | None:
    if settings is None:
        return None
    name, number = settings.transfer_account_name, settings.transfer_account_number
    bank = settings.transfer_bank
    if not (name and number and bank):
        return None
    return TransferAccountAnswer(account_name=name, account_number=number, bank=bank)
