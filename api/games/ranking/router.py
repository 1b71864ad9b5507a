"""HTTP routes of the ranking."""

from typing import Annotated

from fastapi import APIRouter, Query, status

from api.foundation.core import clock
from api.foundation.http.admin_calls import (
    admin_router,
    documented_admin,
    may_read,
    may_write,
    to_response,
)
from api.foundation.http.dependencies import BoardsDep, CurrentMember, DatabaseDep, WritingMember
from api.foundation.http.responses import documented
from api.foundation.http.strict_requests import StrictRoute
from api.foundation.security.operators import AdminRequest
from api.foundation.security.rights import Right
from api.foundation.wire.results import Page
from api.foundation.wire.schemas import Envelope, ExistingId, Id, ok
from api.games.ranking.enums import Period, Scope
from api.games.ranking.schemas import (
    AdminSeason,
    LeaderBoard,
    PointRow,
    RankRow,
    SeasonChange,
    SeasonInput,
    Statistics,
)
from api.games.ranking.service import boards, position, seasons

MAX_PAGE_SIZE = 100
LAST_PAGE = 200
SEASONS = "/api/v1/admin/seasons"

router = APIRouter(tags=["ranking"], route_class=StrictRoute)
back_office = admin_router()


@router.get("/api/v1/dashboard/statistics/{user_id}", responses=documented(401, 404))
async def read_statistics(
    member: CurrentMember, database: BoardsDep, user_id: ExistingId
) -> Envelope[Statistics]:
    """Read the member's ranking and the club's leader board of the season."""
    member.require_self(user_id)
    return ok(await boards.statistics(database, member.user_id, clock.now()))


@router.get("/api/v1/leaderboard", responses=documented(401))
async def read_leaderboard(
    member: CurrentMember,
    database: BoardsDep,
    scope: Annotated[Scope, Query(description="The member's own club, or all clubs")] = Scope.CLUB,
    period: Annotated[Period, Query(description="Days, weeks and months in Lagos time")] = (
        Period.SEASON
    ),
    page: Annotated[int, Query(ge=1, le=LAST_PAGE)] = 1,
) -> Envelope[LeaderBoard]:
    """Read one page of a leader board, with the member's own place on it."""
    board = await boards.leaderboard(
        database,
        user_id=member.user_id,
        club_id=member.club_id,
        scope=scope,
        period=period,
        page=page,
        now=clock.now(),
    )
    return ok(board)


@router.get("/api/v1/points/{user_id}", responses=documented(401, 404))
async def list_points(
    member: CurrentMember,
    database: DatabaseDep,
    user_id: ExistingId,
    before: Annotated[Id | None, Query(description="Rows older than this one")] = None,
    limit: Annotated[int, Query(ge=1, le=MAX_PAGE_SIZE)] = 20,
) -> Envelope[list[PointRow]]:
    """List the member's points, newest first, each with its reason."""
    member.require_self(user_id)
    return ok(await boards.list_points(database, member.user_id, before=before, limit=limit))


@router.get("/api/v1/battlezone-rank-config", responses=documented(401))
async def list_ranks(_member: CurrentMember, database: DatabaseDep) -> Envelope[list[RankRow]]:
    """List the ranks of the season, lowest first; King of Fans is above the last."""
    return ok(await seasons.list_ranks(database, clock.now()))


@router.post("/api/v1/celebrations/{celebration_id}/seen", responses=documented(401, 404, 429))
async def see_celebration(
    member: WritingMember, database: DatabaseDep, celebration_id: ExistingId
) -> Envelope[None]:
    """Mark a celebration as seen, which ends it on all devices."""
    await position.see_celebration(database, member.user_id, celebration_id, clock.now())
    return ok(None)


@back_office.get(SEASONS, responses=documented_admin())
async def list_seasons(
    _admin: Annotated[AdminRequest, may_read(Right.GAMES_READ)],
    database: DatabaseDep,
    before: ExistingId | None = None,
    limit: Annotated[int, Query(ge=1, le=MAX_PAGE_SIZE)] = 50,
) -> Envelope[Page[AdminSeason]]:
    """List the seasons with their ladders, newest first."""
    return ok(await seasons.list_seasons(database, clock.now(), before=before, limit=limit))


@back_office.post(SEASONS, status_code=status.HTTP_201_CREATED, responses=documented_admin(409))
async def create_season(
    admin: Annotated[AdminRequest, may_write(Right.GAMES_WRITE)],
    database: DatabaseDep,
    form: SeasonInput,
) -> Envelope[AdminSeason]:
    """Create a season with its ladder."""
    return to_response(await seasons.create_season(database, admin, form, clock.now()))


@back_office.put(f"{SEASONS}/{{season_id}}", responses=documented_admin(409))
async def change_season(
    admin: Annotated[AdminRequest, may_write(Right.GAMES_WRITE)],
    database: DatabaseDep,
    season_id: ExistingId,
    form: SeasonChange,
) -> Envelope[AdminSeason]:
    """Replace a season; once it has begun, its start, ranks and thresholds are fixed."""
    return to_response(await seasons.change_season(database, admin, season_id, form, clock.now()))


router.routes.extend(back_office.routes)
