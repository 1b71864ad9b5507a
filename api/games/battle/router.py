"""HTTP routes of the Battle Zone."""

from fastapi import APIRouter

from api.foundation.core import clock
from api.foundation.http.dependencies import CurrentMember, DatabaseDep
from api.foundation.http.responses import documented
from api.foundation.http.strict_requests import StrictRoute
from api.foundation.wire.schemas import Envelope, ok
from api.games.battle import service
from api.games.battle.schemas import BattleConfig

router = APIRouter(tags=["battle"], route_class=StrictRoute)


@router.get("/api/v1/battle-ground-config", responses=documented(401))
async def read_battle_config(
    member: CurrentMember, database: DatabaseDep
) -> Envelope[BattleConfig | None]:
    """Read the season's rules, the member's day and the server's clock; null without a season."""
    return ok(await service.config(database, member.user_id, clock.now()))
