"""HTTP routes of the back office: sessions, operators, audit, approvals, settings, jobs."""

from typing import Annotated

from fastapi import APIRouter, Depends, Query, status

from api.backoffice.oversight.schemas.approvals import (
    ApprovalAnswer,
    ApprovalChange,
    AuditAnswer,
    AuditFilter,
    Decided,
    DecideInput,
)
from api.backoffice.oversight.schemas.settings import JobAnswer, SettingsInput, StartedJob
from api.backoffice.oversight.schemas.today import Today
from api.backoffice.oversight.service import approvals, jobs, queries
from api.backoffice.oversight.service import settings as settings_service
from api.backoffice.oversight.service.context import OversightContext
from api.foundation.approvals.enums import ApprovalState
from api.foundation.approvals.schemas import WAITING, Proposed
from api.foundation.database.days import DayRange
from api.foundation.http.admin_calls import (
    admin_router,
    documented_admin,
    may_read,
    may_write,
    to_response,
)
from api.foundation.http.admission import LoadClass
from api.foundation.http.dependencies import (
    AddressDep,
    DatabaseDep,
    SettingsDep,
    limit_refusals,
    provided,
)
from api.foundation.http.responses import documented
from api.foundation.http.strict_requests import StrictRoute
from api.foundation.office_settings.schemas import OfficeSettings
from api.foundation.office_settings.service import read_settings as read_office_settings
from api.foundation.security.operators import AdminRequest
from api.foundation.security.rights import Right
from api.foundation.wire.results import OperatorName, Page
from api.foundation.wire.schemas import Envelope, ExistingId, ExistingName, LagosDay, SearchText, ok
from api.people.operators.rules import REFUSED_SIGN_INS
from api.people.operators.schemas import (
    AdminSignInAnswer,
    AdminSignInInput,
    FreshInput,
    OperatorAnswer,
    OperatorChange,
    OperatorInput,
    OperatorMe,
)
from api.people.operators.service import operators, sessions
from api.people.operators.service.context import OperatorContext

OperatorsDep = Annotated[OperatorContext, Depends(provided(OperatorContext))]
OversightDep = Annotated[OversightContext, Depends(provided(OversightContext))]
Limit = Annotated[int, Query(ge=1, le=100)]
Anybody = Annotated[AdminRequest, may_read(None, is_use=False)]
AnybodyAtWork = Annotated[AdminRequest, may_read(None)]

LOAD_CLASSES = {"/api/v1/admin/sign-in": LoadClass.COSTLY}

router = admin_router()
entrance = APIRouter(tags=["back office"], route_class=StrictRoute)


@entrance.post(
    "/api/v1/admin/sign-in",
    responses=documented(429),
    dependencies=[Depends(limit_refusals(REFUSED_SIGN_INS))],
)
async def sign_in_operator(
    context: OperatorsDep, address: AddressDep, form: AdminSignInInput
) -> Envelope[AdminSignInAnswer]:
    """Sign in to the back office; all wrong credentials give the same error."""
    answer = await sessions.sign_in(context, form, address)
    return ok(answer, f"Welcome back, {answer.me.name}.")


@router.get("/api/v1/admin/me", responses=documented_admin())
async def read_operator(admin: Anybody) -> Envelope[OperatorMe]:
    """Read the signed-in operator and the session's end; does not count as activity."""
    return ok(sessions.me(admin.operator))


@router.get("/api/v1/admin/today", responses=documented_admin(), response_model_exclude_unset=True)
async def read_today(context: OversightDep, admin: Anybody) -> Envelope[Today]:
    """Read the operator's open tasks; does not count as activity."""
    return ok(await queries.today(context, admin.operator))


@router.post("/api/v1/admin/sign-out", responses=documented_admin())
async def sign_out_operator(context: OperatorsDep, admin: Anybody) -> Envelope[None]:
    """Sign out of the back office."""
    await sessions.sign_out(context, admin.operator)
    return ok(None, "You have signed out.")


@router.post("/api/v1/admin/fresh", responses=documented_admin(429))
async def enter_fresh_code(
    context: OperatorsDep, admin: AnybodyAtWork, form: FreshInput
) -> Envelope[OperatorMe]:
    """Enter a new code, for calls that require a recent one."""
    return ok(await sessions.refresh(context, admin.operator, form.code))


@router.get("/api/v1/admin/operators", responses=documented_admin())
async def list_operators(
    context: OperatorsDep,
    _admin: Annotated[AdminRequest, may_read(Right.OPERATORS_WRITE)],
    before: ExistingId | None = None,
    limit: Limit = 50,
) -> Envelope[Page[OperatorAnswer]]:
    """List the operators, newest first."""
    return ok(await operators.list_operators(context, before=before, limit=limit))


@router.post(
    "/api/v1/admin/operators",
    status_code=status.HTTP_202_ACCEPTED,
    responses=documented_admin(409),
)
async def propose_operator(
    context: OperatorsDep,
    admin: Annotated[AdminRequest, may_write(Right.OPERATORS_WRITE, fresh=True)],
    form: OperatorInput,
) -> Envelope[Proposed]:
    """Propose to make a member an operator; a second person decides."""
    return to_response(await operators.propose_operator(context, admin, form))


@router.patch(
    "/api/v1/admin/operators/{operator_id}", responses={**documented_admin(409), **WAITING}
)
async def change_operator(
    context: OperatorsDep,
    admin: Annotated[AdminRequest, may_write(Right.OPERATORS_WRITE, fresh=True)],
    operator_id: ExistingId,
    form: OperatorChange,
) -> Envelope[OperatorAnswer]:
    """Disable an operator or remove roles immediately.

    Granting roles and enabling a disabled operator need a second person (202).
    """
    return to_response(await operators.change_operator(context, admin, operator_id, form))


@router.get("/api/v1/admin/audit", responses=documented_admin())
async def list_audit(
    context: OversightDep,
    admin: Annotated[AdminRequest, may_read(Right.AUDIT_READ)],
    q: SearchText | None = None,
    right: Right | None = None,
    operator: ExistingId | None = None,
    target: SearchText | None = None,
    first: Annotated[LagosDay | None, Query(alias="from")] = None,
    last: Annotated[LagosDay | None, Query(alias="to")] = None,
    before: ExistingId | None = None,
    limit: Limit = 50,
) -> Envelope[Page[AuditAnswer]]:
    """List audit entries, newest first.

    Owners see all, finance those under its rights, everyone their own. ``q`` searches the newest
    2,000 entries that match the other filters.
    """
    wanted = AuditFilter(q, right, operator, target, DayRange(first, last))
    page = await queries.list_audit(context, admin.operator, wanted, before=before, limit=limit)
    return ok(page)


@router.get("/api/v1/admin/audit/operators", responses=documented_admin())
async def list_authors(
    context: OversightDep,
    admin: Annotated[AdminRequest, may_read(Right.AUDIT_READ)],
    before: ExistingId | None = None,
    limit: Limit = 50,
) -> Envelope[Page[OperatorName]]:
    """List the operators whose audit entries the caller may read."""
    page = await queries.list_authors(context, admin.operator, before=before, limit=limit)
    return ok(page)


@router.get("/api/v1/admin/approvals", responses=documented_admin())
async def list_approvals(
    context: OversightDep,
    admin: AnybodyAtWork,
    state: ApprovalState | None = None,
    before: ExistingId | None = None,
    limit: Limit = 50,
) -> Envelope[Page[ApprovalAnswer]]:
    """List the proposals that the operator made or may decide, newest first."""
    page = await approvals.list_approvals(
        context, admin.operator, state=state, before=before, limit=limit
    )
    return ok(page)


@router.post("/api/v1/admin/approvals/{approval_id}/decide", responses=documented_admin(409))
async def decide_approval(
    context: OversightDep,
    admin: Annotated[AdminRequest, may_write(None, fresh=True)],
    approval_id: ExistingId,
    form: DecideInput,
) -> Envelope[Decided]:
    """Approve or refuse another operator's proposal; approving executes it, once."""
    return to_response(await approvals.decide(context, admin, approval_id, form))


@router.patch("/api/v1/admin/approvals/{approval_id}", responses=documented_admin(409))
async def change_approval(
    context: OversightDep,
    admin: Annotated[AdminRequest, may_write(None)],
    approval_id: ExistingId,
    form: ApprovalChange,
) -> Envelope[Proposed]:
    """Replace the content of one's own proposal; its digest and deadline are renewed."""
    return to_response(await approvals.change(context, admin, approval_id, form))


@router.get("/api/v1/admin/settings", responses=documented_admin())
async def read_settings(
    _admin: Annotated[AdminRequest, may_read(Right.SETTINGS_WRITE)],
    database: DatabaseDep,
    settings: SettingsDep,
) -> Envelope[OfficeSettings]:
    """Read the settings in effect, including defaults."""
    return ok(await read_office_settings(database, settings))


@router.put("/api/v1/admin/settings", responses={**documented_admin(409), **WAITING})
async def change_settings(
    admin: Annotated[AdminRequest, may_write(Right.SETTINGS_WRITE, fresh=True)],
    database: DatabaseDep,
    settings: SettingsDep,
    form: SettingsInput,
) -> Envelope[OfficeSettings]:
    """Change settings; another transfer account and higher limits need a second person (202)."""
    return to_response(await settings_service.change_settings(database, settings, admin, form))


@router.get("/api/v1/admin/jobs", responses=documented_admin())
async def list_jobs(
    _admin: Annotated[AdminRequest, may_read(Right.SYSTEM_READ)], context: OversightDep
) -> Envelope[Page[JobAnswer]]:
    """List the jobs by name, each with its last run."""
    return ok(await jobs.list_jobs(context))


@router.post("/api/v1/admin/jobs/{name}/run", responses=documented_admin())
async def run_job(
    admin: Annotated[AdminRequest, may_write(Right.SYSTEM_WRITE)],
    context: OversightDep,
    name: ExistingName,
) -> Envelope[StartedJob]:
    """Run a job now and wait until it is done, for a backup at most 20 seconds."""
    return to_response(await jobs.run_job(context, admin, name))


router.routes.extend(entrance.routes)
