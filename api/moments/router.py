"""HTTP calls of moments."""

from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response, status

from api.http.dependencies import CurrentMember, DatabaseDep, provided
from api.http.idempotency_header import REPLAYED_HEADER, IdempotencyKeyHeader
from api.http.middleware import BodyLimit
from api.http.responses import documented
from api.http.strict_requests import StrictRoute
from api.http.uploads import UploadGate, received_form
from api.http.wire import Envelope, ExistingId, created, ok
from api.media.uploading import UploadContext
from api.moments import service
from api.moments.schemas import CREATE_FORM, MomentAnswer

CREATE_PATH = "/api/v1/moment/create"
BODY_LIMITS = {CREATE_PATH: BodyLimit(service.FORM.body_bytes, service.VIDEO_TOO_LARGE)}
FETCHED = "Your content has been fetched successfully."  # spec 8
UPLOADED = "Your moment has been uploaded successfully."  # spec 8


UploadContextDep = Annotated[UploadContext, Depends(provided(UploadContext))]
GateDep = Annotated[UploadGate, Depends(provided(UploadGate))]

router = APIRouter(tags=["moments"], route_class=StrictRoute)


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


@router.delete("/api/v1/moment/post/delete/{post_id}", responses=documented(401, 404))
async def remove_moment(
    member: CurrentMember, context: UploadContextDep, post_id: ExistingId
) -> Envelope[None]:
    """Remove one of the member's own moments and its files."""
    await service.remove(context, member.user_id, post_id)
    return ok(None, FETCHED)
