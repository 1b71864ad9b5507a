"""HTTP routes of moments."""

from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request, Response, status
from pydantic import StringConstraints

from api.community.moments.enums import MomentState
from api.community.moments.schemas import (
    CREATE_FORM,
    MAX_TITLE_LENGTH,
    Applause,
    ModerateMoment,
    MomentAnswer,
    MomentReported,
    MomentRow,
    PublicMoment,
    ReportMoment,
    SharedMoment,
    ShareMoment,
)
from api.community.moments.service import moderation, posting, sharing
from api.foundation.approvals.schemas import WAITING
from api.foundation.core import clock
from api.foundation.http.admin_calls import (
    admin_router,
    documented_admin,
    may_read,
    may_write,
    to_response,
)
from api.foundation.http.admission import LoadClass
from api.foundation.http.attachments import attachment
from api.foundation.http.body_limits import BodyLimit
from api.foundation.http.dependencies import CurrentMember, DatabaseDep, WritingMember, provided
from api.foundation.http.idempotency_header import REPLAYED_HEADER, IdempotencyKeyHeader
from api.foundation.http.prebuilt import has_current, weak_etag
from api.foundation.http.responses import documented
from api.foundation.http.strict_requests import StrictRoute
from api.foundation.http.uploads import UploadGate
from api.foundation.media.uploading import UploadContext
from api.foundation.security.operators import AdminRequest
from api.foundation.security.rights import Right
from api.foundation.wire.results import Page
from api.foundation.wire.schemas import Envelope, ExistingId, ExistingName, SafeText, created, ok

CREATE_PATH = "/api/v1/moment/create"
BODY_LIMITS = {CREATE_PATH: BodyLimit(posting.FORM.body_bytes, posting.VIDEO_TOO_LARGE)}
LOAD_CLASSES = {CREATE_PATH: LoadClass.COSTLY}
FETCHED = "Your content has been fetched successfully."  # spec 8
REPORTED = "Thank you. Our moderators will look at it."
PUBLIC_HEADERS = {"Cache-Control": "public, max-age=30, stale-while-revalidate=300"}
UPLOADED = "Your moment has been uploaded successfully."  # spec 8
UploadContextDep = Annotated[UploadContext, Depends(provided(UploadContext))]
GateDep = Annotated[UploadGate, Depends(provided(UploadGate))]

Moderator = Annotated[AdminRequest, may_write(Right.CHAT_WRITE)]

router = APIRouter(tags=["moments"], route_class=StrictRoute)
back_office = admin_router()


@router.get("/api/v1/moment/post/user/{user_id}", responses=documented(401, 404))
async def list_moments(
    member: CurrentMember, database: DatabaseDep, user_id: ExistingId
) -> Envelope[list[MomentAnswer]]:
    """List the member's own moments, newest first."""
    member.require_self(user_id)
    return ok(await posting.list_moments(database, member.user_id), FETCHED)


@router.post(
    CREATE_PATH,
    status_code=status.HTTP_201_CREATED,
    responses=documented(401, 404, 409, 415, 429),
    openapi_extra=CREATE_FORM,
)
async def create_moment(
    request: Request,
    response: Response,
    member: WritingMember,
    context: UploadContextDep,
    gate: GateDep,
    key: IdempotencyKeyHeader,
) -> Envelope[MomentAnswer]:
    """Post a moment: a video of at most 4,194,304 bytes (MP4 or WebM) with its thumbnail."""
    async with gate.received_form(request, posting.FORM, context.uploads, member.user_id) as form:
        posted = await posting.post(context, member.user_id, form, key)
    if posted.replayed:
        response.headers[REPLAYED_HEADER] = "true"
    return created(posted.answer, UPLOADED)


@router.get("/api/v1/moment/feed", responses=documented(401))
async def list_shared(member: CurrentMember, database: DatabaseDep) -> Envelope[list[SharedMoment]]:
    """List the moments shared with the member's club, latest share first; at most twenty."""
    return ok(await sharing.list_shared(database, member, clock.now()))


@router.put("/api/v1/moment/{moment_id}/share", responses=documented(401, 404, 409, 429))
async def share_moment(
    member: WritingMember,
    database: DatabaseDep,
    moment_id: ExistingId,
    form: ShareMoment | None = None,
) -> Envelope[MomentAnswer]:
    """Share a moment with the club: one per Lagos day, three with a plan; again changes nothing.

    `public` opens `/v/{momentId}` to everybody; without it the link is closed. A share that was
    taken back still counts; the moment may be shared again the same day.
    """
    is_public = form is not None and form.public
    now = clock.now()
    return ok(await sharing.share(database, member, moment_id, now, is_public=is_public))


@router.delete("/api/v1/moment/{moment_id}/share", responses=documented(401, 404, 429))
async def unshare_moment(
    member: WritingMember, database: DatabaseDep, moment_id: ExistingId
) -> Envelope[MomentAnswer]:
    """Stop sharing a moment, with the club and by its link; repeating it changes nothing."""
    return ok(await sharing.unshare(database, member, moment_id))


@router.get(
    "/api/v1/public/moments/{moment_id}",
    response_model=Envelope[PublicMoment],
    responses={**documented(404), 304: {"description": "Not changed"}},
)
async def read_public_moment(
    request: Request, database: DatabaseDep, moment_id: ExistingId
) -> Response:
    """Read a moment that its member shared publicly."""
    answer = ok(await sharing.read_public(database, moment_id, clock.now()))
    body = answer.model_dump_json().encode()
    headers = {**PUBLIC_HEADERS, "ETag": weak_etag(body)}
    if has_current(request.headers.get("if-none-match", ""), headers["ETag"]):
        return Response(status_code=status.HTTP_304_NOT_MODIFIED, headers=headers)
    return Response(body, media_type="application/json", headers=headers)


@router.put("/api/v1/moment/{moment_id}/applause", responses=documented(401, 404, 409, 429))
async def applaud_moment(
    member: WritingMember, database: DatabaseDep, moment_id: ExistingId
) -> Envelope[Applause]:
    """Applaud a moment of the club; repeating it changes nothing."""
    return ok(await sharing.applaud(database, member, moment_id, clock.now(), applauds=True))


@router.delete("/api/v1/moment/{moment_id}/applause", responses=documented(401, 404, 409, 429))
async def stop_applauding(
    member: WritingMember, database: DatabaseDep, moment_id: ExistingId
) -> Envelope[Applause]:
    """Remove the applause for a moment; repeating it changes nothing."""
    return ok(await sharing.applaud(database, member, moment_id, clock.now(), applauds=False))


@router.post(
    "/api/v1/moment/{moment_id}/reports",
    status_code=status.HTTP_201_CREATED,
    responses=documented(401, 404, 409, 429),
)
async def report_moment(
    response: Response,
    member: WritingMember,
    database: DatabaseDep,
    moment_id: ExistingId,
    form: ReportMoment,
) -> Envelope[MomentReported]:
    """Report a moment to the moderators; a second report returns 200 and the first report.

    Reports that weigh as much as three members' hide it until a moderator decides. A member counts
    once per author and Lagos day, and half in the first 72 hours of the account.
    """
    reported = await sharing.report(database, member, moment_id, form.reason)
    if reported.is_new:
        return created(reported.answer, REPORTED)
    response.status_code = status.HTTP_200_OK
    return ok(reported.answer, REPORTED)


@back_office.get("/api/v1/admin/moments", responses=documented_admin())
async def list_all_moments(
    admin: Annotated[AdminRequest, may_read(Right.CHAT_WRITE)],
    database: DatabaseDep,
    q: Annotated[SafeText, StringConstraints(min_length=1, max_length=MAX_TITLE_LENGTH)]
    | None = None,
    member: ExistingId | None = None,
    state: MomentState | None = None,
    reported: bool = False,
    before: ExistingId | None = None,
    limit: Annotated[int, Query(ge=1, le=100)] = 50,
) -> Envelope[Page[MomentRow]]:
    """List all members' moments, newest first; ``q`` is a prefix of the title.

    ``reported`` lists only those with open reports.
    """
    page = await moderation.list_all_moments(
        database,
        admin,
        title=q,
        user_id=member,
        state=state,
        reported=reported,
        before=before,
        limit=limit,
    )
    return ok(page)


@back_office.get("/api/v1/admin/moments/{moment_id}/{part}", responses=documented_admin())
async def look_at_moment(
    admin: Annotated[AdminRequest, may_read(Right.CHAT_WRITE)],
    context: UploadContextDep,
    moment_id: ExistingId,
    part: ExistingName,
) -> Response:
    """Download a moment's ``video`` or ``thumbnail``, hidden or not; the audit log records it."""
    found = await moderation.read_file(context, admin, moment_id, part)
    return attachment(found.content, found.content_type, found.name)


@back_office.post(
    "/api/v1/admin/moments/{moment_id}/hide", responses=documented_admin(409) | WAITING
)
async def hide_moment(
    admin: Moderator, database: DatabaseDep, moment_id: ExistingId, form: ModerateMoment
) -> Envelope[MomentRow]:
    """Hide a moment from members' lists, stop serving its media, and notify its member."""
    return to_response(await moderation.hide(database, admin, moment_id, form, clock.now()))


@back_office.post(
    "/api/v1/admin/moments/{moment_id}/restore", responses=documented_admin(409) | WAITING
)
async def restore_moment(
    admin: Moderator, database: DatabaseDep, moment_id: ExistingId, form: ModerateMoment
) -> Envelope[MomentRow]:
    """Show a hidden moment again."""
    return to_response(await moderation.restore(database, admin, moment_id, form, clock.now()))


@router.delete("/api/v1/moment/post/delete/{post_id}", responses=documented(401, 404, 429))
async def remove_moment(
    member: WritingMember, context: UploadContextDep, post_id: ExistingId
) -> Envelope[None]:
    """Delete one of the member's own moments and its files."""
    await posting.remove(context, member.user_id, post_id)
    return ok(None, FETCHED)


router.routes.extend(back_office.routes)
