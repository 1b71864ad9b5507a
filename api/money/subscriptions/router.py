"""HTTP routes of subscriptions."""

from typing import Annotated

from fastapi import APIRouter, Query, Response, status

from api.foundation.approvals.schemas import WAITING
from api.foundation.core import clock
from api.foundation.http.admin_calls import (
    admin_router,
    documented_admin,
    may_read,
    may_write,
    to_response,
)
from api.foundation.http.dependencies import CurrentMember, DatabaseDep
from api.foundation.http.idempotency_header import REPLAYED_HEADER, IdempotencyKeyHeader
from api.foundation.http.responses import documented
from api.foundation.http.strict_requests import StrictRoute
from api.foundation.security.operators import AdminRequest
from api.foundation.security.rights import Right
from api.foundation.wire.results import Page
from api.foundation.wire.schemas import Envelope, ExistingId, Id, created, ok
from api.money.subscriptions.schemas import (
    CurrentPlan,
    GiftAnswer,
    GiftInput,
    GiftsAnswer,
    GiftsInput,
    PeriodAnswer,
    PlanAnswer,
    PlanChange,
    PlanInput,
    PlanRow,
    RenewalInput,
    SubscribeAnswer,
    SubscribeInput,
)
from api.money.subscriptions.service import buying, giving, member_plans, offering, renewing

RENEWS = "Your plan renews automatically."
ENDS = "Your plan ends with its period."

PlanWriter = Annotated[AdminRequest, may_write(Right.PLANS_WRITE, fresh=True)]

router = APIRouter(tags=["subscriptions"], route_class=StrictRoute)
back_office = admin_router()


@router.get("/api/v1/subscription", responses=documented(401))
async def list_plans(_member: CurrentMember, database: DatabaseDep) -> Envelope[list[PlanAnswer]]:
    """List the plans on offer."""
    return ok(await buying.list_plans(database))


@router.get("/api/v1/users/plan/validate/{user_id}", responses=documented(401, 404))
async def read_current_plan(
    member: CurrentMember, database: DatabaseDep, user_id: ExistingId
) -> Envelope[CurrentPlan]:
    """Read the member's current plan, and whether it includes Battle Zone."""
    member.require_self(user_id)
    return ok(await member_plans.current_plan(database, member.user_id, clock.now()))


@router.post(
    "/api/v1/users/subscription",
    status_code=status.HTTP_201_CREATED,
    responses=documented(401, 402, 404, 409),
)
async def subscribe(
    response: Response,
    member: CurrentMember,
    database: DatabaseDep,
    form: SubscribeInput,
    key: IdempotencyKeyHeader,
) -> Envelope[SubscribeAnswer]:
    """Subscribe to a plan from the wallet; a repeated Idempotency-Key charges nothing."""
    if form.user_id is not None:
        member.require_self(form.user_id)
    done = await buying.subscribe(database, member.user_id, form, key, clock.now())
    if done.replayed:
        response.headers[REPLAYED_HEADER] = "true"
    return created(done.answer, f"You are subscribed to {done.answer.plan}.")


@router.get("/api/v1/users/subscription/{user_id}", responses=documented(401, 404))
async def list_periods(
    member: CurrentMember,
    database: DatabaseDep,
    user_id: ExistingId,
    before: Annotated[Id | None, Query(description="Periods older than this one")] = None,
    limit: Annotated[int, Query(ge=1, le=100)] = 50,
) -> Envelope[list[PeriodAnswer]]:
    """List the member's periods, newest first."""
    member.require_self(user_id)
    periods = await member_plans.list_periods(
        database, member.user_id, clock.now(), before=before, limit=limit
    )
    return ok(periods)


@router.put("/api/v1/users/subscription/{user_id}/renewal", responses=documented(401, 404, 409))
async def change_renewal(
    member: CurrentMember, database: DatabaseDep, user_id: ExistingId, form: RenewalInput
) -> Envelope[CurrentPlan]:
    """Turn automatic renewal on, or off at the period's end; in grace, off ends it at once."""
    member.require_self(user_id)
    current = await renewing.set_renewal(
        database, member.user_id, renews=form.renews, now=clock.now()
    )
    return ok(current, RENEWS if form.renews else ENDS)


@back_office.get("/api/v1/admin/plans", responses=documented_admin())
async def list_all_plans(
    _admin: Annotated[AdminRequest, may_read(Right.PLANS_WRITE)],
    database: DatabaseDep,
    before: ExistingId | None = None,
    limit: Annotated[int, Query(ge=1, le=100)] = 50,
) -> Envelope[Page[PlanRow]]:
    """List all plans, on offer or not, newest first."""
    return ok(await offering.list_all_plans(database, before=before, limit=limit))


@back_office.post(
    "/api/v1/admin/plans", status_code=status.HTTP_201_CREATED, responses=documented_admin(409)
)
async def create_plan(
    admin: PlanWriter, database: DatabaseDep, form: PlanInput
) -> Envelope[PlanRow]:
    """Create a plan."""
    return to_response(await offering.create_plan(database, admin, form))


@back_office.patch("/api/v1/admin/plans/{plan_id}", responses=documented_admin(409))
async def change_plan(
    admin: PlanWriter, database: DatabaseDep, plan_id: ExistingId, form: PlanChange
) -> Envelope[PlanRow]:
    """Update a plan; current periods, and renewals in the next 14 days, keep their price."""
    return to_response(await offering.change_plan(database, admin, plan_id, form, clock.now()))


@back_office.post(
    "/api/v1/admin/plans/{plan_id}/gifts",
    status_code=status.HTTP_201_CREATED,
    responses=documented_admin(409) | WAITING,
)
async def give_plans(
    admin: PlanWriter, database: DatabaseDep, plan_id: ExistingId, form: GiftsInput
) -> Envelope[GiftsAnswer]:
    """Give a plan to several members; gifts above the limits wait for a second person."""
    return to_response(await giving.give_all(database, admin, plan_id, form, clock.now()))


@back_office.post(
    "/api/v1/admin/members/{user_id}/gift",
    status_code=status.HTTP_201_CREATED,
    responses=documented_admin(409) | WAITING,
)
async def give_plan(
    admin: PlanWriter, database: DatabaseDep, user_id: ExistingId, form: GiftInput
) -> Envelope[GiftAnswer]:
    """Give a member a plan."""
    return to_response(await giving.give(database, admin, user_id, form, clock.now()))


router.routes.extend(back_office.routes)
