"""HTTP door of the clubs."""

from fastapi import APIRouter, Depends, Response

from api.clubs import service
from api.clubs.schemas import ClubAnswer
from api.core.doors import DatabaseDep, documented, limit_anonymous
from api.core.errors import NotFoundError
from api.core.http import StrictRoute
from api.core.ids import parse_id
from api.core.wire import Envelope, OpaqueId, ok

CREST_HEADERS = {
    "Cache-Control": "public, max-age=86400",
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
}

router = APIRouter(tags=["clubs"], route_class=StrictRoute)


@router.get("/api/v1/clubs", responses=documented(429), dependencies=[Depends(limit_anonymous)])
async def list_clubs(database: DatabaseDep) -> Envelope[list[ClubAnswer]]:
    """List the clubs that a member can belong to; no token needed."""
    return ok(await service.list_clubs(database))


@router.get("/media/crests/{club_id}.svg", include_in_schema=False)
async def read_crest(database: DatabaseDep, club_id: OpaqueId) -> Response:
    """Draw a club's crest."""
    found = parse_id(club_id)
    if found is None:
        raise NotFoundError
    return Response(
        await service.draw_crest(database, found),
        media_type="image/svg+xml",
        headers=CREST_HEADERS,
    )
