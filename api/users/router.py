"""HTTP door of the member record."""

from fastapi import APIRouter

from api.core.doors import DatabaseDep, documented
from api.core.http import StrictRoute
from api.core.identity import CurrentMember
from api.core.wire import Envelope, OpaqueId, ok
from api.users import service
from api.users.schemas import Profile

router = APIRouter(tags=["users"], route_class=StrictRoute)


@router.get("/api/v1/users/{user_id}", responses=documented(401, 404))
async def read_profile(
    member: CurrentMember, database: DatabaseDep, user_id: OpaqueId
) -> Envelope[Profile]:
    """Read the member's own record; anybody else's is not found."""
    member.require_self(user_id)
    return ok(await service.profile(database, member.user_id))
