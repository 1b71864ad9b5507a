"""Plans in the back office."""

from datetime import datetime
from typing import Any
from uuid import UUID

from api.foundation.audit import writing as audit
from api.foundation.audit.writing import AuditRecord
from api.foundation.core.ids import new_id
from api.foundation.database.database import Database, Transaction
from api.foundation.database.errors import StaleVersionError, UniqueViolation
from api.foundation.security.operators import AdminRequest
from api.foundation.wire.results import AdminResult, Page
from api.messaging.notifications.enums import NotificationKind
from api.messaging.notifications.rules.messages import Fact
from api.messaging.notifications.service import notify_each
from api.money.subscriptions import rules
from api.money.subscriptions.enums import PlanPeriod
from api.money.subscriptions.errors import PlanNameTakenError, PlanNotFoundError
from api.money.subscriptions.repository import plans, subscriptions
from api.money.subscriptions.repository.plans import StoredPlan
from api.money.subscriptions.schemas import PlanChange, PlanInput, PlanRow

COLUMNS = {"amount": "amount_kobo"}  # fields whose column has another name


async def list_all_plans(database: Database, *, before: UUID | None, limit: int) -> Page[PlanRow]:
    """Return the plans, on offer or not, newest first."""
    rows = await plans.list_all_plans(database, before, limit + 1)
    return Page.of(rows, limit, _shown)


async def create_plan(database: Database, admin: AdminRequest, form: PlanInput) -> AdminResult:
    """Create a plan."""

    async def work(tx: Transaction) -> AdminResult:
        plan_id = new_id()
        if not await plans.insert_plan(tx, plan_id, _columns(form)):
            raise PlanNameTakenError
        shown = await _read(tx, plan_id)
        record = AuditRecord("create", "plan", plan_id, after=shown.model_dump(mode="json"))
        await audit.audited(tx, admin, record)
        return AdminResult.of(shown, status=201, message="The plan has been saved.")

    return await audit.perform(database, admin, form, work)


async def change_plan(
    database: Database, admin: AdminRequest, plan_id: UUID, form: PlanChange, now: datetime
) -> AdminResult:
    """Change a plan. A new price applies to renewals that are at least 14 days away.

    Notifies members with a renewing plan of the new price.
    """

    async def work(tx: Transaction) -> AdminResult:
        row = await plans.lock_plan(tx, plan_id)
        if row is None:
            raise PlanNotFoundError
        if row.version != form.version:
            raise StaleVersionError
        try:
            await plans.change_plan(tx, plan_id, _columns(form))
        except UniqueViolation as error:  # the name is the only unique index
            raise PlanNameTakenError from error
        shown = await _read(tx, plan_id)
        if shown.amount != row.amount_kobo:
            await plans.insert_price_change(tx, plan_id, row.amount_kobo, now)
            await _notify_price(tx, plan_id, shown.version, now)
        before, after = (one.model_dump(mode="json") for one in (_shown(row), shown))
        record = AuditRecord("change", "plan", plan_id, before=before, after=after)
        await audit.audited(tx, admin, record)
        return AdminResult.of(shown, message="The plan has been saved.")

    return await audit.perform(database, admin, form, work)


async def _notify_price(tx: Transaction, plan_id: UUID, version: int, now: datetime) -> None:
    """Notify members with a renewing plan of the new price and of the first renewal at it."""
    facts_by_member: dict[UUID, dict[str, Fact]] = {}
    for row in await subscriptions.list_renewing(tx, plan_id):
        changes_at = rules.price_changes_at(row)
        if changes_at is not None:
            facts_by_member[row.user_id] = {
                "plan": row.plan,
                "amount_kobo": row.plan_kobo,
                "changes_at": changes_at,
            }
    kind = NotificationKind.PLAN_PRICE_CHANGED
    await notify_each(tx, facts_by_member, kind, f"{plan_id}:{version}", now)


def _columns(form: PlanInput | PlanChange) -> dict[str, Any]:
    given = form.model_dump(by_alias=False, exclude_none=True, exclude={"version"})
    return {COLUMNS.get(name, name): value for name, value in given.items()}


async def _read(tx: Transaction, plan_id: UUID) -> PlanRow:
    row = await plans.read_plan(tx, plan_id)
    if row is None:
        raise PlanNotFoundError
    return _shown(row)


def _shown(row: StoredPlan) -> PlanRow:
    return PlanRow(
        id=row.id,
        plan=row.plan,
        amount=row.amount_kobo,
        duration=row.duration,
        period=PlanPeriod(row.period),
        benefits=list(row.benefits),
        battle_zone=row.battle_zone,
        hidden=row.hidden,
        position=row.position,
        version=row.version,
    )
