"""Reports of messages, and moderators' decisions on them."""

from datetime import datetime
from uuid import UUID

from api.community.chat.enums import ModerationAction, ReportReason
from api.community.chat.errors import MessageStateError, OwnMessageError
from api.community.chat.repository import measures, messages, reports
from api.community.chat.repository.measures import NewModerationAction
from api.community.chat.repository.messages import ChatMessageRow
from api.community.chat.repository.reports import ReportedMessageRow
from api.community.chat.rules import PUBLIC_ROOM, PUBLIC_TAB
from api.community.chat.schemas import OwnMessageModeration, ReportedMessage, ReportTaken
from api.community.chat.service.evidence import store_evidence
from api.community.chat.service.messages import shown_message
from api.foundation.approvals import kinds, proposing
from api.foundation.approvals.enums import ApprovalReason
from api.foundation.approvals.kinds import ApprovalKind, Approved
from api.foundation.audit import writing as audit
from api.foundation.audit.writing import AuditRecord
from api.foundation.core import clock
from api.foundation.core.errors import NotFoundError
from api.foundation.core.ids import new_id
from api.foundation.database.database import Database, Transaction
from api.foundation.security.members import ANOTHER_CLUB, Member
from api.foundation.security.operators import AdminRequest, Operator
from api.foundation.security.rights import Right
from api.foundation.wire.results import AdminResult, Page
from api.foundation.wire.schemas import Content

HIDDEN_CHANNEL = "chat_message_hidden"
OWN_REASON = "It is my own message."


async def _owner(tx: Transaction, wanted: OwnMessageModeration) -> list[UUID]:
    row = await messages.lock_message(tx, wanted.message_id)
    return [] if row is None else [row.user_id]


async def _weigh(
    tx: Transaction, admin: AdminRequest, wanted: OwnMessageModeration
) -> list[ApprovalReason]:
    return kinds.own_reasons(admin, (await _lock(tx, wanted.message_id)).user_id)


MODERATE_OWN = ApprovalKind(
    "moderate-own-message", Right.CHAT_WRITE, OwnMessageModeration, _owner, _weigh
)


async def report(
    database: Database, member: Member, message_id: UUID, reason: ReportReason, now: datetime
) -> ReportTaken:
    """Report a message to the moderators; reporting again keeps the first reason.

    Raises:
        NotFoundError: the member cannot see such a message.
    """
    async with database.transaction() as tx:
        # Its author may be deleting it at this moment: either its text is stored first, or there is
        # nothing to report.
        row = await messages.lock_message(tx, message_id)
        if row is None:
            raise NotFoundError
        if row.room_id not in {PUBLIC_ROOM, member.club_id}:
            member.refuse(ANOTHER_CLUB)
        if row.hidden_at is not None:
            raise NotFoundError
        if row.user_id == member.user_id:
            raise OwnMessageError
        await store_evidence(tx, row, now)
        kept_reason = await reports.insert_report(tx, message_id, member.user_id, reason, now)
    return ReportTaken(message_id=message_id, reason=kept_reason)


async def list_reported(
    database: Database, *, before: UUID | None, limit: int
) -> Page[ReportedMessage]:
    """Return messages with open reports, longest waiting first."""
    rows = await reports.list_reported(database, before, limit + 1)
    return Page.of(rows, limit, reported_message)


def reported_message(row: ReportedMessageRow) -> ReportedMessage:
    """Return a message with its reports, as moderators see it."""
    return ReportedMessage(
        message=shown_message(row, row.club_name or PUBLIC_TAB),
        hidden=row.hidden_at is not None,
        reports=row.reports,
        reasons=[ReportReason(reason) for reason in row.reasons],
        first_reported_at=row.first_reported_at,
    )


async def count_reported(database: Database) -> int:
    """Return the number of messages with open reports."""
    return await reports.count_reported(database)


async def moderate(
    database: Database,
    admin: AdminRequest,
    message_id: UUID,
    action: ModerationAction,
    now: datetime,
) -> AdminResult:
    """Hide a message, show it again, or dismiss its reports.

    Screens that show the message are updated. A message deleted by its author can be hidden while
    it has open reports, which closes them. The operator's own needs a second person.

    Raises:
        NotFoundError: there is no such message, or nothing is left of it to be shown again.
        MessageStateError: it is hidden already and has no open reports, or it is shown already.
        SecondPersonNeededError: it is the operator's own, and no other operator could decide it.
    """

    async def work(tx: Transaction) -> AdminResult:
        row = await _lock(tx, message_id)
        if row.user_id == admin.operator.user_id:
            wanted = OwnMessageModeration(message_id=message_id, action=action)
            return await proposing.propose(tx, admin, MODERATE_OWN, wanted, OWN_REASON)
        after = await _moderate(tx, admin.operator, row, action, now)
        before = {"hidden": row.hidden_at is not None}
        record = AuditRecord(action.value, "chat_message", message_id, before=before, after=after)
        await audit.audited(tx, admin, record)
        return AdminResult(None)

    return await audit.perform(database, admin, {}, work)


async def moderate_approved(tx: Transaction, approved: Approved) -> Content:
    """Moderate an operator's own message after a second person has approved it.

    Raises:
        NotFoundError, MessageStateError: as for ``moderate``.
    """
    wanted: OwnMessageModeration = approved.content
    row = await _lock(tx, wanted.message_id)
    return await _moderate(tx, approved.decider, row, wanted.action, clock.now())


async def _lock(tx: Transaction, message_id: UUID) -> ChatMessageRow:
    row = await messages.lock_message(tx, message_id)
    if row is None:
        raise NotFoundError
    return row


async def _moderate(
    tx: Transaction,
    moderator: Operator,
    row: ChatMessageRow,
    action: ModerationAction,
    now: datetime,
) -> Content:
    """Apply an action to a locked message and return the result."""
    message_id = row.id
    await store_evidence(tx, row, now)
    hidden_at = row.hidden_at
    if action is not ModerationAction.DISMISS:
        hidden_at = (hidden_at or now) if action is ModerationAction.HIDE else None
    is_moved = hidden_at != row.hidden_at
    if is_moved and not await messages.change_hidden(tx, message_id, hidden_at):
        raise NotFoundError
    settled = await reports.settle_reports(tx, message_id, now)
    confirms_hiding = action is ModerationAction.HIDE and settled > 0
    if not (is_moved or confirms_hiding or action is ModerationAction.DISMISS):
        raise MessageStateError(content={"status": "shown" if hidden_at is None else "hidden"})
    moderation = NewModerationAction(
        new_id(), moderator.user_id, row.user_id, message_id, action, {}, now
    )
    await measures.insert_action(tx, moderation)
    if action is ModerationAction.HIDE:
        await messages.announce(tx, HIDDEN_CHANNEL, f"{row.room_id} {message_id}")
    return {"hidden": hidden_at is not None}
