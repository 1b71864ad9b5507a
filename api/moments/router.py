"""HTTP calls of moments."""

from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request, Response, status
from pydantic import StringConstraints

from api.core import clock
from api.http.admin_answers import answered
from api.http.admin_calls import admin_router, documented_admin, may_read, may_write
from api.http.attachments import attachment
from api.http.dependencies import CurrentMember, DatabaseDep, provided
from api.http.idempotency_header import REPLAYED_HEADER, IdempotencyKeyHeader
from api.http.middleware import BodyLimit
from api.http.responses import documented
from api.http.strict_requests import StrictRoute
from api.http.uploads import UploadGate, received_form
from api.http.wire import Envelope, ExistingId, ExistingName, SafeText, created, ok
from api.media.uploading import UploadContext
from api.moments import service
from api.moments.enums import MomentState
from api.moments.schemas import (
    CREATE_FORM,
    LONGEST_TITLE,
    ModerateMoment,
    MomentAnswer,
    MomentRow,
)
from api.operators.schemas import Page
from api.security.operators import Acting
from api.security.rights import Right

CREATE_PATH = "/api/v1/moment/create"
BODY_LIMITS = {CREATE_PATH: BodyLimit(service.FORM.body_bytes, service.VIDEO_TOO_LARGE)}
FETCHED = "Your content has been fetched successfully."  # spec 8
UPLOADED = "Your moment has been uploaded successfully."  # spec 8


UploadContextDep = Annotated[UploadContext, Depends(provided(UploadContext))]
GateDep = Annotated[UploadGate, Depends(provided(UploadGate))]

Moderator = Annotated[Acting, may_write(Right.CHAT_WRITE)]

router = APIRouter(tags=["moments"], route_class=StrictRoute)
back_office = admin_router()


@router.get("/api/v1/moment/post/user/{user_id}", responses=documented(401, 404))
async def list_moments(
    member: CurrentMember, database: DatabaseDep, user_id: ExistingId
) -> Envelope[list[MomentAnswer]]:
    """List the member's own moments, newest first."""
    member.require_self(user_id)
    return ok(await service.list_moments(database, member.user_id), FETCHED)


@router.post(
    CREATE_PATH,
    status_code=status.HTTP_201_CREATED,
    responses=documented(401, 404, 409, 415, 429),
    openapi_extra=CREATE_FORM,
)
async def create_moment(
    request: Request,
    response: Response,
    member: CurrentMember,
    context: UploadContextDep,
    gate: GateDep,
    key: IdempotencyKeyHeader,
) -> Envelope[MomentAnswer]:
    """Post a moment: a video of at most 4,194,304 bytes (MP4 or WebM) with its thumbnail."""
    async with (
        gate.enter(member.user_id),
        received_form(request, service.FORM, context.uploads) as form,
    ):
        posted = await service.post(context, member.user_id, form, key)
    if posted.replayed:
        response.headers[REPLAYED_HEADER] = "true"
    return created(posted.answer, UPLOADED)


@back_office.get("/api/v1/admin/moments", responses=documented_admin())
async def list_all_moments(
    acting: Annotated[Acting, may_read(Right.CHAT_WRITE)],
    database: DatabaseDep,
    q: Annotated[SafeText, StringConstraints(min_length=1, max_length=LONGEST_TITLE)] | None = None,
    member: ExistingId | None = None,
    state: MomentState | None = None,
    before: ExistingId | None = None,
    limit: Annotated[int, Query(ge=1, le=100)] = 50,
) -> Envelope[Page[MomentRow]]:
    """List everybody's moments, newest first; ``q`` is how the title begins."""
    page = await service.list_all_moments(
        database, acting, title=q, user_id=member, state=state, before=before, limit=limit
    )
    return ok(page)


@back_office.get("/api/v1/admin/moments/{moment_id}/{part}", responses=documented_admin())
async def look_at_moment(
    acting: Annotated[Acting, may_read(Right.CHAT_WRITE)],
    context: UploadContextDep,
    moment_id: ExistingId,
    part: ExistingName,
) -> Response:
    """Read the ``video`` or ``thumbnail`` of a moment, hidden or not; the audit says who did."""
    found = await service.look_at(context, acting, moment_id, part)
    return attachment(found.content, found.content_type, found.name)


@back_office.post("/api/v1/admin/moments/{moment_id}/hide", responses=documented_admin(409))
async def hide_moment(
    acting: Moderator, database: DatabaseDep, moment_id: ExistingId, form: ModerateMoment
) -> Envelope[MomentRow]:
    """Hide a moment: it leaves its member's list, its media are not found, its member is told."""
    return answered(await service.hide(database, acting, moment_id, form, clock.now()))


@back_office.post("/api/v1/admin/moments/{moment_id}/restore", responses=documented_admin(409))
async def restore_moment(
    acting: Moderator, database: DatabaseDep, moment_id: ExistingId, form: ModerateMoment
) -> Envelope[MomentRow]:
    """Show a hidden moment again."""
    return answered(await service.restore(database, acting, moment_id, form, clock.now()))


@router.delete("/api/v1/moment/post/delete/{post_id}", responses=documented(401, 404))
async def remove_moment(
    member: CurrentMember, context: UploadContextDep, post_id: ExistingId
) -> Envelope[None]:
    """Remove one of the member's own moments and its files."""
    await service.remove(context, member.user_id, post_id)
    return ok(None, FETCHED)


router.routes.extend(back_office.routes)
