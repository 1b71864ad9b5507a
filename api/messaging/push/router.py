"""HTTP routes of push."""

from typing import Annotated

from fastapi import APIRouter, Depends, status

from api.foundation.core import clock
from api.foundation.http.dependencies import CurrentMember, DatabaseDep, WritingMember, provided
from api.foundation.http.responses import documented
from api.foundation.http.strict_requests import StrictRoute
from api.foundation.wire.schemas import Envelope, ExistingId, created, ok
from api.messaging.push import service
from api.messaging.push.schemas import (
    PushKeyAnswer,
    PushSubscriptionAnswer,
    PushSubscriptionId,
    PushSubscriptionInput,
)
from api.messaging.push.service import PushContext

router = APIRouter(tags=["push"], route_class=StrictRoute)
ContextDep = Annotated[PushContext, Depends(provided(PushContext))]


@router.get("/api/v1/push/key", responses=documented(401))
async def read_push_key(_member: CurrentMember, context: ContextDep) -> Envelope[PushKeyAnswer]:
    """Read the key that browsers subscribe with; null if push is disabled."""
    return ok(service.read_key(context))


@router.get("/api/v1/push/subscriptions", responses=documented(401))
async def list_push_subscriptions(
    member: CurrentMember, database: DatabaseDep
) -> Envelope[list[PushSubscriptionAnswer]]:
    """List the member's subscribed browsers."""
    return ok(await service.list_subscriptions(database, member))


@router.post(
    "/api/v1/push/subscriptions",
    status_code=status.HTTP_201_CREATED,
    responses=documented(401, 429),
)
async def subscribe_to_push(
    member: WritingMember, context: ContextDep, form: PushSubscriptionInput
) -> Envelope[PushSubscriptionId]:
    """Subscribe this browser until the member signs out of it.

    A member has at most five; the oldest is deleted.
    """
    kept = await service.subscribe(context, member, form, clock.now())
    return created(kept, "Notifications are on in this browser.")


@router.delete("/api/v1/push/subscriptions/{subscription_id}", responses=documented(401, 404, 429))
async def unsubscribe_from_push(
    member: WritingMember, database: DatabaseDep, subscription_id: ExistingId
) -> Envelope[None]:
    """Unsubscribe one of the member's browsers."""
    await service.unsubscribe(database, member.user_id, subscription_id)
    return ok(None, "Notifications are off in this browser.")
