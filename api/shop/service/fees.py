"""Delivery fees in the back office."""

from collections.abc import Sequence

from api.foundation.audit import writing as audit
from api.foundation.audit.writing import AuditRecord
from api.foundation.database.database import Database, Transaction
from api.foundation.database.errors import StaleVersionError
from api.foundation.security.operators import AdminRequest
from api.foundation.wire.results import AdminResult
from api.shop.repository import catalog_admin
from api.shop.repository.catalog_admin import VersionedFee
from api.shop.schemas.catalog_admin import FeeList, FeesInput
from api.shop.schemas.checkout import StateFee


async def list_fees(database: Database) -> FeeList:
    """Return the delivery fee of each state."""
    return _shown(await catalog_admin.list_versioned_fees(database))


async def change_fees(database: Database, admin: AdminRequest, form: FeesInput) -> AdminResult:
    """Set delivery fees; states that are not named keep their fee.

    A member who has seen the old fee is informed at the checkout.
    """

    async def work(tx: Transaction) -> AdminResult:
        rows = await catalog_admin.lock_fees(tx)
        version = _shown(rows).version
        if version != form.version:
            raise StaleVersionError
        old = {row.state: row.fee_kobo for row in rows}
        new = {one.state: one.fee for one in form.fees if old[one.state] != one.fee}
        await catalog_admin.change_fees(tx, new, version + 1)
        before = {state: old[state] for state in new}
        record = AuditRecord(
            "change", "delivery_fee", "all", {"fees_kobo": before}, {"fees_kobo": new}
        )
        await audit.audited(tx, admin, record)
        shown = _shown(await catalog_admin.list_versioned_fees(tx))
        return AdminResult.of(shown, message="The delivery fees have been saved.")

    return await audit.perform(database, admin, form, work)


def _shown(rows: Sequence[VersionedFee]) -> FeeList:
    version = max((row.version for row in rows), default=1)
    fees = [StateFee(state=row.state, fee=row.fee_kobo) for row in rows]
    return FeeList(version=version, fees=fees)
