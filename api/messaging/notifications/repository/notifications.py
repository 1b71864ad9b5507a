"""SQL of notifications."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from api.foundation.core.ids import new_id
from api.foundation.database.database import Database, Transaction
from api.foundation.database.statements import Row
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
LIST = """
SELECT id, kind, data, created_at, read_at FROM notification
 WHERE user_id = $1 AND ($2::uuid IS NULL OR id < $2) ORDER BY id DESC LIMIT $3
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
READ_NEWS = """
SELECT one.user_id, n.id, n.kind, n.data,
       (SELECT count(*) FROM notification u
         WHERE u.user_id = one.user_id AND u.read_at IS NULL) AS unread
  FROM unnest($1::uuid[], $2::uuid[]) WITH ORDINALITY AS one (user_id, id, place)
  LEFT JOIN notification n ON n.id = one.id
 ORDER BY one.place
"""
DELETE_OTHERS = """
DELETE FROM notification WHERE user_id = ANY ($1) AND kind = $2 AND subject <> $3
"""
READ_SETTING = "SELECT without_mail, without_push FROM notification_setting WHERE user_id = $1"
# Groups that are not given keep their setting, or the default.
CHANGE_SETTING = """
WITH wish AS (
  SELECT $2::text[] || $3::text[] AS mail, $3::text[] AS no_mail,
         $4::text[] || $5::text[] AS push, $5::text[] AS no_push
)
INSERT INTO notification_setting AS s (user_id, without_mail, without_push, changed_at)
SELECT $1, ARRAY(SELECT unnest($6::text[]) EXCEPT SELECT unnest(mail)) || no_mail,
       ARRAY(SELECT unnest($7::text[]) EXCEPT SELECT unnest(push)) || no_push, $8
  FROM wish
ON CONFLICT (user_id) DO UPDATE SET (without_mail, without_push, changed_at) = (
  SELECT ARRAY(SELECT unnest(s.without_mail) EXCEPT SELECT unnest(mail)) || no_mail,
         ARRAY(SELECT unnest(s.without_push) EXCEPT SELECT unnest(push)) || no_push, $8
    FROM wish)
RETURNING without_mail, without_push
"""
CLAIM_DUE = """
UPDATE notification SET mail_due_at = NULL
 WHERE id IN (SELECT id FROM notification WHERE mail_due_at <= $1
               ORDER BY mail_due_at LIMIT $2 FOR UPDATE SKIP LOCKED)
RETURNING id
"""
# Of kinds that are pushed as one, all of a member's are returned, however many are due.
CLAIM_PUSHES = """
WITH due AS (
  SELECT id, user_id, kind FROM notification WHERE push_due_at <= $1
   ORDER BY push_due_at LIMIT $2 FOR UPDATE SKIP LOCKED
), taken AS (
  SELECT id, user_id, push_due_at FROM notification
   WHERE id IN (SELECT id FROM due) OR (push_due_at <= $1 AND kind = ANY ($3)
         AND user_id IN (SELECT user_id FROM due WHERE kind = ANY ($3)))
     FOR UPDATE
), struck AS (
  UPDATE notification n SET push_due_at = NULL FROM taken WHERE n.id = taken.id
  RETURNING n.id, n.user_id, n.kind, n.created_at, n.sender_id, taken.push_due_at AS due_at
)
SELECT struck.*, coalesce(s.without_push, $4) AS without_push
  FROM struck LEFT JOIN notification_setting s ON s.user_id = struck.user_id
 ORDER BY struck.user_id, struck.id
"""
CHANGE_PUSH_DUE = "UPDATE notification SET push_due_at = $2 WHERE id = $1"
READ_MAIL = """
SELECT n.kind, n.data, u.email, u.first_name, coalesce(s.without_mail, $2) AS without_mail
  FROM notification n
  JOIN user_account u ON u.id = n.user_id
  LEFT JOIN notification_setting s ON s.user_id = n.user_id
 WHERE n.id = $1 AND u.erased_at IS NULL
"""
LIST_MAILS = """
SELECT n.id, n.kind, n.created_at, n.mail_due_at, u.email
  FROM notification n JOIN user_account u ON u.id = n.user_id
 WHERE n.id = ANY ($1) AND u.erased_at IS NULL
"""
LIST_WAITING = """
SELECT id FROM notification
 WHERE mail_due_at IS NOT NULL AND ($1::uuid IS NULL OR id < $1) ORDER BY id DESC LIMIT $2
"""
CHANGE_DUE = "UPDATE notification SET mail_due_at = $2 WHERE id = $1"


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


@dataclass(frozen=True)
class SwitchedOff:
    """The groups that a member has switched mail and push off for."""

    without_mail: Sequence[str]
    without_push: Sequence[str]


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
) -> Sequence[Row]:
    """Return a member's notifications before the one with an id, newest first."""
    return await database.fetch_rows(LIST, user_id, before, limit)


async def count_unread(database: Database, user_id: UUID) -> int:
    """Return a member's unread count."""
    return int(await database.fetch_value(COUNT_UNREAD, user_id))


async def is_notification_of(database: Database, user_id: UUID, notification_id: UUID) -> bool:
    """Return whether a notification is a member's."""
    return bool(await database.fetch_value(IS_OF, notification_id, user_id))


async def change_read(
    database: Database, user_id: UUID, notification_id: UUID | None, now: datetime
) -> None:
    """Mark one notification, or all of a member's, as read; announce it if that changes any."""
    await database.execute(READ, user_id, notification_id, now, CHANNEL)


async def list_news(database: Database, news: Sequence[tuple[UUID, UUID | None]]) -> Sequence[Row]:
    """Return the unread count and content for each pair of member and notification, in order."""
    user_ids, ids = [user_id for user_id, _ in news], [one for _, one in news]
    return await database.fetch_rows(READ_NEWS, user_ids, ids)


async def read_setting(database: Database, user_id: UUID) -> SwitchedOff:
    """Return the groups that a member has switched mail and push off for."""
    row = await database.fetch_row(READ_SETTING, user_id)
    if row is None:
        return SwitchedOff(WITHOUT_MAIL, WITHOUT_PUSH)
    return SwitchedOff(row["without_mail"], row["without_push"])


async def delete_others(
    tx: Transaction, user_ids: Sequence[UUID], kind: NotificationKind, subject: str
) -> None:
    """Delete members' notifications of a kind, except those of one subject."""
    await tx.execute(DELETE_OTHERS, list(user_ids), kind.value, subject)


async def change_setting(
    database: Database,
    user_id: UUID,
    mail: Mapping[str, bool],
    push: Mapping[str, bool],
    now: datetime,
) -> SwitchedOff:
    """Switch mail and push of the given groups; return what is off afterwards."""
    row = await database.fetch_row(
        CHANGE_SETTING,
        user_id,
        *(
            [group for group, is_on in named.items() if is_on is wanted]
            for named in (mail, push)
            for wanted in (True, False)
        ),
        WITHOUT_MAIL,
        WITHOUT_PUSH,
        now,
    )
    if row is None:
        raise RuntimeError("An upsert returns its row")
    return SwitchedOff(row["without_mail"], row["without_push"])


async def claim_due(tx: Transaction, now: datetime, limit: int) -> list[UUID]:
    """Claim notifications whose mail is due; no other worker gets them."""
    return [row["id"] for row in await tx.fetch_rows(CLAIM_DUE, now, limit)]


async def claim_pushes(
    tx: Transaction, now: datetime, limit: int, as_one: Sequence[str]
) -> Sequence[Row]:
    """Claim notifications whose push is due, ordered by member; no other worker gets them.

    Of the kinds in ``as_one`` all of a member's are returned, even beyond ``limit``.
    """
    return await tx.fetch_rows(CLAIM_PUSHES, now, limit, list(as_one), WITHOUT_PUSH)


async def change_push_due(tx: Transaction, notification_id: UUID, due_at: datetime) -> None:
    """Postpone a notification's push."""
    await tx.execute(CHANGE_PUSH_DUE, notification_id, due_at)


async def read_mail(database: Database, notification_id: UUID) -> Row | None:
    """Return a mail's content and recipient; None when it or its member's account is deleted."""
    return await database.fetch_row(READ_MAIL, notification_id, WITHOUT_MAIL)


async def list_mails(database: Database, ids: Sequence[UUID]) -> Sequence[Row]:
    """Return the mails of these notifications, without those of deleted accounts."""
    return await database.fetch_rows(LIST_MAILS, list(ids))


async def list_waiting_mails(database: Database, before: UUID | None, limit: int) -> list[UUID]:
    """Return the notifications with a postponed mail, newest first."""
    return [row["id"] for row in await database.fetch_rows(LIST_WAITING, before, limit)]


async def change_due(database: Database, notification_id: UUID, due_at: datetime) -> None:
    """Postpone a notification's mail."""
    await database.execute(CHANGE_DUE, notification_id, due_at)
