import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from api.foundation.core.ids import new_id
from api.foundation.database.database import Database, Transaction
from api.foundation.database.statements import Query
from api.messaging.notifications.enums import NotificationGroup, NotificationKind
from api.messaging.notifications.rules.messages import WITHOUT_MAIL, WITHOUT_PUSH, StoredFact

CHANNEL = "notification"
# Skips members whose account is deleted. Listeners are notified at commit.
INSERT = """
WITH told AS (
  INSERT INTO notification
    (id, user_id, kind, subject, data, created_at, mail_due_at, push_due_at, sender_id)
  SELECT one.id, one.user_id, $3, $4, one.data::jsonb, $6,
         CASE WHEN $8 = ANY (coalesce(s.without_mail, $10)) THEN NULL ELSE $7::timestamptz END,
         CASE WHEN $8 <> ALL (coalesce(s.without_push, $12))
               AND EXISTS (SELECT FROM push_subscription p WHERE p.user_id = one.user_id)
              THEN $11::timestamptz END, $13::uuid
    FROM unnest($1::uuid[], $2::uuid[], $5::text[]) AS one (id, user_id, data)
    LEFT JOIN notification_setting s ON s.user_id = one.user_id
   WHERE hold_member(one.user_id)
  ON CONFLICT (user_id, kind, subject) DO NOTHING
  RETURNING id, user_id
)
SELECT pg_notify($9, user_id || ' ' || id) FROM told
"""
COUNT_UNREAD = "SELECT count(*) FROM notification WHERE user_id = $1 AND read_at IS NULL"
IS_OF = "SELECT EXISTS (SELECT FROM notification WHERE id = $1 AND user_id = $2)"
READ = """
WITH changed AS (
  UPDATE notification SET read_at = $3
   WHERE user_id = $1 AND ($2::uuid IS NULL OR id = $2) AND read_at IS NULL
  RETURNING user_id
)
SELECT pg_notify($4, user_id::text) FROM changed LIMIT 1
"""
DELETE_OTHERS = """
DELETE FROM notification WHERE user_id = ANY ($1) AND kind = $2 AND subject <> $3
"""


@dataclass(frozen=True)
class NotificationRow:
    id: UUID
    kind: str
    data: dict[str, Any]
    created_at: datetime
    read_at: datetime | None


@dataclass(frozen=True)
class AnnouncedNotification:
    user_id: UUID
    id: UUID | None
    kind: str | None
    data: dict[str, Any] | None
    unread: int


LIST = Query(
    """
SELECT id, kind, data, created_at, read_at FROM notification
 WHERE user_id = $1 AND ($2::uuid IS NULL OR id < $2) ORDER BY id DESC LIMIT $3
""",
    NotificationRow,
)
READ_NEWS = Query(
    """
SELECT one.user_id, n.id, n.kind, n.data,
       (SELECT count(*) FROM notification u
         WHERE u.user_id = one.user_id AND u.read_at IS NULL) AS unread
  FROM unnest($1::uuid[], $2::uuid[]) WITH ORDINALITY AS one (user_id, id, place)
  LEFT JOIN notification n ON n.id = one.id
 ORDER BY one.place
""",
    AnnouncedNotification,
)


@dataclass(frozen=True)
class NewNotification:
    """A new notification, and when it is due as mail and as push, if enabled for ``group``.

    None: not sent that way. ``sender_id`` is the member who caused it.
    """

    kind: NotificationKind
    group: NotificationGroup
    subject: str
    created_at: datetime
    mail_due_at: datetime | None
    push_due_at: datetime | None
    sender_id: UUID | None = None


async def insert(
    tx: Transaction, new: NewNotification, facts: Mapping[UUID, Mapping[str, StoredFact]]
) -> int:
    """Insert a notification for each member, with individual facts; return how many are new."""
    rows = await tx.fetch_rows(
        INSERT,
        [new_id() for _ in facts],
        list(facts),
        new.kind.value,
        new.subject,
        [json.dumps(data) for data in facts.values()],
        new.created_at,
        new.mail_due_at,
        new.group.value,
        CHANNEL,
        WITHOUT_MAIL,
        new.push_due_at,
        WITHOUT_PUSH,
        new.sender_id,
    )
    return len(rows)


async def list_newest(
    database: Database, user_id: UUID, before: UUID | None, limit: int
) -> Sequence[NotificationRow]:
    """Return a member's notifications before the one with an id, newest first."""
    return await database.fetch_rows(LIST, user_id, before, limit)


async def count_unread(database: Database, user_id: UUID) -> int:
    return int(await database.fetch_value(COUNT_UNREAD, user_id))


async def is_notification_of(database: Database, user_id: UUID, notification_id: UUID) -> bool:
    return bool(await database.fetch_value(IS_OF, notification_id, user_id))


async def change_read(
    database: Database, user_id: UUID, notification_id: UUID | None, now: datetime
) -> None:
    """Mark one notification, or all of a member's, as read; announce it if that changes any."""
    await database.execute(READ, user_id, notification_id, now, CHANNEL)


async def list_news(
    database: Database, news: Sequence[tuple[UUID, UUID | None]]
) -> Sequence[AnnouncedNotification]:
    """Return the unread count and content for each pair of member and notification, in order."""
    user_ids, ids = [user_id for user_id, _ in news], [one for _, one in news]
    return await database.fetch_rows(READ_NEWS, user_ids, ids)


async def delete_others(
    tx: Transaction, user_ids: Sequence[UUID], kind: NotificationKind, subject: str
) -> None:
    """Delete members' notifications of a kind, except those of one subject."""
    await tx.execute(DELETE_OTHERS, list(user_ids), kind.value, subject)
