"""HTTP calls of the chat."""

from typing import Annotated

from fastapi import APIRouter, Query, status

from api.chat import service
from api.chat.enums import ModerationAction
from api.chat.schemas import (
    ChatMessage,
    ChatStanding,
    JoinChat,
    Mute,
    MuteMember,
    ReportedMessage,
    ReportMessage,
    ReportTaken,
)
from api.core import clock
from api.core.errors import InvalidFieldError, NotFoundError
from api.http.dependencies import CurrentMember, DatabaseDep, SecurityDep
from api.http.responses import documented
from api.http.strict_requests import StrictRoute
from api.http.wire import Envelope, ExistingId, created, ok
from api.security.events import SecurityEvent

REPORTED = "Thank you. Our moderators will look at it."

router = APIRouter(tags=["chat"], route_class=StrictRoute)
operators = APIRouter(tags=["operators"], route_class=StrictRoute)


@router.post("/api/v1/join-chat", responses=documented(401, 404))
async def join_chat(
    member: CurrentMember, database: DatabaseDep, form: JoinChat
) -> Envelope[ChatStanding]:
    """Join the chat; the socket opens only for members who did. Joining again changes nothing."""
    member.require_self(form.id)
    return ok(await service.join(database, member, form.club_name, clock.now()))


@router.get("/api/v1/chat-unread", responses=documented(401))
async def read_unread(member: CurrentMember, database: DatabaseDep) -> Envelope[ChatStanding]:
    """Count what the member has not read in each room."""
    return ok(await service.standing(database, member))


@router.get("/api/v1/chat-messages/{club}", responses=documented(401, 404))
async def list_messages(
    member: CurrentMember,
    database: DatabaseDep,
    club: str,
    before: ExistingId | None = None,
    after: ExistingId | None = None,
    limit: Annotated[int, Query(ge=1, le=100)] = 50,
) -> Envelope[list[ChatMessage]]:
    """List a tab's messages, oldest first: the newest, or those next to the message of an id.

    ``club`` is the member's own club, by id or name, or ``Public``.
    """
    if before is not None and after is not None:
        raise InvalidFieldError.of("after", "Ask for before or after, not for both")
    messages = await service.list_messages(
        database,
        member,
        club,
        before=before,
        after=after,
        most=limit,
    )
    return ok(messages)


@router.post(
    "/api/v1/chat-reports",
    status_code=status.HTTP_201_CREATED,
    responses=documented(401, 404, 409),
)
async def report_message(
    member: CurrentMember, database: DatabaseDep, form: ReportMessage
) -> Envelope[ReportTaken]:
    """Report a message to the moderators; a second report of it keeps the first."""
    taken = await service.report(database, member, form.message_id, form.reason, clock.now())
    return created(taken, REPORTED)


@operators.get("/api/v1/ops/chat/reports", responses=documented(401, 404))
async def list_reports(
    member: CurrentMember, database: DatabaseDep
) -> Envelope[list[ReportedMessage]]:
    """List the messages that members have reported, longest waiting first."""
    member.require_operator()
    return ok(await service.list_reported(database))


@operators.post("/api/v1/ops/chat/messages/{message_id}/{deed}", responses=documented(401, 404))
async def moderate_message(
    member: CurrentMember,
    database: DatabaseDep,
    security: SecurityDep,
    message_id: ExistingId,
    deed: str,
) -> Envelope[None]:
    """Hide a message from everybody, restore it, or dismiss its reports."""
    member.require_operator()
    if deed not in {ModerationAction.HIDE, ModerationAction.RESTORE, ModerationAction.DISMISS}:
        raise NotFoundError
    await service.moderate(database, member, message_id, ModerationAction(deed), clock.now())
    security.record(
        SecurityEvent.OPERATOR_ACTED,
        user_id=member.user_id,
        action=deed,
        message_id=str(message_id),
    )
    return ok(None)


@operators.post("/api/v1/ops/chat/mutes", responses=documented(401, 404))
async def mute_member(
    member: CurrentMember, database: DatabaseDep, security: SecurityDep, form: MuteMember
) -> Envelope[Mute]:
    """Keep a member from writing for some minutes from now; a new mute replaces the old one."""
    member.require_operator()
    muted = await service.mute(
        database, member, form.user_id, form.minutes, form.reason, clock.now()
    )
    security.record(
        SecurityEvent.OPERATOR_ACTED,
        user_id=member.user_id,
        action="mute",
        member_id=str(form.user_id),
    )
    return ok(muted)


@operators.delete("/api/v1/ops/chat/mutes/{user_id}", responses=documented(401, 404))
async def unmute_member(
    member: CurrentMember, database: DatabaseDep, security: SecurityDep, user_id: ExistingId
) -> Envelope[None]:
    """Let a member write again."""
    member.require_operator()
    await service.unmute(database, member, user_id, clock.now())
    security.record(
        SecurityEvent.OPERATOR_ACTED,
        user_id=member.user_id,
        action="unmute",
        member_id=str(user_id),
    )
    return ok(None)


router.routes.extend(operators.routes)
