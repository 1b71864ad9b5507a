"""HTTP routes of the badges."""

from fastapi import APIRouter

from api.foundation.core import clock
from api.foundation.http.dependencies import CurrentMember, DatabaseDep
from api.foundation.http.responses import documented
from api.foundation.http.strict_requests import StrictRoute
from api.foundation.wire.schemas import Envelope, ExistingId, ok
from api.games.achievements.schemas import BadgeAnswer
from api.games.achievements.service import badges

router = APIRouter(tags=["achievements"], route_class=StrictRoute)


@router.get("/api/v1/badges/{user_id}", responses=documented(401, 404))
async def list_badges(
    member: CurrentMember, database: DatabaseDep, user_id: ExistingId
) -> Envelope[list[BadgeAnswer]]:
    """List all badges: those the member has, and how to get the others."""
    member.require_self(user_id)
    return ok(await badges.list_badges(database, member, clock.now()))
