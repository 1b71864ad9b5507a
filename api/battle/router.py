"""HTTP door of the Battle Zone."""

from fastapi import APIRouter

from api.battle import service
from api.battle.schemas import BattleConfig
from api.core import clock
from api.core.doors import DatabaseDep, documented
from api.core.http import StrictRoute
from api.core.identity import CurrentMember
from api.core.wire import Envelope, ok

router = APIRouter(tags=["battle"], route_class=StrictRoute)


@router.get("/api/v1/battle-ground-config", responses=documented(401))
async def read_battle_config(
    _member: CurrentMember, database: DatabaseDep
) -> Envelope[BattleConfig | None]:
    """Read the season's dates and rules, and the server's clock; null when there is no season."""
    return ok(await service.config(database, clock.now()))
