"""Operators' actions on a member: suspend, restore, sign out everywhere, change the club."""

from datetime import datetime
from uuid import UUID

from api.backoffice.members.schemas import MoveInput, Revoked, Suspended, SuspendInput, WhyMember
from api.foundation.audit import writing as audit
from api.foundation.audit.writing import AuditRecord
from api.foundation.database.database import Database, Transaction
from api.foundation.security.operators import AdminRequest
from api.foundation.wire.results import AdminResult
from api.people.auth.service import sessions as auth_sessions
from api.people.users.service import account as users_account
from api.people.users.service import suspension as users_suspension

TARGET = "member"
NOT_SUSPENDED = {"suspendedAt": None, "suspendedUntil": None}


async def suspend(
    database: Database, admin: AdminRequest, user_id: UUID, form: SuspendInput, now: datetime
) -> AdminResult:
    """Suspend a member, until a time or until they are restored.

    Every worker closes their sockets and ends their calls. Their sessions stay revoked when the
    suspension ends; their data is kept.

    Raises:
        OperatorSuspensionError: the member works in the back office.
        MemberStateError: they are suspended already.
    """

    async def work(tx: Transaction) -> AdminResult:
        suspension = await users_suspension.suspend(tx, user_id, form.until, now)
        shown = Suspended(
            id=user_id, suspended_at=suspension.since, suspended_until=suspension.until
        )
        revoked = await auth_sessions.revoke_all(tx, user_id)
        after = shown.model_dump(mode="json", exclude={"id"}) | {"revoked": revoked}
        record = AuditRecord("suspend", TARGET, user_id, NOT_SUSPENDED, after, form.reason)
        await audit.audited(tx, admin, record)
        return AdminResult.of(shown, message="The member is suspended.")

    return await audit.perform(database, admin, form, work)


async def restore(
    database: Database, admin: AdminRequest, user_id: UUID, form: WhyMember
) -> AdminResult:
    """End a member's suspension.

    Raises:
        MemberStateError: they are not suspended.
    """

    async def work(tx: Transaction) -> AdminResult:
        ended = await users_suspension.restore(tx, user_id)
        before = {"suspendedAt": ended.since, "suspendedUntil": ended.until}
        record = AuditRecord("restore", TARGET, user_id, before, NOT_SUSPENDED, form.reason)
        await audit.audited(tx, admin, record)
        shown = Suspended(id=user_id, suspended_at=None, suspended_until=None)
        return AdminResult.of(shown, message="The member may come in again.")

    return await audit.perform(database, admin, form, work)


async def revoke_sessions(
    database: Database, admin: AdminRequest, user_id: UUID, form: WhyMember
) -> AdminResult:
    """End every session of a member, on every device."""

    async def work(tx: Transaction) -> AdminResult:
        await users_account.lock(tx, user_id)
        revoked = await auth_sessions.revoke_all(tx, user_id)
        after = {"revoked": revoked}
        record = AuditRecord("revoke-sessions", TARGET, user_id, after=after, reason=form.reason)
        await audit.audited(tx, admin, record)
        return AdminResult.of(
            Revoked(revoked=revoked), message="The member is signed out everywhere."
        )

    return await audit.perform(database, admin, form, work)


async def change_club(
    database: Database, admin: AdminRequest, user_id: UUID, form: MoveInput
) -> AdminResult:
    """Move a member to another club and notify them; their points are kept.

    Raises:
        InvalidFieldError: there is no such club.
        MemberStateError: it is their club already.
    """

    async def work(tx: Transaction) -> AdminResult:
        move = await users_suspension.change_club(tx, user_id, form.club_id, admin.operator.id)
        was = move.history[1].club_id
        record = AuditRecord(
            "change-club",
            TARGET,
            user_id,
            before={"clubId": was},
            after={"clubId": form.club_id},
            reason=form.reason,
        )
        await audit.audited(tx, admin, record)
        return AdminResult.of(move, message="The member's club has been changed.")

    return await audit.perform(database, admin, form, work)
