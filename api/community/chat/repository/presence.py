"""SQL of who is online: rows of live workers, and user lists built from them once for all."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from api.community.chat.rules import PUBLIC_ROOM
from api.foundation.database.database import Database
from api.foundation.database.locks import AdvisoryLock
from api.foundation.database.statements import Query

# One statement stores this worker's members and its heartbeat; others are notified of changes.
BE_PRESENT = """
WITH alive AS (
  INSERT INTO chat_worker (id, seen_at) VALUES ($1, $4)
  ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at
), gone AS (
  DELETE FROM chat_presence WHERE worker_id = $1 AND NOT user_id = ANY ($2::text[]::uuid[])
  RETURNING user_id
), came AS (
  INSERT INTO chat_presence (worker_id, user_id, club_id)
  SELECT $1, member.user_id, member.club_id
    FROM unnest($2::text[]::uuid[], $3::text[]::uuid[]) AS member (user_id, club_id)
  ON CONFLICT DO NOTHING
  RETURNING user_id
), changed AS (
  SELECT user_id FROM gone UNION ALL SELECT user_id FROM came
)
SELECT pg_notify($5, $1::text) FROM changed LIMIT 1
"""
BE_ABSENT = """
WITH worker AS (DELETE FROM chat_worker WHERE id = $1),
gone AS (DELETE FROM chat_presence WHERE worker_id = $1 RETURNING user_id)
SELECT pg_notify($2, $1::text) FROM gone LIMIT 1
"""
FORGET_WORKERS = """
WITH gone AS (DELETE FROM chat_worker WHERE seen_at < $1 RETURNING id)
DELETE FROM chat_presence p
 WHERE p.worker_id IN (SELECT id FROM gone)
    OR NOT EXISTS (SELECT 1 FROM chat_worker w WHERE w.id = p.worker_id)
"""
# Counts of all members and the first so many by name, for each club and for all under $5. One sort
# by name serves all lists. Does nothing when the lists are fresh, or another worker builds them.
REFRESH_ONLINE = """
WITH turn AS MATERIALIZED (
  SELECT pg_try_advisory_xact_lock($6) AS is_mine
   WHERE NOT EXISTS (SELECT FROM chat_online WHERE room_id = $5 AND listed_at > $4)
), online AS (
  SELECT DISTINCT p.user_id, p.club_id
    FROM turn, chat_presence p JOIN chat_worker w ON w.id = p.worker_id
   WHERE turn.is_mine AND w.seen_at > $3
), placed AS (
  SELECT o.user_id, o.club_id,
         row_number() OVER (ORDER BY u.last_name, u.first_name, o.user_id) AS place
    FROM online o JOIN user_account u ON u.id = o.user_id
), club_placed AS (
  SELECT *, row_number() OVER (PARTITION BY club_id ORDER BY place) AS club_place FROM placed
), lists AS (
  SELECT club_id AS room_id, count(*) AS members,
         coalesce(array_agg(user_id ORDER BY place) FILTER (WHERE club_place <= $2), '{}') AS listed
    FROM club_placed GROUP BY club_id
  UNION ALL
  SELECT $5, count(*),
         coalesce(array_agg(user_id ORDER BY place) FILTER (WHERE place <= $2), '{}')
    FROM placed HAVING (SELECT is_mine FROM turn)
), empty AS (
  DELETE FROM chat_online o USING turn
   WHERE turn.is_mine AND NOT EXISTS (SELECT FROM lists l WHERE l.room_id = o.room_id)
)
INSERT INTO chat_online (room_id, members, listed, listed_at)
SELECT room_id, members, listed, $1 FROM lists
ON CONFLICT (room_id) DO UPDATE
   SET members = excluded.members, listed = excluded.listed, listed_at = excluded.listed_at
"""


@dataclass(frozen=True)
class OnlineMember:
    """A member in the list of a room; an empty room may have one row without a user."""

    room_id: UUID
    members: int
    listed_at: datetime
    user_id: UUID | None
    first_name: str | None
    last_name: str | None
    avatar: str | None


LIST_ONLINE = Query(
    """
SELECT o.room_id, o.members, o.listed_at, u.id AS user_id, u.first_name, u.last_name, u.avatar
  FROM chat_online o
  LEFT JOIN LATERAL unnest(o.listed) WITH ORDINALITY AS one (user_id, place) ON true
  LEFT JOIN user_account u ON u.id = one.user_id
 WHERE o.room_id = ANY ($1::uuid[])
 ORDER BY o.room_id, one.place
""",
    OnlineMember,
)


async def be_present(
    database: Database,
    worker_id: UUID,
    members: Mapping[UUID, UUID],
    now: datetime,
    channel: str,
) -> None:
    """Store which members have sockets at this worker; announce changes on ``channel``.

    ``members`` maps each member's id to the club's.
    """
    # Texts, because the driver asks what a uuid[] is on every new connection: see list_hidden.
    users, clubs = ([str(one) for one in ids] for ids in (members.keys(), members.values()))
    await database.execute(BE_PRESENT, worker_id, users, clubs, now, channel)


async def be_absent(database: Database, worker_id: UUID, channel: str) -> None:
    """Store that this worker has no sockets any more."""
    await database.execute(BE_ABSENT, worker_id, channel)


async def delete_workers(database: Database, seen_before: datetime) -> None:
    """Delete workers not seen since then, with their members."""
    await database.execute(FORGET_WORKERS, seen_before)


async def refresh_online(
    database: Database,
    now: datetime,
    *,
    seen_after: datetime,
    stale_before: datetime,
    limit: int,
) -> None:
    """Rebuild the user lists, unless a worker is at it, or has done so after ``stale_before``.

    Only workers seen after ``seen_after`` count. A list has at most ``limit`` members.
    """
    await database.execute(
        REFRESH_ONLINE, now, limit, seen_after, stale_before, PUBLIC_ROOM, AdvisoryLock.ONLINE_LISTS
    )


async def list_online(database: Database, room_ids: Sequence[UUID]) -> Sequence[OnlineMember]:
    """Return who is in these rooms: a row for each listed member, in order.

    An empty room may be missing, or have one row without a user.
    """
    return await database.fetch_rows(LIST_ONLINE, room_ids)
