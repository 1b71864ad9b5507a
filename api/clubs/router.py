"""HTTP calls of the clubs."""

from fastapi import APIRouter, Depends, Response

from api.clubs import service
from api.clubs.schemas import ClubAnswer
from api.http.dependencies import DatabaseDep, limit_anonymous
from api.http.refusals import MEDIA_POLICY
from api.http.responses import documented
from api.http.strict_requests import StrictRoute
from api.http.wire import Envelope, ExistingId, ok

CREST_HEADERS = {
    "Cache-Control": "public, max-age=86400",
    "Content-Security-Policy": f"{MEDIA_POLICY}; style-src 'unsafe-inline'",
}

router = APIRouter(tags=["clubs"], route_class=StrictRoute)


@router.get("/api/v1/clubs", responses=documented(429), dependencies=[Depends(limit_anonymous)])
async def list_clubs(database: DatabaseDep) -> Envelope[list[ClubAnswer]]:
    """List the clubs that a member can belong to; no token needed."""
    return ok(await service.list_clubs(database))


@router.get("/media/crests/{club_id}.svg", include_in_schema=False)
async def read_crest(database: DatabaseDep, club_id: ExistingId) -> Response:
    """Draw a club's crest."""
    return Response(
        await service.draw_crest(database, club_id),
        media_type="image/svg+xml; charset=utf-8",
        headers=CREST_HEADERS,
    )
