"""Sessions: reading, activity, listing and ending."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from uuid import UUID

from api.foundation.core import clock
from api.foundation.database.database import Database, Transaction
from api.foundation.security.events import SecurityEvent
from api.foundation.security.members import Member, SessionRecord, SessionRevoked
from api.messaging.push import service as push
from api.people.auth import rules
from api.people.auth.repository import sessions
from api.people.auth.schemas import SessionAnswer
from api.people.auth.service.context import AuthContext
from api.people.operators.service import sessions as operators_sessions


async def sign_out(context: AuthContext, member: Member) -> None:
    """End the member's session; its token is invalid from now on."""
    async with context.database.transaction() as tx:
        await revoke(tx, member.session_id)
    context.security.record(
        SecurityEvent.SIGNED_OUT, user_id=member.user_id, session_id=str(member.session_id)
    )


async def list_sessions(context: AuthContext, member: Member) -> list[SessionAnswer]:
    """Return the member's live sessions, most recently used first."""
    return await sessions_of(context, member.user_id, current=member.session_id)


async def sessions_of(
    context: AuthContext, user_id: UUID, *, current: UUID | None = None
) -> list[SessionAnswer]:
    """Return any user's live sessions, most recently used first; none while suspended."""
    now = clock.now()
    rows = await sessions.list_sessions(context.database, user_id, now - context.session_idle, now)
    return [
        SessionAnswer(
            id=row.id,
            device=row.device or rules.UNKNOWN_DEVICE,
            started_at=row.created_at,
            last_seen_at=row.last_seen_at,
            current=row.id == current,
        )
        for row in rows
    ]


async def revoke_others(context: AuthContext, member: Member) -> int:
    """End the member's other sessions; return how many there were."""
    async with context.database.transaction() as tx:
        ended = await sessions.change_others_revoked(
            tx, member.user_id, member.session_id, clock.now()
        )
        await _announce(tx, ended)
    context.security.record(
        SecurityEvent.SESSIONS_REVOKED, user_id=member.user_id, sessions=len(ended)
    )
    return len(ended)


async def revoke_all(tx: Transaction, user_id: UUID) -> int:
    """End all sessions of a member, including back office ones; return the number of the former."""
    await operators_sessions.end_sessions(tx, user_id)
    ended = await sessions.change_revoked(tx, clock.now(), user_id=user_id)
    await _announce(tx, ended)
    return len(ended)


async def revoke(tx: Transaction, session_id: UUID) -> None:
    """End a session: invalidates its token and stops push messages to its browser."""
    await _announce(tx, await sessions.change_revoked(tx, clock.now(), session_id=session_id))


async def _announce(tx: Transaction, ended: Sequence[UUID]) -> None:
    await push.forget_sessions(tx, ended)
    for session_id in ended:
        tx.record(SessionRevoked(session_id))


async def read_session(
    database: Database,
    session_id: UUID,
    *,
    idle: timedelta,
    notice: Callable[[UUID], None] | None = None,
) -> SessionRecord | None:
    """Return a live session from the database, or None if it has ended or was idle too long.

    Writes nothing: ``notice`` is called if the session was not seen for five minutes.
    """
    row = await sessions.read_session(database, session_id, clock.now() - idle)
    if row is None:
        return None
    if notice is not None and row.last_seen_at < clock.now() - rules.SEEN_EVERY:
        notice(session_id)
    return SessionRecord(
        user_id=row.user_id,
        club_id=row.club_id,
        club_name=row.club_name,
        expires_at=row.expires_at,
    )


async def record_seen(database: Database, session_ids: Sequence[UUID], now: datetime) -> None:
    """Record when these sessions were last used."""
    await sessions.change_seen(database, session_ids, now)
