"""Back-office routes of payments."""

from typing import Annotated

from fastapi import Depends, Query

from api.foundation.approvals.schemas import Proposed
from api.foundation.core import clock
from api.foundation.http.admin_calls import (
    admin_router,
    documented_admin,
    may_read,
    may_write,
    to_response,
)
from api.foundation.http.dependencies import DatabaseDep, provided
from api.foundation.security.operators import AdminRequest
from api.foundation.security.rights import Right
from api.foundation.wire.results import Page
from api.foundation.wire.schemas import Envelope, ExistingId, ExistingName, SearchText, ok
from api.money.payments.enums import DebtState, DisputeState, FundingStatus, ReportState
from api.money.payments.schemas import (
    AskedFunding,
    ChargebackInput,
    ChargedBack,
    CollectedDebt,
    DebtRow,
    DisputeRow,
    FundingRow,
    ReportAnswer,
    ReportRow,
    WhyInput,
)
from api.money.payments.service import admin as admin_service
from api.money.payments.service import charging_back
from api.money.payments.service.context import PaymentContext

MAX_PAGE_SIZE = 100
Limit = Annotated[int, Query(ge=1, le=MAX_PAGE_SIZE)]
Reading = Annotated[AdminRequest, may_read(Right.MONEY_READ)]
Writing = Annotated[AdminRequest, may_write(Right.MONEY_WRITE)]
PaymentsDep = Annotated[PaymentContext, Depends(provided(PaymentContext))]

back_office = admin_router()


@back_office.get("/api/v1/admin/fundings", responses=documented_admin())
async def list_fundings(
    _admin: Reading,
    database: DatabaseDep,
    state: FundingStatus | None = None,
    gateway: ExistingName | None = None,
    q: Annotated[
        SearchText | None, Query(description="A reference, a provider's id or a member")
    ] = None,
    before: ExistingId | None = None,
    limit: Limit = 50,
) -> Envelope[Page[FundingRow]]:
    """List all fundings, newest first."""
    found = await admin_service.list_fundings(
        database, state, gateway, q, before=before, limit=limit
    )
    return ok(found)


@back_office.post(
    "/api/v1/admin/fundings/{reference}/ask", responses=documented_admin(409, 422, 503)
)
async def ask_about_funding(
    admin: Writing, context: PaymentsDep, reference: ExistingName
) -> Envelope[AskedFunding]:
    """Fetch a funding's status from the provider and settle the funding accordingly."""
    return to_response(await admin_service.ask_about(context, admin, reference))


@back_office.get("/api/v1/admin/webhooks", responses=documented_admin())
async def list_webhooks(
    _admin: Reading,
    database: DatabaseDep,
    state: ReportState | None = None,
    before: ExistingId | None = None,
    limit: Limit = 50,
) -> Envelope[Page[ReportRow]]:
    """List provider reports with a valid signature, newest first."""
    return ok(await admin_service.list_reports(database, state, before=before, limit=limit))


@back_office.post(
    "/api/v1/admin/webhooks/{webhook_id}/replay", responses=documented_admin(409, 422, 503)
)
async def replay_webhook(
    admin: Writing, context: PaymentsDep, webhook_id: ExistingId
) -> Envelope[ReportAnswer]:
    """Settle a report from its stored body, as if it arrived now."""
    return to_response(await admin_service.replay_report(context, admin, webhook_id))


@back_office.post("/api/v1/admin/webhooks/{webhook_id}/ignore", responses=documented_admin(409))
async def ignore_webhook(
    admin: Writing, database: DatabaseDep, webhook_id: ExistingId, form: WhyInput
) -> Envelope[ReportAnswer]:
    """Remove a report from the list of those that need attention."""
    return to_response(await admin_service.ignore_report(database, admin, webhook_id, form))


@back_office.get("/api/v1/admin/disputes", responses=documented_admin())
async def list_disputes(
    _admin: Reading,
    database: DatabaseDep,
    state: DisputeState | None = None,
    before: ExistingId | None = None,
    limit: Limit = 50,
) -> Envelope[Page[DisputeRow]]:
    """List payers' disputes with their banks, newest first; disputes move no money."""
    return ok(await admin_service.list_disputes(database, state, before=before, limit=limit))


@back_office.post("/api/v1/admin/chargebacks", status_code=201, responses=documented_admin(409))
async def charge_back(
    admin: Annotated[AdminRequest, may_write(Right.MONEY_WRITE, fresh=True)],
    database: DatabaseDep,
    form: ChargebackInput,
) -> Envelope[ChargedBack]:
    """Debit a wallet for what the provider took back; any shortfall becomes a debt."""
    return to_response(await charging_back.charge_back(database, admin, form, clock.now()))


@back_office.get("/api/v1/admin/debts", responses=documented_admin())
async def list_debts(
    _admin: Reading,
    database: DatabaseDep,
    state: DebtState | None = None,
    before: ExistingId | None = None,
    limit: Limit = 50,
) -> Envelope[Page[DebtRow]]:
    """List the shortfalls of chargebacks, newest first."""
    return ok(await charging_back.list_debts(database, state, before=before, limit=limit))


@back_office.post("/api/v1/admin/debts/{debt_id}/collect", responses=documented_admin(409))
async def collect_debt(
    admin: Writing, database: DatabaseDep, debt_id: ExistingId, form: WhyInput
) -> Envelope[CollectedDebt]:
    """Collect a debt from the wallet, up to its balance."""
    return to_response(
        await charging_back.collect_debt(database, admin, debt_id, form, clock.now())
    )


@back_office.post(
    "/api/v1/admin/debts/{debt_id}/write-off", status_code=202, responses=documented_admin(409)
)
async def write_off_debt(
    admin: Writing, database: DatabaseDep, debt_id: ExistingId, form: WhyInput
) -> Envelope[Proposed]:
    """Propose to write off a debt; a second person decides."""
    return to_response(await charging_back.propose_write_off(database, admin, debt_id, form))
