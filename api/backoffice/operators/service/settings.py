"""Settings that the back office changes at runtime, and the rights to change them.

They are one row. What is null defaults to the deployment's or the product's value. Code that
applies a limit calls ``read_settings`` in the same transaction.
"""

from dataclasses import replace
from typing import Any

from api.backoffice.operators import rules
from api.backoffice.operators.errors import StaleVersionError
from api.backoffice.operators.repository import settings as settings_repository
from api.backoffice.operators.schemas.settings import (
    LimitsInput,
    NewTransferAccount,
    OfficeSettings,
    SettingsInput,
    TransferAccount,
    TransferAccountAnswer,
)
from api.backoffice.operators.service.approvals import propose
from api.backoffice.operators.service.context import ApprovalKind, Approved, always_two, no_owners
from api.backoffice.operators.service.writing import AuditRecord, audited, perform
from api.foundation.core.config import Settings
from api.foundation.database.database import Database, Runner, Transaction
from api.foundation.database.statements import Row
from api.foundation.http.admin_answers import AdminResult
from api.foundation.http.wire import Content
from api.foundation.security.operators import AdminRequest
from api.foundation.security.rights import Right

TRANSFER_ACCOUNT = ApprovalKind(
    "transfer-account", Right.SETTINGS_WRITE, NewTransferAccount, no_owners, always_two
)
RAISE_LIMITS = ApprovalKind(
    "raise-limits", Right.SETTINGS_WRITE, LimitsInput, no_owners, always_two
)
TWO_WAIT = (
    "The account for bank transfers and the higher limits wait for a second person, "
    "as two proposals."
)
TARGET = "settings"
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
    return _effective(await settings_repository.read_settings(database), settings)


async def change_settings(
    database: Database, settings: Settings, admin: AdminRequest, form: SettingsInput
) -> AdminResult:
    """Change the given settings.

    Another account and higher limits need a second person. In one call they become two proposals,
    and the response is that of the limits.

    Raises:
        StaleVersionError: the settings have changed since they were read.
        SecondPersonNeededError: no other operator could decide about the account or the limits.
    """

    async def work(tx: Transaction) -> AdminResult:
        row = await settings_repository.lock_settings(tx)
        if row["version"] != form.version:
            raise StaleVersionError
        before = _effective(row, settings)
        account = form.transfer_account
        moves_account = account is not None and not _is_same(account, before)
        changed = _changed(form, before)
        raised = {
            name: value
            for name, value in changed.items()
            if name.endswith("_limit") and value > getattr(before, name)
        }
        values = {
            COLUMNS.get(name, name): value for name, value in changed.items() if name not in raised
        }
        if values or not (moves_account or raised):
            await settings_repository.change_settings(tx, values)
            after = _effective(await settings_repository.read_settings(tx), settings)
            record = AuditRecord(
                "change", TARGET, TARGET, before=_plain(before), after=_plain(after)
            )
            await audited(tx, admin, record)
        proposed = None
        if account is not None and moves_account:
            wanted = NewTransferAccount(transfer_account=account)
            reason = form.reason or "Another account for bank transfers"
            proposed = await propose(tx, admin, TRANSFER_ACCOUNT, wanted, reason)
        if raised:
            # Already validated; validating again would read kobo as naira.
            limits = LimitsInput.model_construct(**raised)
            raise_limits = await propose(
                tx, admin, RAISE_LIMITS, limits, form.reason or "Higher limits"
            )
            proposed = raise_limits if proposed is None else replace(raise_limits, message=TWO_WAIT)
        if proposed is not None:
            return proposed
        answer = _effective(await settings_repository.read_settings(tx), settings)
        return AdminResult.of(answer, message="The settings have been saved.")

    return await perform(database, admin, form, work)


async def change_account_approved(tx: Transaction, approved: Approved) -> Content:
    """Set the account for transfers, as approved by a second person."""
    wanted: NewTransferAccount = approved.content
    row = await settings_repository.lock_settings(tx)
    plain = wanted.transfer_account.model_dump(mode="json")
    await settings_repository.change_settings(tx, {"transfer_account": plain})
    return {"before": _stored_account(row), "after": plain}


async def raise_limits_approved(tx: Transaction, approved: Approved) -> Content:
    """Set the limits that a second person has approved."""
    wanted: LimitsInput = approved.content
    before = _effective(await settings_repository.lock_settings(tx), None)
    changed = _changed(wanted, before)
    await settings_repository.change_settings(
        tx, {COLUMNS.get(name, name): value for name, value in changed.items()}
    )
    after = _effective(await settings_repository.read_settings(tx), None)
    return {"before": _plain(before), "after": _plain(after)}


def _changed(form: LimitsInput, before: OfficeSettings) -> dict[str, Any]:
    """Return the settings of a form that differ from the current ones."""
    given = form.model_dump(
        by_alias=False, exclude_none=True, exclude={"version", "transfer_account", "reason"}
    )
    return {
        name: getattr(form, name) for name in given if getattr(form, name) != getattr(before, name)
    }


def _effective(row: Row | None, settings: Settings | None) -> OfficeSettings:
    stored = None if row is None else _stored_account(row)
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
    }
    if row is not None:
        said = {name: row[COLUMNS.get(name, name)] for name in holds}
        holds |= {name: value for name, value in said.items() if value is not None}
    account = _deployed_account(settings) if stored is None else TransferAccountAnswer(**stored)
    return OfficeSettings(transfer_account=account, **holds)


def _stored_account(row: Row) -> Content | None:
    account: Content | None = row["transfer_account"]
    return account


def _deployed_account(settings: Settings | None) -> TransferAccountAnswer | None:
    if settings is None:
        return None
    name, number = settings.transfer_account_name, settings.transfer_account_number
    bank = settings.transfer_bank
    if not (name and number and bank):
        return None
    return TransferAccountAnswer(account_name=name, account_number=number, bank=bank)


def _is_same(account: TransferAccount, before: OfficeSettings) -> bool:
    known = before.transfer_account
    return known is not None and known.model_dump() == account.model_dump()


def _plain(shown: OfficeSettings) -> Content:
    return shown.model_dump(mode="json")
