"""HTTP routes of the clubs."""

from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request, Response, status

from api.foundation.http.admin_calls import (
    admin_router,
    documented_admin,
    may_read,
    may_write,
    to_response,
)
from api.foundation.http.body_limits import BodyLimit
from api.foundation.http.dependencies import AnswersDep, DatabaseDep, provided
from api.foundation.http.prebuilt import has_current, respond_encoded
from api.foundation.http.refusals import MEDIA_POLICY
from api.foundation.http.responses import documented
from api.foundation.http.strict_requests import StrictRoute
from api.foundation.http.uploads import UploadGate
from api.foundation.media.uploading import UploadContext
from api.foundation.security.operators import AdminRequest
from api.foundation.security.rights import Right
from api.foundation.wire.results import Page
from api.foundation.wire.schemas import Envelope, ExistingId, ok
from api.people.clubs import rules
from api.people.clubs.schemas import CREST_FORM, ClubAnswer, ClubChange, ClubInput, ClubRow
from api.people.clubs.service import admin as admin_service
from api.people.clubs.service import queries

LIST_HEADERS = {"Cache-Control": "no-cache"}
DRAWN_HEADERS = {
    # These URLs never change, but the content can: everyone sees the new one soon.
    "Cache-Control": "public, max-age=300, stale-while-revalidate=86400",
    "Content-Security-Policy": f"{MEDIA_POLICY}; style-src 'unsafe-inline'",
    "X-Content-Type-Options": "nosniff",
}
CREST_PATH = "/api/v1/admin/clubs/{club_id}/crest"
BODY_LIMITS = {
    CREST_PATH: BodyLimit(admin_service.CREST_FORM_RULES.body_bytes, admin_service.CREST_TOO_LARGE)
}

UploadContextDep = Annotated[UploadContext, Depends(provided(UploadContext))]
GateDep = Annotated[UploadGate, Depends(provided(UploadGate))]
ClubWriter = Annotated[AdminRequest, may_write(Right.CLUBS_WRITE)]

router = APIRouter(tags=["clubs"], route_class=StrictRoute)
back_office = admin_router()


@router.get(
    "/api/v1/clubs",
    response_model=Envelope[list[ClubAnswer]],
    responses={**documented(), 304: {"description": "The list has not changed"}},
)
async def list_clubs(request: Request, database: DatabaseDep, answers: AnswersDep) -> Response:
    """List the clubs that a member can belong to; no token needed."""
    answer = await answers.get(("clubs",), lambda: queries.list_clubs(database))
    return respond_encoded(request, LIST_HEADERS, answer)


@router.get("/media/crests/{club_id}.svg", include_in_schema=False)
async def read_crest(request: Request, context: UploadContextDep, club_id: ExistingId) -> Response:
    """Serve a club's crest: its picture, or a drawn one."""
    crest = await queries.read_crest(context, club_id)
    return _drawn(request, crest.content, crest.content_type, crest.version)


@router.get("/media/grounds/{club_id}.svg", include_in_schema=False)
async def read_ground(request: Request, database: DatabaseDep, club_id: ExistingId) -> Response:
    """Serve the picture of a club's ground, drawn in its colours."""
    drawn = await queries.read_ground(database, club_id)
    return _drawn(request, drawn.encode(), queries.DRAWN, rules.drawing_version(drawn))


def _drawn(request: Request, content: bytes, content_type: str, version: str) -> Response:
    headers = {**DRAWN_HEADERS, "ETag": f'"{version}"'}
    if has_current(request.headers.get("if-none-match", ""), headers["ETag"]):
        return Response(status_code=status.HTTP_304_NOT_MODIFIED, headers=headers)
    return Response(content, media_type=content_type, headers=headers)


@back_office.get("/api/v1/admin/clubs", responses=documented_admin())
async def list_all_clubs(
    _admin: Annotated[AdminRequest, may_read(Right.CLUBS_WRITE)],
    database: DatabaseDep,
    before: ExistingId | None = None,
    limit: Annotated[int, Query(ge=1, le=100)] = 50,
) -> Envelope[Page[ClubRow]]:
    """List the clubs, hidden or not, newest first."""
    return ok(await admin_service.list_all_clubs(database, before=before, limit=limit))


@back_office.post(
    "/api/v1/admin/clubs", status_code=status.HTTP_201_CREATED, responses=documented_admin(409)
)
async def create_club(
    admin: ClubWriter, database: DatabaseDep, form: ClubInput
) -> Envelope[ClubRow]:
    """Create a club."""
    return to_response(await admin_service.create_club(database, admin, form))


@back_office.patch("/api/v1/admin/clubs/{club_id}", responses=documented_admin(409))
async def change_club(
    admin: ClubWriter, database: DatabaseDep, club_id: ExistingId, form: ClubChange
) -> Envelope[ClubRow]:
    """Update a club; hiding it removes it from the sign-up list, and keeps its members."""
    return to_response(await admin_service.change_club(database, admin, club_id, form))


@back_office.put(
    CREST_PATH, responses=documented_admin(409, 413, 415, 429), openapi_extra=CREST_FORM
)
async def put_crest(
    request: Request,
    admin: ClubWriter,
    context: UploadContextDep,
    gate: GateDep,
    club_id: ExistingId,
) -> Envelope[ClubRow]:
    """Set a club's crest: a JPEG, PNG or WebP of at most 524,288 bytes, re-encoded."""
    async with gate.received_form(
        request, admin_service.CREST_FORM_RULES, context.uploads, admin.operator.user_id
    ) as form:
        return to_response(await admin_service.put_crest(context, admin, club_id, form))


router.routes.extend(back_office.routes)
