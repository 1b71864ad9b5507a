"""HTTP routes of the badges."""

from fastapi import APIRouter

from api.achievements.schemas import BadgeAnswer
from api.achievements.service import badges
from api.core import clock
from api.http.dependencies import CurrentMember, DatabaseDep
from api.http.responses import documented
from api.http.strict_requests import StrictRoute
from api.http.wire import Envelope, ExistingId, ok

router = APIRouter(tags=["achievements"], route_class=StrictRoute)


@router.get("/api/v1/badges/{user_id}", responses=documented(401, 404))
async def list_badges(
    member: CurrentMember, database: DatabaseDep, user_id: ExistingId
) -> Envelope[list[BadgeAnswer]]:
    """List all badges: the member's own, and how to get the others."""
    member.require_self(user_id)
    return ok(await badges.list_badges(database, member, clock.now()))
