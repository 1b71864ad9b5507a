"""SQL of posting, reading and moderating; posting is one function of the database."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import func, select, update

from api.community.chat.models import (
    StoredMessage,
)
from api.community.chat.rules import (
    MAX_EXCERPT_LENGTH,
    Limits,
    MessageAddress,
    OutgoingMessage,
    PostRow,
)
from api.foundation.database.database import Database, Runner, Transaction
from api.foundation.database.statements import Query

ADDRESS = f"""m.mentions, q.id AS quoted_id, q.user_id AS quoted_user_id,
       qu.first_name AS quoted_first_name, qu.last_name AS quoted_last_name,
       CASE WHEN q.hidden_at IS NULL THEN left(q.content, {MAX_EXCERPT_LENGTH}) END AS excerpt"""
ADDRESSED = """
  LEFT JOIN chat_message q ON q.id = m.reply_to
  LEFT JOIN user_account qu ON qu.id = q.user_id
"""
WRITTEN = f"""m.id, m.seq, m.client_id, m.user_id, m.room_id, m.sent_at, m.hidden_at,
       u.first_name, u.last_name, u.avatar, {ADDRESS}"""
AUTHOR = f"""
  JOIN user_account u ON u.id = m.user_id
{ADDRESSED}"""
MESSAGE = f"SELECT m.content, {WRITTEN} FROM chat_message m {AUTHOR}"  # noqa: S608 constants only
# The text of a message that its author has deleted was stored when it was reported.
KEPT_WORDS = "coalesce(nullif(m.content, ''), e.content, '') AS content"
SHOWN = MESSAGE + " WHERE m.room_id = $1 AND m.hidden_at IS NULL"
READ_SEQ = "SELECT seq FROM chat_message WHERE id = $1 AND room_id = $2"


@dataclass(frozen=True)
class ChatMessageRow(MessageAddress):
    content: str
    seq: int
    client_id: UUID
    user_id: UUID
    room_id: UUID
    sent_at: datetime
    hidden_at: datetime | None
    first_name: str
    last_name: str
    avatar: str | None


@dataclass(frozen=True)
class ClubMessageRow(ChatMessageRow):
    """A message with the name of its room's club; Public has none."""

    club_name: str | None


@dataclass(frozen=True)
class MessagePlace:
    id: UUID
    room_id: UUID


POST = Query(
    """
SELECT place, outcome, id, seq, sent_at, until
  FROM post_chat_messages($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
 ORDER BY place
""",
    PostRow,
)
LIST_ADDRESSES = Query(
    f"""
SELECT m.id, {ADDRESS} FROM chat_message m {ADDRESSED} WHERE m.id = ANY ($1::uuid[])
""",  # noqa: S608 constants only
    MessageAddress,
)
LIST_NEWEST = Query(SHOWN + " ORDER BY m.seq DESC LIMIT $2", ChatMessageRow)
LIST_BEFORE = Query(SHOWN + " AND m.seq < $3 ORDER BY m.seq DESC LIMIT $2", ChatMessageRow)
LIST_AFTER = Query(SHOWN + " AND m.seq > $3 ORDER BY m.seq LIMIT $2", ChatMessageRow)
# Statements that run at each start pass ids as text: on every new connection the driver asks the
# server what a uuid[] is, which takes 12 ms.
LIST_HIDDEN = Query(
    """
SELECT id, room_id FROM chat_message
 WHERE room_id = ANY ($1::text[]::uuid[]) AND hidden_at IS NOT NULL AND hidden_at > $2
 ORDER BY hidden_at DESC LIMIT $3
""",
    MessagePlace,
)
READ_MESSAGE = Query(MESSAGE + " WHERE m.id = $1", ChatMessageRow)
LOCK_MESSAGE = Query(MESSAGE + " WHERE m.id = $1 FOR NO KEY UPDATE OF m", ChatMessageRow)


async def post_all(
    runner: Runner, messages: Sequence[OutgoingMessage], limits: Limits
) -> Sequence[PostRow]:
    """Store messages in one transaction; return a row for each, in order.

    Mentions are stored as given.
    """
    return await runner.fetch_rows(
        POST,
        [one.id for one in messages],
        [one.room_id for one in messages],
        [one.seat.user_id for one in messages],
        [one.client_id for one in messages],
        [one.content for one in messages],
        [one.received_at for one in messages],
        limits.messages,
        limits.pace,
        limits.repeat_pause,
        limits.retry_delay,
        limits.counting_window,
        [one.reply_to for one in messages],
        # PostgreSQL has no arrays of arrays of different lengths.
        [f"{{{','.join(map(str, one.mentions))}}}" for one in messages],
        [step.members for step in limits.slow_mode],
        [step.pause for step in limits.slow_mode],
    )


async def list_addresses(runner: Runner, message_ids: Sequence[UUID]) -> dict[UUID, MessageAddress]:
    rows = await runner.fetch_rows(LIST_ADDRESSES, list(message_ids))
    return {row.id: row for row in rows}


async def read_seq(database: Database, message_id: UUID, room_id: UUID) -> int | None:
    """Return a message's place in its room, or None."""
    seq: int | None = await database.fetch_value(READ_SEQ, message_id, room_id)
    return seq


async def list_newest(database: Database, room_id: UUID, limit: int) -> Sequence[ChatMessageRow]:
    """Return the newest visible messages, newest first."""
    return await database.fetch_rows(LIST_NEWEST, room_id, limit)


async def list_before(
    database: Database, room_id: UUID, limit: int, seq: int
) -> Sequence[ChatMessageRow]:
    """Return the messages right before ``seq``, newest first."""
    return await database.fetch_rows(LIST_BEFORE, room_id, limit, seq)


async def list_after(
    database: Database, room_id: UUID, limit: int, seq: int
) -> Sequence[ChatMessageRow]:
    """Return the messages right after ``seq``, oldest first."""
    return await database.fetch_rows(LIST_AFTER, room_id, limit, seq)


async def list_hidden(
    database: Database, room_ids: Sequence[UUID], since: datetime, limit: int
) -> Sequence[MessagePlace]:
    """Return the ids and rooms of messages hidden since then, newest first."""
    return await database.fetch_rows(LIST_HIDDEN, [str(room) for room in room_ids], since, limit)


async def read_message(runner: Runner, message_id: UUID) -> ChatMessageRow | None:
    """Return a message with its author's names, hidden or not."""
    return await runner.fetch_row(READ_MESSAGE, message_id)


async def lock_message(tx: Transaction, message_id: UUID) -> ChatMessageRow | None:
    """Lock and return a message with its author's names, hidden or not."""
    return await tx.fetch_row(LOCK_MESSAGE, message_id)


async def change_hidden(tx: Transaction, message_id: UUID, hidden_at: datetime | None) -> bool:
    """Hide a message or show it again; False when it does not exist or has no text any more."""
    statement = (
        update(StoredMessage)
        .where(StoredMessage.id == message_id, StoredMessage.content != "")
        .values(hidden_at=hidden_at)
        .returning(StoredMessage.room_id, StoredMessage.user_id)
    )
    return await tx.fetch_row(statement) is not None


async def change_deleted(tx: Transaction, message_id: UUID, now: datetime) -> None:
    """Hide a message permanently and delete its text."""
    statement = (
        update(StoredMessage)
        .where(StoredMessage.id == message_id)
        .values(hidden_at=now, content="")
    )
    await tx.execute(statement)


async def announce(tx: Transaction, channel: str, payload: str) -> None:
    """Notify the workers that listen on ``channel`` at commit."""
    await tx.execute(select(func.pg_notify(channel, payload)))
