"""HTTP routes of the chat."""

from typing import Annotated

from fastapi import APIRouter, Query, status
from pydantic import StringConstraints

from api.community.chat import rules
from api.community.chat.enums import ON_MESSAGES, ModerationAction
from api.community.chat.schemas import (
    Ban,
    BanMember,
    BanRow,
    ChatStanding,
    Evidence,
    HistoryMessage,
    JoinChat,
    Mute,
    MuteMember,
    MuteRow,
    OnlineUser,
    ReportedMessage,
    ReportMessage,
    ReportTaken,
)
from api.community.chat.service import evidence, measures, moderation, people, rooms
from api.foundation.approvals.schemas import WAITING
from api.foundation.core import clock
from api.foundation.core.errors import InvalidFieldError, NotFoundError
from api.foundation.http.admin_calls import (
    admin_router,
    documented_admin,
    may_read,
    may_write,
    to_response,
)
from api.foundation.http.dependencies import CurrentMember, DatabaseDep, LimiterDep
from api.foundation.http.responses import documented
from api.foundation.http.strict_requests import StrictRoute
from api.foundation.security.operators import AdminRequest
from api.foundation.security.rights import Right
from api.foundation.wire.results import Page
from api.foundation.wire.schemas import Envelope, ExistingId, ShortText, created, ok

Moderator = Annotated[AdminRequest, may_write(Right.CHAT_WRITE)]
Limit = Annotated[int, Query(ge=1, le=100)]
REPORTED = "Thank you. Our moderators will look at it."

router = APIRouter(tags=["chat"], route_class=StrictRoute)
back_office = admin_router()


@router.post("/api/v1/join-chat", responses=documented(401, 404, 409))
async def join_chat(
    member: CurrentMember, database: DatabaseDep, form: JoinChat
) -> Envelope[ChatStanding]:
    """Join the chat, which the socket requires. Joining again changes nothing."""
    member.require_self(form.id)
    return ok(await rooms.join(database, member, form.club_name, clock.now()))


@router.get("/api/v1/chat-unread", responses=documented(401))
async def read_unread(member: CurrentMember, database: DatabaseDep) -> Envelope[ChatStanding]:
    """Count the member's unread messages in each room."""
    return ok(await rooms.unread_rooms(database, member))


@router.get("/api/v1/chat-messages/{club}", responses=documented(401, 404, 409))
async def list_messages(
    member: CurrentMember,
    database: DatabaseDep,
    club: str,
    before: ExistingId | None = None,
    after: ExistingId | None = None,
    limit: Annotated[int, Query(ge=1, le=100)] = 50,
) -> Envelope[list[HistoryMessage]]:
    """List a tab's messages, oldest first: the newest, or those next to a given message.

    ``club`` is the member's own club, by id or name, or ``Public``.
    """
    if before is not None and after is not None:
        raise InvalidFieldError.of("after", "Ask for before or after, not for both")
    messages = await rooms.list_messages(
        database,
        member,
        club,
        before=before,
        after=after,
        limit=limit,
    )
    return ok(messages)


@router.get("/api/v1/chat-people/{club}", responses=documented(401, 404, 409, 429))
async def search_people(
    member: CurrentMember,
    database: DatabaseDep,
    limiter: LimiterDep,
    club: str,
    q: Annotated[ShortText, StringConstraints(min_length=rules.MIN_NAME_LENGTH)],
) -> Envelope[list[OnlineUser]]:
    """Search members to mention: those who wrote in the tab in the last 30 days, or are online.

    ``q`` is a prefix of the name, first or last name first; at most eight are returned.
    """
    return ok(await people.search_people(database, limiter, member, club, q, clock.now()))


@router.post(
    "/api/v1/chat-reports",
    status_code=status.HTTP_201_CREATED,
    responses=documented(401, 404, 409),
)
async def report_message(
    member: CurrentMember, database: DatabaseDep, form: ReportMessage
) -> Envelope[ReportTaken]:
    """Report a message to the moderators; a second report keeps the first."""
    taken = await moderation.report(database, member, form.message_id, form.reason, clock.now())
    return created(taken, REPORTED)


@back_office.get("/api/v1/admin/chat/reports", responses=documented_admin())
async def list_reports(
    _admin: Annotated[AdminRequest, may_read(Right.CHAT_WRITE)],
    database: DatabaseDep,
    before: ExistingId | None = None,
    limit: Limit = 50,
) -> Envelope[Page[ReportedMessage]]:
    """List messages with open reports, longest waiting first."""
    return ok(await moderation.list_reported(database, before=before, limit=limit))


@back_office.get("/api/v1/admin/chat/messages/{message_id}/evidence", responses=documented_admin())
async def look_at_evidence(
    admin: Annotated[AdminRequest, may_read(Right.CHAT_WRITE)],
    database: DatabaseDep,
    message_id: ExistingId,
) -> Envelope[Evidence]:
    """Read a message and the ten around it, hidden ones too; the audit log records the read."""
    return ok(await evidence.read_evidence(database, admin, message_id, clock.now()))


@back_office.post(
    "/api/v1/admin/chat/messages/{message_id}/{deed}",
    responses=documented_admin(409) | WAITING,
)
async def moderate_message(
    admin: Moderator, database: DatabaseDep, message_id: ExistingId, deed: str
) -> Envelope[None]:
    """Hide a message from everybody, restore it, or dismiss its reports.

    Hiding or restoring again returns 409 `wrong_state`. The operator's own message waits for a
    second person (202).
    """
    if deed not in ON_MESSAGES:
        raise NotFoundError
    done = await moderation.moderate(
        database, admin, message_id, ModerationAction(deed), clock.now()
    )
    return to_response(done)


@back_office.get("/api/v1/admin/chat/mutes", responses=documented_admin())
async def list_mutes(
    _admin: Annotated[AdminRequest, may_read(Right.CHAT_WRITE)],
    database: DatabaseDep,
    before: ExistingId | None = None,
    limit: Limit = 50,
) -> Envelope[Page[MuteRow]]:
    """List the mutes in force, newest first."""
    return ok(await measures.list_mutes(database, clock.now(), before=before, limit=limit))


@back_office.post("/api/v1/admin/chat/mutes", responses=documented_admin(409))
async def mute_member(admin: Moderator, database: DatabaseDep, form: MuteMember) -> Envelope[Mute]:
    """Mute a member for some minutes from now; 409 `wrong_state` if already muted."""
    return to_response(await measures.mute(database, admin, form, clock.now()))


@back_office.delete("/api/v1/admin/chat/mutes/{user_id}", responses=documented_admin(409) | WAITING)
async def unmute_member(
    admin: Moderator, database: DatabaseDep, user_id: ExistingId
) -> Envelope[None]:
    """Unmute a member; 409 `wrong_state` if not muted.

    The operator's own mute needs a second person (202).
    """
    return to_response(await measures.unmute(database, admin, user_id, clock.now()))


@back_office.get("/api/v1/admin/chat/bans", responses=documented_admin())
async def list_bans(
    _admin: Annotated[AdminRequest, may_read(Right.CHAT_WRITE)],
    database: DatabaseDep,
    before: ExistingId | None = None,
    limit: Limit = 50,
) -> Envelope[Page[BanRow]]:
    """List the bans in force, newest first."""
    return ok(await measures.list_bans(database, clock.now(), before=before, limit=limit))


@back_office.post("/api/v1/admin/chat/bans", responses=documented_admin())
async def ban_member(admin: Moderator, database: DatabaseDep, form: BanMember) -> Envelope[Ban]:
    """Ban a member from the chat; a new ban replaces the old one."""
    return to_response(await measures.ban(database, admin, form, clock.now()))


@back_office.delete("/api/v1/admin/chat/bans/{user_id}", responses=documented_admin(409) | WAITING)
async def unban_member(
    admin: Moderator, database: DatabaseDep, user_id: ExistingId
) -> Envelope[None]:
    """Lift a member's ban; the operator's own ban needs a second person (202)."""
    return to_response(await measures.unban(database, admin, user_id, clock.now()))


router.routes.extend(back_office.routes)
