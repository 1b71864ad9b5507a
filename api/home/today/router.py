"""HTTP route of the home screen."""

from typing import Annotated

from fastapi import APIRouter, Depends

from api.foundation.core import clock
from api.foundation.http.dependencies import CurrentMember, provided
from api.foundation.http.responses import documented
from api.foundation.http.strict_requests import StrictRoute
from api.foundation.wire.schemas import Envelope, ok
from api.home.today.schemas import TodayAnswer
from api.home.today.service import home
from api.home.today.service.home import TodayContext

router = APIRouter(tags=["today"], route_class=StrictRoute)


@router.get("/api/v1/today", responses=documented(401))
async def read_member_day(
    member: CurrentMember, context: Annotated[TodayContext, Depends(provided(TodayContext))]
) -> Envelope[TodayAnswer]:
    """Read the member's games, the suggested action, and the member's position."""
    return ok(await home.today(context, member, clock.now()))
