from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert

from api.community.chat.models import ChatMembership, ChatRoom
from api.community.chat.rules import PUBLIC_ROOM
from api.foundation.database.database import Database, Runner, Transaction
from api.foundation.database.statements import Query

MARK_READ = """
UPDATE chat_membership m SET last_read_seq = greatest(m.last_read_seq, least($3, r.last_seq))
  FROM chat_room r
 WHERE m.user_id = $1 AND m.room_id = $2 AND r.id = m.room_id
RETURNING m.last_read_seq
"""


@dataclass(frozen=True)
class RoomPosition:
    room_id: UUID
    last_seq: int
    last_read_seq: int
    unread: int


@dataclass(frozen=True)
class RoomMember:
    user_id: UUID
    room_id: UUID


@dataclass(frozen=True)
class ChatSeat:
    first_name: str
    last_name: str
    avatar: str | None
    is_banned: bool
    until: datetime | None
    has_joined: bool


@dataclass(frozen=True)
class WrittenRoom:
    """A room that has messages; Public has no club."""

    id: UUID
    club_id: UUID | None
    last_seq: int
    club_name: str | None


@dataclass(frozen=True)
class RoomSequence:
    id: UUID
    last_seq: int


# Without the order the planner scans the table: so many rows match that it expects to find a
# hundred early, but they are at the end.
LIST_POSITIONS = Query(
    """
SELECT r.id AS room_id, r.last_seq, m.last_read_seq,
       (SELECT count(*) FROM (
          SELECT FROM chat_message n
           WHERE n.room_id = r.id AND n.seq > m.last_read_seq AND n.user_id <> $1
             AND n.hidden_at IS NULL ORDER BY n.seq LIMIT $2) AS newer) AS unread
  FROM chat_membership m JOIN chat_room r ON r.id = m.room_id
 WHERE m.user_id = $1
""",
    RoomPosition,
)
LIST_NAMED = Query(
    """
SELECT one.user_id, one.room_id
  FROM unnest($1::uuid[], $2::uuid[]) AS one (user_id, room_id)
  JOIN chat_membership m ON m.user_id = one.user_id AND m.room_id = one.room_id
  JOIN user_account u ON u.id = one.user_id
 WHERE u.erased_at IS NULL AND one.room_id IN (u.club_id, $3)
""",
    RoomMember,
)
READ_SEAT = Query(
    """
SELECT u.first_name, u.last_name, u.avatar, b.user_id IS NOT NULL AS is_banned, b.until,
       EXISTS (SELECT 1 FROM chat_membership m
                WHERE m.user_id = u.id AND m.room_id = u.club_id) AS has_joined
  FROM user_account u
  LEFT JOIN chat_ban b ON b.user_id = u.id AND (b.until IS NULL OR b.until > $2)
 WHERE u.id = $1
""",
    ChatSeat,
)
LIST_WRITTEN = Query(
    """
SELECT r.id, r.club_id, r.last_seq, c.name AS club_name
  FROM chat_room r LEFT JOIN club c ON c.id = r.club_id WHERE r.last_seq > 0
""",
    WrittenRoom,
)
LIST_LAST_SEQ = Query(
    "SELECT id, last_seq FROM chat_room WHERE id = ANY ($1::uuid[])", RoomSequence
)


async def list_named(
    runner: Runner, named: Collection[tuple[UUID, UUID]]
) -> set[tuple[UUID, UUID]]:
    """Return which of these members are in their rooms, as pairs of member id and room id."""
    users, rooms = [user for user, _ in named], [room for _, room in named]
    rows = await runner.fetch_rows(LIST_NAMED, users, rooms, PUBLIC_ROOM)
    return {(row.user_id, row.room_id) for row in rows}


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


async def list_positions(
    database: Database, user_id: UUID, max_unread: int
) -> Sequence[RoomPosition]:
    """Return a member's rooms with their unread counts, each at most ``max_unread``."""
    return await database.fetch_rows(LIST_POSITIONS, user_id, max_unread)


async def read_seat(database: Database, user_id: UUID, now: datetime) -> ChatSeat | None:
    return await database.fetch_row(READ_SEAT, user_id, now)


async def change_last_read(
    database: Database, user_id: UUID, room_id: UUID, seq: int
) -> int | None:
    """Advance the last read ``seq``, at most to the newest; return it, None when not joined."""
    last_read: int | None = await database.fetch_value(MARK_READ, user_id, room_id, seq)
    return last_read


async def list_written(database: Database) -> Sequence[WrittenRoom]:
    return await database.fetch_rows(LIST_WRITTEN)


async def list_last_seq(database: Database, room_ids: Sequence[UUID]) -> dict[UUID, int]:
    rows = await database.fetch_rows(LIST_LAST_SEQ, room_ids)
    return {row.id: row.last_seq for row in rows}
