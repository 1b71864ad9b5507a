"""HTTP door of the ranking."""

from fastapi import APIRouter

from api.core.doors import DatabaseDep, documented
from api.core.http import StrictRoute
from api.core.identity import CurrentMember
from api.core.wire import Envelope, OpaqueId, ok
from api.ranking import service
from api.ranking.schemas import Statistics

router = APIRouter(tags=["ranking"], route_class=StrictRoute)


@router.get("/api/v1/dashboard/statistics/{user_id}", responses=documented(401, 404))
async def read_statistics(
    member: CurrentMember, database: DatabaseDep, user_id: OpaqueId
) -> Envelope[Statistics]:
    """Read the member's ranking and the club's leader board."""
    member.require_self(user_id)
    return ok(await service.statistics(database, member.user_id))
