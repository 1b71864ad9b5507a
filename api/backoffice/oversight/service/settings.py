"""Settings that the back office changes at runtime, and the rights to change them.

They are one row. What is null defaults to the deployment's or the product's value. Code that
applies a limit calls ``read_settings`` in the same transaction.
"""

from dataclasses import replace
from typing import Any

from api.backoffice.oversight.repository import settings as settings_repository
from api.backoffice.oversight.schemas.settings import (
    LimitsInput,
    NewTransferAccount,
    SettingsInput,
    TransferAccount,
)
from api.foundation.approvals.kinds import ApprovalKind, Approved, always_two, no_owners
from api.foundation.approvals.proposing import propose
from api.foundation.audit.writing import AuditRecord, audited, perform
from api.foundation.core.config import Settings
from api.foundation.database.database import Database, Transaction
from api.foundation.database.errors import StaleVersionError
from api.foundation.office_settings.repository import read_settings
from api.foundation.office_settings.schemas import OfficeSettings, Publisher, PublisherAnswer
from api.foundation.office_settings.service import COLUMNS, effective
from api.foundation.security.operators import AdminRequest
from api.foundation.security.rights import Right
from api.foundation.wire.results import AdminResult
from api.foundation.wire.schemas import Content

TRANSFER_ACCOUNT = ApprovalKind(
    "transfer-account", Right.SETTINGS_WRITE, NewTransferAccount, no_owners, always_two
)
RAISE_LIMITS = ApprovalKind(
    "raise-limits", Right.SETTINGS_WRITE, LimitsInput, no_owners, always_two
)
TWO_WAIT = (
    "A second operator has to approve the bank account and the higher limits, as two proposals."
)
TARGET = "settings"


async def change_settings(
    database: Database, settings: Settings, admin: AdminRequest, form: SettingsInput
) -> AdminResult:
    """Change the given settings.

    Another account and higher limits need a second person. In one call they become two proposals,
    and the response is that of the limits.

    Raises:
        SecondPersonNeededError: no other operator could decide about the account or the limits.
    """

    async def work(tx: Transaction) -> AdminResult:
        row = await settings_repository.lock_settings(tx)
        if row.version != form.version:
            raise StaleVersionError
        before = effective(row, settings)
        account = form.transfer_account
        moves_account = account is not None and not _is_same(account, before)
        changed = _changed(form, before)
        raised = {
            name: value
            for name, value in changed.items()
            if name.endswith("_limit") and value > getattr(before, name)
        }
        values = {
            COLUMNS.get(name, name): _stored(value)
            for name, value in changed.items()
            if name not in raised
        }
        if values or not (moves_account or raised):
            await settings_repository.change_settings(tx, values)
            after = effective(await read_settings(tx), settings)
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
        answer = effective(await read_settings(tx), settings)
        return AdminResult.of(answer, message="The settings have been saved.")

    return await perform(database, admin, form, work)


async def set_publisher(tx: Transaction, publisher: Publisher) -> bool:
    """Set who runs the app; return False, and change nothing, if that is set already."""
    row = await settings_repository.lock_settings(tx)
    if row.legal is not None:
        return False
    await settings_repository.change_settings(tx, {"legal": _stored(publisher)})
    return True


async def change_account_approved(tx: Transaction, approved: Approved) -> Content:
    """Set the account for transfers, as approved by a second person."""
    wanted: NewTransferAccount = approved.content
    row = await settings_repository.lock_settings(tx)
    plain = wanted.transfer_account.model_dump(mode="json")
    await settings_repository.change_settings(tx, {"transfer_account": plain})
    return {"before": row.transfer_account, "after": plain}


async def raise_limits_approved(tx: Transaction, approved: Approved) -> Content:
    """Set the limits that a second person has approved."""
    wanted: LimitsInput = approved.content
    before = effective(await settings_repository.lock_settings(tx), None)
    changed = _changed(wanted, before)
    await settings_repository.change_settings(
        tx, {COLUMNS.get(name, name): value for name, value in changed.items()}
    )
    after = effective(await read_settings(tx), None)
    return {"before": _plain(before), "after": _plain(after)}


def _changed(form: LimitsInput, before: OfficeSettings) -> dict[str, Any]:
    given = form.model_dump(
        by_alias=False, exclude_none=True, exclude={"version", "transfer_account", "reason"}
    )
    return {
        name: getattr(form, name)
        for name in given
        if _stored(getattr(form, name)) != _stored(getattr(before, name))
    }


def _stored(value: object) -> object:
    """Return a value as its column stores it."""
    if isinstance(value, Publisher | PublisherAnswer):
        return value.model_dump(mode="json", by_alias=False)
    return value


def _is_same(account: TransferAccount, before: OfficeSettings) -> bool:
    known = before.transfer_account
    return known is not None and known.model_dump() == account.model_dump()


def _plain(shown: OfficeSettings) -> Content:
    return shown.model_dump(mode="json")
