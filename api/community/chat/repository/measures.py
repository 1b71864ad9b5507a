"""SQL of mutes, bans, moderation records and evidence."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast
from uuid import UUID

from sqlalchemy import delete
from sqlalchemy.dialects.postgresql import insert

from api.community.chat.enums import ModerationAction
from api.community.chat.models import ChatBan, ChatMembership, ChatModeration, ChatMute
from api.community.chat.repository.messages import AUTHOR, KEPT_WORDS, WRITTEN
from api.foundation.database.database import Database, Runner, Transaction
from api.foundation.database.locks import AdvisoryLock
from api.foundation.database.statements import Row

LOCK_MEMBER = "SELECT pg_advisory_xact_lock(hashtextextended($1, $2))"
ACTIVE_MEASURE = "(until IS NULL OR until > $2)"
READ_BAN = f"SELECT until, reason FROM chat_ban WHERE user_id = $1 AND {ACTIVE_MEASURE}"  # noqa: S608 constants only
READ_MUTE = "SELECT until, reason FROM chat_mute WHERE user_id = $1 AND until > $2"
LIST_BANNED = f"SELECT user_id FROM chat_ban WHERE user_id = ANY ($1::uuid[]) AND {ACTIVE_MEASURE}"  # noqa: S608 constants only
LIST = """
SELECT m.*, u.first_name, u.last_name FROM {table} m JOIN user_account u ON u.id = m.user_id
 WHERE (m.until IS NULL OR m.until > $1) AND ($2::uuid IS NULL OR m.id < $2)
 ORDER BY m.id DESC LIMIT $3
"""
LIST_MUTES, LIST_BANS = (LIST.format(table=table) for table in ("chat_mute", "chat_ban"))
AROUND = """
SELECT m.id FROM chat_message m
 WHERE m.room_id = $1 AND m.seq {side} $2 ORDER BY m.seq {order} LIMIT $3
"""
LIST_BEFORE = AROUND.format(side="<", order="DESC")
LIST_AFTER = AROUND.format(side=">", order="ASC")
# An erased message has no text, so it must not replace the stored text.
STORE = """
INSERT INTO chat_evidence (message_id, content, kept_at)
SELECT m.id, m.content, $2 FROM chat_message m
 WHERE m.id = ANY ($1::uuid[]) AND m.content <> '' ORDER BY m.id
ON CONFLICT (message_id) DO UPDATE SET kept_at = greatest(chat_evidence.kept_at, excluded.kept_at)
"""
LIST_EVIDENCE = f"""
SELECT {KEPT_WORDS}, {WRITTEN}, c.name AS club_name
  FROM chat_message m {AUTHOR}
  LEFT JOIN chat_evidence e ON e.message_id = m.id
  LEFT JOIN club c ON c.id = m.room_id
 WHERE m.id = ANY ($1::uuid[]) ORDER BY m.seq
"""  # noqa: S608 constants only
READ_KEPT_AT = "SELECT kept_at FROM chat_evidence WHERE message_id = $1"
# Searches a member's newest messages only: reports come soon after the message.
LIST_REPORTED_OF = f"""
WITH written AS (
  SELECT id FROM chat_message WHERE user_id = $1 ORDER BY sent_at DESC LIMIT $2
), reported AS (
  SELECT r.message_id, count(*) AS reports, array_agg(DISTINCT r.reason) AS reasons,
         min(r.reported_at) AS first_reported_at
    FROM written w JOIN chat_report r ON r.message_id = w.id GROUP BY r.message_id
   ORDER BY first_reported_at DESC LIMIT $3
)
SELECT {KEPT_WORDS}, {WRITTEN}, c.name AS club_name,
       r.reports, r.reasons, r.first_reported_at
  FROM reported r
  JOIN chat_message m ON m.id = r.message_id {AUTHOR}
  LEFT JOIN chat_evidence e ON e.message_id = m.id
  LEFT JOIN club c ON c.id = m.room_id
 ORDER BY r.first_reported_at DESC, m.id
"""  # noqa: S608 constants only


@dataclass(frozen=True)
class NewModerationAction:
    """A moderator's action, for the record."""

    id: UUID
    operator_id: UUID
    user_id: UUID
    message_id: UUID | None
    deed: ModerationAction
    detail: dict[str, Any]
    done_at: datetime


async def insert_action(tx: Transaction, action: NewModerationAction) -> None:
    """Record a moderator's action."""
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
    row = await tx.fetch_row(statement.returning(ChatMute.until))
    return None if row is None else cast("datetime", row["until"])


async def lock_member(tx: Transaction, user_id: UUID) -> None:
    """Lock a member's chat membership and bans until commit."""
    await tx.execute(LOCK_MEMBER, str(user_id), AdvisoryLock.MODERATION_OF_MEMBER)


async def replace_ban(tx: Transaction, user_id: UUID, values: dict[str, Any]) -> None:
    """Ban a member, replacing any earlier ban, and remove them from their rooms."""
    statement = insert(ChatBan).values(user_id=user_id, **values)
    await tx.execute(statement.on_conflict_do_update(index_elements=[ChatBan.user_id], set_=values))
    await tx.execute(delete(ChatMembership).where(ChatMembership.user_id == user_id))


async def delete_ban(tx: Transaction, user_id: UUID) -> bool:
    """Lift a member's ban; return whether they were banned."""
    statement = delete(ChatBan).where(ChatBan.user_id == user_id).returning(ChatBan.user_id)
    return await tx.fetch_row(statement) is not None


async def read_ban(runner: Runner, user_id: UUID, now: datetime) -> Row | None:
    """Return a member's ban in force, or None."""
    return await runner.fetch_row(READ_BAN, user_id, now)


async def read_mute(database: Database, user_id: UUID, now: datetime) -> Row | None:
    """Return a member's mute in force, or None."""
    return await database.fetch_row(READ_MUTE, user_id, now)


async def list_banned(database: Database, user_ids: Sequence[UUID], now: datetime) -> list[UUID]:
    """Return which of these members are banned."""
    rows = await database.fetch_rows(LIST_BANNED, list(user_ids), now)
    return [row["user_id"] for row in rows]


async def list_mutes(
    database: Database, now: datetime, before: UUID | None, limit: int
) -> Sequence[Row]:
    """Return the mutes in force with their members, newest first."""
    return await database.fetch_rows(LIST_MUTES, now, before, limit)


async def list_bans(
    database: Database, now: datetime, before: UUID | None, limit: int
) -> Sequence[Row]:
    """Return the bans in force with their members, newest first."""
    return await database.fetch_rows(LIST_BANS, now, before, limit)


async def list_ids_before(runner: Runner, room_id: UUID, seq: int, limit: int) -> list[UUID]:
    """Return the messages right before a place in a room, hidden or not, nearest first."""
    return [row["id"] for row in await runner.fetch_rows(LIST_BEFORE, room_id, seq, limit)]


async def list_ids_after(runner: Runner, room_id: UUID, seq: int, limit: int) -> list[UUID]:
    """Return the messages right after a place in a room, hidden or not, nearest first."""
    return [row["id"] for row in await runner.fetch_rows(LIST_AFTER, room_id, seq, limit)]


async def store_evidence(tx: Transaction, message_ids: Sequence[UUID], now: datetime) -> None:
    """Store messages as evidence, or extend the retention of what is stored already."""
    await tx.execute(STORE, list(message_ids), now)


async def read_stored_at(runner: Runner, message_id: UUID) -> datetime | None:
    """Return when a message was stored as evidence, or None."""
    kept_at: datetime | None = await runner.fetch_value(READ_KEPT_AT, message_id)
    return kept_at


async def list_evidence(runner: Runner, message_ids: Sequence[UUID]) -> Sequence[Row]:
    """Return messages as they were written, with their authors, oldest first."""
    return await runner.fetch_rows(LIST_EVIDENCE, list(message_ids))


async def list_reported_of(
    database: Database, user_id: UUID, written: int, limit: int
) -> Sequence[Row]:
    """Return the reported messages among a member's newest, with open or decided reports."""
    return await database.fetch_rows(LIST_REPORTED_OF, user_id, written, limit)
