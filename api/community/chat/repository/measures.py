from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import delete
from sqlalchemy.dialects.postgresql import insert

from api.community.chat.enums import ModerationAction
from api.community.chat.models import ChatBan, ChatMembership, ChatModeration, ChatMute
from api.community.chat.repository.messages import AUTHOR, KEPT_WORDS, WRITTEN, ClubMessageRow
from api.foundation.database.database import Database, Runner, Transaction
from api.foundation.database.locks import AdvisoryLock
from api.foundation.database.statements import Query

LOCK_MEMBER = "SELECT pg_advisory_xact_lock(hashtextextended($1, $2))"
ACTIVE_MEASURE = "(until IS NULL OR until > $2)"
LIST = """
SELECT m.id, m.user_id, m.until, m.reason, {began} u.first_name, u.last_name
  FROM {table} m JOIN user_account u ON u.id = m.user_id
 WHERE (m.until IS NULL OR m.until > $1) AND ($2::uuid IS NULL OR m.id < $2)
 ORDER BY m.id DESC LIMIT $3
"""
AROUND = """
SELECT m.id FROM chat_message m
 WHERE m.room_id = $1 AND m.seq {side} $2 ORDER BY m.seq {order} LIMIT $3
"""
# An erased message has no text, so it must not replace the stored text.
STORE = """
INSERT INTO chat_evidence (message_id, content, kept_at)
SELECT m.id, m.content, $2 FROM chat_message m
 WHERE m.id = ANY ($1::uuid[]) AND m.content <> '' ORDER BY m.id
ON CONFLICT (message_id) DO UPDATE SET kept_at = greatest(chat_evidence.kept_at, excluded.kept_at)
"""
READ_KEPT_AT = "SELECT kept_at FROM chat_evidence WHERE message_id = $1"


@dataclass(frozen=True)
class ActiveBan:
    """A member's ban in force; without an end, until it is lifted."""

    until: datetime | None
    reason: str


@dataclass(frozen=True)
class ActiveMute:
    until: datetime
    reason: str


@dataclass(frozen=True)
class MutedMember:
    id: UUID
    user_id: UUID
    until: datetime
    reason: str
    first_name: str
    last_name: str


@dataclass(frozen=True)
class BannedMember:
    id: UUID
    user_id: UUID
    until: datetime | None
    reason: str
    banned_at: datetime
    first_name: str
    last_name: str


READ_BAN = Query(
    f"SELECT until, reason FROM chat_ban WHERE user_id = $1 AND {ACTIVE_MEASURE}",  # noqa: S608 constants only
    ActiveBan,
)
READ_MUTE = Query(
    "SELECT until, reason FROM chat_mute WHERE user_id = $1 AND until > $2", ActiveMute
)
LIST_BANNED = f"SELECT user_id FROM chat_ban WHERE user_id = ANY ($1::uuid[]) AND {ACTIVE_MEASURE}"  # noqa: S608 constants only
LIST_MUTES = Query(LIST.format(table="chat_mute", began=""), MutedMember)
LIST_BANS = Query(LIST.format(table="chat_ban", began="m.banned_at,"), BannedMember)
LIST_BEFORE = AROUND.format(side="<", order="DESC")
LIST_AFTER = AROUND.format(side=">", order="ASC")
LIST_EVIDENCE = Query(
    f"""
SELECT {KEPT_WORDS}, {WRITTEN}, c.name AS club_name
  FROM chat_message m {AUTHOR}
  LEFT JOIN chat_evidence e ON e.message_id = m.id
  LEFT JOIN club c ON c.id = m.room_id
 WHERE m.id = ANY ($1::uuid[]) ORDER BY m.seq
""",  # noqa: S608 constants only
    ClubMessageRow,
)


@dataclass(frozen=True)
class NewModerationAction:
    id: UUID
    operator_id: UUID
    user_id: UUID
    message_id: UUID | None
    deed: ModerationAction
    detail: dict[str, Any]
    done_at: datetime


async def insert_action(tx: Transaction, action: NewModerationAction) -> None:
    await tx.execute(insert(ChatModeration).values(**vars(action)))


async def insert_mute(
    tx: Transaction, user_id: UUID, values: dict[str, Any], now: datetime
) -> bool:
    """Mute a member; return False and change nothing if a mute is in force."""
    statement = insert(ChatMute).values(user_id=user_id, **values)
    statement = statement.on_conflict_do_update(
        index_elements=[ChatMute.user_id], set_=values, where=ChatMute.until <= now
    )
    return await tx.fetch_row(statement.returning(ChatMute.user_id)) is not None


async def delete_mute(tx: Transaction, user_id: UUID, now: datetime) -> datetime | None:
    """Delete the mute in force and return when it would have ended, or None."""
    statement = delete(ChatMute).where(ChatMute.user_id == user_id, ChatMute.until > now)
    until: datetime | None = await tx.fetch_value(statement.returning(ChatMute.until))
    return until


async def lock_member(tx: Transaction, user_id: UUID) -> None:
    """Lock a member's chat membership and bans until commit."""
    await tx.execute(LOCK_MEMBER, str(user_id), AdvisoryLock.MODERATION_OF_MEMBER)


async def replace_ban(tx: Transaction, user_id: UUID, values: dict[str, Any]) -> None:
    """Ban a member, replacing any earlier ban, and remove them from their rooms."""
    statement = insert(ChatBan).values(user_id=user_id, **values)
    await tx.execute(statement.on_conflict_do_update(index_elements=[ChatBan.user_id], set_=values))
    await tx.execute(delete(ChatMembership).where(ChatMembership.user_id == user_id))


async def delete_ban(tx: Transaction, user_id: UUID) -> bool:
    statement = delete(ChatBan).where(ChatBan.user_id == user_id).returning(ChatBan.user_id)
    return await tx.fetch_row(statement) is not None


async def read_ban(runner: Runner, user_id: UUID, now: datetime) -> ActiveBan | None:
    return await runner.fetch_row(READ_BAN, user_id, now)


async def read_muted_until(tx: Transaction, user_id: UUID, now: datetime) -> datetime | None:
    """Return when a member's mute ends, or None."""
    until: datetime | None = await tx.fetch_value("SELECT chat_muted_until($1, $2)", user_id, now)
    return until


async def read_mute(database: Database, user_id: UUID, now: datetime) -> ActiveMute | None:
    return await database.fetch_row(READ_MUTE, user_id, now)


async def list_banned(database: Database, user_ids: Sequence[UUID], now: datetime) -> list[UUID]:
    return await database.fetch_column(LIST_BANNED, list(user_ids), now)


async def list_mutes(
    database: Database, now: datetime, before: UUID | None, limit: int
) -> Sequence[MutedMember]:
    """Return the mutes in force with their members, newest first."""
    return await database.fetch_rows(LIST_MUTES, now, before, limit)


async def list_bans(
    database: Database, now: datetime, before: UUID | None, limit: int
) -> Sequence[BannedMember]:
    """Return the bans in force with their members, newest first."""
    return await database.fetch_rows(LIST_BANS, now, before, limit)


async def list_ids_before(runner: Runner, room_id: UUID, seq: int, limit: int) -> list[UUID]:
    """Return the messages right before a place in a room, hidden or not, nearest first."""
    return await runner.fetch_column(LIST_BEFORE, room_id, seq, limit)


async def list_ids_after(runner: Runner, room_id: UUID, seq: int, limit: int) -> list[UUID]:
    """Return the messages right after a place in a room, hidden or not, nearest first."""
    return await runner.fetch_column(LIST_AFTER, room_id, seq, limit)


async def store_evidence(tx: Transaction, message_ids: Sequence[UUID], now: datetime) -> None:
    """Store messages as evidence, or extend the retention of what is stored already."""
    await tx.execute(STORE, list(message_ids), now)


async def read_stored_at(runner: Runner, message_id: UUID) -> datetime | None:
    """Return when a message was stored as evidence, or None."""
    kept_at: datetime | None = await runner.fetch_value(READ_KEPT_AT, message_id)
    return kept_at


async def list_evidence(runner: Runner, message_ids: Sequence[UUID]) -> Sequence[ClubMessageRow]:
    """Return messages as they were written, with their authors, oldest first."""
    return await runner.fetch_rows(LIST_EVIDENCE, list(message_ids))
