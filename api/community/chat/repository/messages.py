"""SQL of posting, reading and moderating; posting is one function of the database."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import cast
from uuid import UUID

from sqlalchemy import func, select, update
from sqlalchemy.dialects.postgresql import insert

from api.community.chat.enums import ReportReason
from api.community.chat.models import (
    ChatMembership,
    ChatReport,
    ChatRoom,
    StoredMessage,
)
from api.community.chat.rules import MAX_EXCERPT_LENGTH, PUBLIC_ROOM, Limits, OutgoingMessage
from api.foundation.database.database import Database, Runner, Transaction
from api.foundation.database.statements import Row

POST = """
SELECT * FROM post_chat_messages($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
 ORDER BY place
"""
# Without the order the planner scans the table: so many rows match that it expects to find a
# hundred early, but they are at the end.
LIST_POSITIONS = """
SELECT r.id AS room_id, r.last_seq, m.last_read_seq,
       (SELECT count(*) FROM (
          SELECT FROM chat_message n
           WHERE n.room_id = r.id AND n.seq > m.last_read_seq AND n.user_id <> $1
             AND n.hidden_at IS NULL ORDER BY n.seq LIMIT $2) AS newer) AS unread
  FROM chat_membership m JOIN chat_room r ON r.id = m.room_id
 WHERE m.user_id = $1
"""
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
LIST_ADDRESSES = f"""
SELECT m.id, {ADDRESS} FROM chat_message m {ADDRESSED} WHERE m.id = ANY ($1::uuid[])
"""  # noqa: S608 constants only
LIST_NAMED = """
SELECT one.user_id, one.room_id
  FROM unnest($1::uuid[], $2::uuid[]) AS one (user_id, room_id)
  JOIN chat_membership m ON m.user_id = one.user_id AND m.room_id = one.room_id
  JOIN user_account u ON u.id = one.user_id
 WHERE u.erased_at IS NULL AND one.room_id IN (u.club_id, $3)
"""
SHOWN = MESSAGE + " WHERE m.room_id = $1 AND m.hidden_at IS NULL"
LIST_NEWEST = SHOWN + " ORDER BY m.seq DESC LIMIT $2"
LIST_BEFORE = SHOWN + " AND m.seq < $3 ORDER BY m.seq DESC LIMIT $2"
LIST_AFTER = SHOWN + " AND m.seq > $3 ORDER BY m.seq LIMIT $2"
# Statements that run at each start pass ids as text: on every new connection the driver asks the
# server what a uuid[] is, which takes 12 ms.
LIST_HIDDEN = """
SELECT id, room_id FROM chat_message
 WHERE room_id = ANY ($1::text[]::uuid[]) AND hidden_at IS NOT NULL AND hidden_at > $2
 ORDER BY hidden_at DESC LIMIT $3
"""
LIST_WRITTEN = """
SELECT r.id, r.club_id, r.last_seq, c.name AS club_name
  FROM chat_room r LEFT JOIN club c ON c.id = r.club_id WHERE r.last_seq > 0
"""
READ_SEQ = "SELECT seq FROM chat_message WHERE id = $1 AND room_id = $2"
READ_MESSAGE = MESSAGE + " WHERE m.id = $1"
LOCK_MESSAGE = READ_MESSAGE + " FOR NO KEY UPDATE OF m"
READ_SEAT = """
SELECT u.first_name, u.last_name, u.avatar, b.user_id IS NOT NULL AS is_banned, b.until,
       EXISTS (SELECT 1 FROM chat_membership m
                WHERE m.user_id = u.id AND m.room_id = u.club_id) AS has_joined
  FROM user_account u
  LEFT JOIN chat_ban b ON b.user_id = u.id AND (b.until IS NULL OR b.until > $2)
 WHERE u.id = $1
"""
MARK_READ = """
UPDATE chat_membership m SET last_read_seq = greatest(m.last_read_seq, least($3, r.last_seq))
  FROM chat_room r
 WHERE m.user_id = $1 AND m.room_id = $2 AND r.id = m.room_id
RETURNING m.last_read_seq
"""
LIST_REPORTED = f"""
WITH reported AS (
  SELECT message_id, count(*) AS reports, array_agg(DISTINCT reason) AS reasons,
         min(reported_at) AS first_reported_at
    FROM chat_report WHERE settled_at IS NULL
   GROUP BY message_id
  HAVING $2::uuid IS NULL OR (min(reported_at), message_id) > (
           SELECT min(l.reported_at), l.message_id FROM chat_report l
            WHERE l.message_id = $2 GROUP BY l.message_id)
   ORDER BY first_reported_at, message_id LIMIT $1
)
SELECT {KEPT_WORDS}, {WRITTEN}, c.name AS club_name,
       r.reports, r.reasons, r.first_reported_at
  FROM reported r
  JOIN chat_message m ON m.id = r.message_id {AUTHOR}
  LEFT JOIN chat_evidence e ON e.message_id = m.id
  LEFT JOIN club c ON c.id = m.room_id
 ORDER BY r.first_reported_at, m.id
"""  # noqa: S608 constants only
COUNT_REPORTED = """
SELECT count(DISTINCT message_id) FROM chat_report WHERE settled_at IS NULL
"""
LIST_LAST_SEQ = "SELECT id, last_seq FROM chat_room WHERE id = ANY ($1::uuid[])"


async def post_all(
    runner: Runner, messages: Sequence[OutgoingMessage], limits: Limits
) -> Sequence[Row]:
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
    )


async def list_addresses(runner: Runner, message_ids: Sequence[UUID]) -> dict[UUID, Row]:
    """Return the mentions and the quoted message of each message."""
    rows = await runner.fetch_rows(LIST_ADDRESSES, list(message_ids))
    return {row["id"]: row for row in rows}


async def list_named(
    runner: Runner, named: Collection[tuple[UUID, UUID]]
) -> set[tuple[UUID, UUID]]:
    """Return which of these members are in their rooms, as pairs of member id and room id."""
    users, rooms = [user for user, _ in named], [room for _, room in named]
    rows = await runner.fetch_rows(LIST_NAMED, users, rooms, PUBLIC_ROOM)
    return {(row["user_id"], row["room_id"]) for row in rows}


async def insert_memberships(tx: Transaction, user_id: UUID, club_id: UUID, now: datetime) -> None:
    """Join a member to the club's room and to Public; existing memberships stay."""
    for room_id in sorted((PUBLIC_ROOM, club_id)):
        club = None if room_id == PUBLIC_ROOM else room_id
        room = insert(ChatRoom).values(id=room_id, club_id=club).on_conflict_do_nothing()
        await tx.execute(room)
        # Messages from before the member joined do not count as unread.
        newest = select(ChatRoom.last_seq).where(ChatRoom.id == room_id).scalar_subquery()
        membership = insert(ChatMembership).values(
            user_id=user_id, room_id=room_id, last_read_seq=newest, joined_at=now
        )
        await tx.execute(membership.on_conflict_do_nothing())


async def list_positions(database: Database, user_id: UUID, max_unread: int) -> Sequence[Row]:
    """Return a member's rooms with their unread counts, each at most ``max_unread``."""
    return await database.fetch_rows(LIST_POSITIONS, user_id, max_unread)


async def read_seat(database: Database, user_id: UUID, now: datetime) -> Row | None:
    """Return a member's names and picture, whether they have joined, and their ban."""
    return await database.fetch_row(READ_SEAT, user_id, now)


async def read_seq(database: Database, message_id: UUID, room_id: UUID) -> int | None:
    """Return a message's place in its room, or None."""
    row = await database.fetch_row(READ_SEQ, message_id, room_id)
    return None if row is None else cast("int", row["seq"])


async def list_newest(database: Database, room_id: UUID, limit: int) -> Sequence[Row]:
    """Return the newest visible messages, newest first."""
    return await database.fetch_rows(LIST_NEWEST, room_id, limit)


async def list_before(database: Database, room_id: UUID, limit: int, seq: int) -> Sequence[Row]:
    """Return the messages right before ``seq``, newest first."""
    return await database.fetch_rows(LIST_BEFORE, room_id, limit, seq)


async def list_after(database: Database, room_id: UUID, limit: int, seq: int) -> Sequence[Row]:
    """Return the messages right after ``seq``, oldest first."""
    return await database.fetch_rows(LIST_AFTER, room_id, limit, seq)


async def list_hidden(
    database: Database, room_ids: Sequence[UUID], since: datetime, limit: int
) -> Sequence[Row]:
    """Return the ids and rooms of messages hidden since then, newest first."""
    return await database.fetch_rows(LIST_HIDDEN, [str(room) for room in room_ids], since, limit)


async def read_message(runner: Runner, message_id: UUID) -> Row | None:
    """Return a message with its author's names, hidden or not."""
    return await runner.fetch_row(READ_MESSAGE, message_id)


async def lock_message(tx: Transaction, message_id: UUID) -> Row | None:
    """Lock and return a message with its author's names, hidden or not."""
    return await tx.fetch_row(LOCK_MESSAGE, message_id)


async def change_last_read(
    database: Database, user_id: UUID, room_id: UUID, seq: int
) -> int | None:
    """Advance the last read ``seq``, at most to the newest; return it, None when not joined."""
    row = await database.fetch_row(MARK_READ, user_id, room_id, seq)
    return None if row is None else cast("int", row["last_read_seq"])


async def insert_report(
    tx: Transaction, message_id: UUID, user_id: UUID, reason: ReportReason, now: datetime
) -> ReportReason:
    """Insert a report unless the member has made one; return the reason in force."""
    statement = insert(ChatReport).values(
        message_id=message_id, user_id=user_id, reason=reason, reported_at=now
    )
    # A DO UPDATE that changes nothing returns the existing row.
    kept = statement.on_conflict_do_update(
        index_elements=[ChatReport.message_id, ChatReport.user_id],
        set_={"reason": ChatReport.reason},
    ).returning(ChatReport.reason)
    return ReportReason(await tx.fetch_value(kept))


async def list_reported(database: Database, before: UUID | None, limit: int) -> Sequence[Row]:
    """Return messages with open reports after ``before``, longest waiting first."""
    return await database.fetch_rows(LIST_REPORTED, limit, before)


async def count_reported(database: Database) -> int:
    """Count the messages with open reports."""
    found: int = await database.fetch_value(COUNT_REPORTED)
    return found


async def change_hidden(
    tx: Transaction, message_id: UUID, hidden_at: datetime | None
) -> Row | None:
    """Hide a message or show it again; None when it does not exist or has no text any more."""
    statement = (
        update(StoredMessage)
        .where(StoredMessage.id == message_id, StoredMessage.content != "")
        .values(hidden_at=hidden_at)
        .returning(StoredMessage.room_id, StoredMessage.user_id)
    )
    return await tx.fetch_row(statement)


async def change_deleted(tx: Transaction, message_id: UUID, now: datetime) -> None:
    """Hide a message permanently and delete its text."""
    statement = (
        update(StoredMessage)
        .where(StoredMessage.id == message_id)
        .values(hidden_at=now, content="")
    )
    await tx.execute(statement)


async def settle_reports(tx: Transaction, message_id: UUID, now: datetime) -> int:
    """Close the open reports of a message and return how many there were."""
    statement = (
        update(ChatReport)
        .where(ChatReport.message_id == message_id, ChatReport.settled_at.is_(None))
        .values(settled_at=now)
        .returning(ChatReport.user_id)
    )
    return len(await tx.fetch_rows(statement))


async def announce(tx: Transaction, channel: str, payload: str) -> None:
    """Notify the workers that listen on ``channel`` at commit."""
    await tx.execute(select(func.pg_notify(channel, payload)))


async def list_written(database: Database) -> Sequence[Row]:
    """Return every room that has messages, with its club's name and newest ``seq``."""
    return await database.fetch_rows(LIST_WRITTEN)


async def list_last_seq(database: Database, room_ids: Sequence[UUID]) -> dict[UUID, int]:
    """Return the newest ``seq`` of each room."""
    rows = await database.fetch_rows(LIST_LAST_SEQ, room_ids)
    return {row["id"]: row["last_seq"] for row in rows}
