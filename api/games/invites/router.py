"""HTTP routes of invites."""

from typing import Annotated

from fastapi import APIRouter, Depends

from api.foundation.core import clock
from api.foundation.http.dependencies import CurrentMember, limit_lookups, provided
from api.foundation.http.responses import documented
from api.foundation.http.strict_requests import StrictRoute
from api.foundation.wire.schemas import Envelope, ExistingId, ok
from api.games.invites import service
from api.games.invites.schemas import InviteAnswer, InviterAnswer
from api.games.invites.service import InviteContext

ContextDep = Annotated[InviteContext, Depends(provided(InviteContext))]

router = APIRouter(tags=["invites"], route_class=StrictRoute)
anonymous = [Depends(limit_lookups)]


@router.get("/api/v1/invites/{user_id}", responses=documented(401, 404))
async def read_invite(
    member: CurrentMember, context: ContextDep, user_id: ExistingId
) -> Envelope[InviteAnswer]:
    """Read the member's own invite and its results."""
    member.require_self(user_id)
    return ok(await service.read_invite(context, user_id, clock.now()))


@router.get("/api/v1/invites/code/{name}", responses=documented(404, 429), dependencies=anonymous)
async def read_inviter(context: ContextDep, name: str) -> Envelope[InviterAnswer]:
    """Read the inviter and the club of a code; no token needed."""
    return ok(await service.read_inviter(context, name))
