"""HTTP calls of the plans."""

from fastapi import APIRouter, Response, status

from api.core import clock
from api.http.dependencies import CurrentMember, DatabaseDep
from api.http.idempotency_header import REPLAYED_HEADER, IdempotencyKeyHeader
from api.http.responses import documented
from api.http.strict_requests import StrictRoute
from api.http.wire import Envelope, ExistingId, created, ok
from api.subscriptions import service
from api.subscriptions.schemas import CurrentPlan, PlanAnswer, SubscribeAnswer, SubscribeInput

router = APIRouter(tags=["subscriptions"], route_class=StrictRoute)


@router.get("/api/v1/subscription", responses=documented(401))
async def list_plans(_member: CurrentMember, database: DatabaseDep) -> Envelope[list[PlanAnswer]]:
    """List the plans on offer."""
    return ok(await service.list_plans(database))


@router.get("/api/v1/users/plan/validate/{user_id}", responses=documented(401, 404))
async def read_current_plan(
    member: CurrentMember, database: DatabaseDep, user_id: ExistingId
) -> Envelope[CurrentPlan]:
    """Read which plan the member is on, and whether it includes Battle Zone."""
    member.require_self(user_id)
    return ok(await service.current_plan(database, member.user_id, clock.now()))


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
    """Subscribe to a plan from the wallet; the same Idempotency-Key again charges nothing."""
    if form.user_id is not None:
        member.require_self(form.user_id)
    done = await service.subscribe(database, member.user_id, form, key, clock.now())
    if done.replayed:
        response.headers[REPLAYED_HEADER] = "true"
    return created(done.answer, f"You are subscribed to {done.answer.plan}.")
