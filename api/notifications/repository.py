"""SQL of the notifications."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from api.core.ids import new_id
from api.database.database import Database, Transaction
from api.database.statements import Row
from api.notifications.enums import NotificationGroup, NotificationKind
from api.notifications.rules import WITHOUT_MAIL, WITHOUT_PUSH, StoredFact

CHANNEL = "notification"
# Whoever has left is told nothing. What is announced is heard once it is committed.
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
# What is not named stays as it is, or as it is for everybody.
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
TAKE_DUE = """
UPDATE notification SET mail_due_at = NULL
 WHERE id IN (SELECT id FROM notification WHERE mail_due_at <= $1
               ORDER BY mail_due_at LIMIT $2 FOR UPDATE SKIP LOCKED)
RETURNING id
"""
# All that a member is told as one comes together, however much else is due.
TAKE_PUSHES = """
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
    """The groups that a member wants no mail, and no push, for."""

    without_mail: Sequence[str]
    without_push: Sequence[str]


async def insert(
    tx: Transaction, told: NewNotification, facts: Mapping[UUID, Mapping[str, StoredFact]]
) -> int:
    """Tell members, each with facts of their own; return how many were not told before."""
    rows = await tx.fetch_rows(
        INSERT,
        [new_id() for _ in facts],
        list(facts),
        told.kind.value,
        told.subject,
        [json.dumps(data) for data in facts.values()],
        told.created_at,
        told.mail_due_at,
        told.group.value,
        CHANNEL,
        WITHOUT_MAIL,
        told.push_due_at,
        WITHOUT_PUSH,
        told.sender_id,
    )
    return len(rows)


async def list_newest(
    database: Database, user_id: UUID, before: UUID | None, most: int
) -> Sequence[Row]:
    """Return what a member was told before the notification of an id, newest first."""
    return await database.fetch_rows(LIST, user_id, before, most)


async def count_unread(database: Database, user_id: UUID) -> int:
    """Count what a member has not read."""
    return int(await database.fetch_value(COUNT_UNREAD, user_id))


async def is_notification_of(database: Database, user_id: UUID, notification_id: UUID) -> bool:
    """Say whether a notification is a member's."""
    return bool(await database.fetch_value(IS_OF, notification_id, user_id))


async def change_read(
    database: Database, user_id: UUID, notification_id: UUID | None, now: datetime
) -> None:
    """Note that a member has read one notification, or all; announce it if that changes any."""
    await database.execute(READ, user_id, notification_id, now, CHANNEL)


async def list_news(database: Database, news: Sequence[tuple[UUID, UUID | None]]) -> Sequence[Row]:
    """Return for each member and notification how many are unread, and what it says, in order."""
    user_ids, ids = [user_id for user_id, _ in news], [one for _, one in news]
    return await database.fetch_rows(READ_NEWS, user_ids, ids)


async def read_setting(database: Database, user_id: UUID) -> SwitchedOff:
    """Return the groups that a member wants no mail and no push for."""
    row = await database.fetch_row(READ_SETTING, user_id)
    if row is None:
        return SwitchedOff(WITHOUT_MAIL, WITHOUT_PUSH)
    return SwitchedOff(row["without_mail"], row["without_push"])


async def delete_others(
    tx: Transaction, user_ids: Sequence[UUID], kind: NotificationKind, subject: str
) -> None:
    """Remove what members were told of a kind, but for one subject."""
    await tx.execute(DELETE_OTHERS, list(user_ids), kind.value, subject)


async def change_setting(
    database: Database,
    user_id: UUID,
    mail: Mapping[str, bool],
    push: Mapping[str, bool],
    now: datetime,
) -> SwitchedOff:
    """Switch mail and push of the groups that are named; return what is off then."""
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


async def take_due(tx: Transaction, now: datetime, most: int) -> list[UUID]:
    """Take notifications whose mail is due; nobody else takes them."""
    return [row["id"] for row in await tx.fetch_rows(TAKE_DUE, now, most)]


async def take_pushes(
    tx: Transaction, now: datetime, most: int, as_one: Sequence[str]
) -> Sequence[Row]:
    """Take notifications whose push is due, by their members; nobody else takes them.

    Of kinds that are told ``as_one`` all of a member come, beyond ``most``.
    """
    return await tx.fetch_rows(TAKE_PUSHES, now, most, list(as_one), WITHOUT_PUSH)


async def change_push_due(tx: Transaction, notification_id: UUID, due_at: datetime) -> None:
    """Let a notification be pushed later."""
    await tx.execute(CHANGE_PUSH_DUE, notification_id, due_at)


async def read_mail(database: Database, notification_id: UUID) -> Row | None:
    """Return what is mailed and to whom; None when it is gone, or its member has left."""
    return await database.fetch_row(READ_MAIL, notification_id, WITHOUT_MAIL)


async def list_mails(database: Database, ids: Sequence[UUID]) -> Sequence[Row]:
    """Return what is mailed and to whom, of these notifications and of members who stay."""
    return await database.fetch_rows(LIST_MAILS, list(ids))


async def list_waiting_mails(database: Database, before: UUID | None, most: int) -> list[UUID]:
    """Return notifications whose mail waits for its time, newest first."""
    return [row["id"] for row in await database.fetch_rows(LIST_WAITING, before, most)]


async def change_due(database: Database, notification_id: UUID, due_at: datetime) -> None:
    """Let a notification be mailed later."""
    await database.execute(CHANGE_DUE, notification_id, due_at)
