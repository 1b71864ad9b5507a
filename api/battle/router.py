"""HTTP routes of the Battle Zone."""

from fastapi import APIRouter

from api.battle import service
from api.battle.schemas import BattleConfig
from api.core import clock
from api.http.dependencies import CurrentMember, DatabaseDep
from api.http.responses import documented
from api.http.strict_requests import StrictRoute
from api.http.wire import Envelope, ok

router = APIRouter(tags=["battle"], route_class=StrictRoute)


@router.get("/api/v1/battle-ground-config", responses=documented(401))
async def read_battle_config(
    member: CurrentMember, database: DatabaseDep
) -> Envelope[BattleConfig | None]:
    """Read the season's rules, the member's day and the server's clock; null without a season."""
    return ok(await service.config(database, member.user_id, clock.now()))
