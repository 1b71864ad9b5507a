from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from api.foundation.database.database import Database, Transaction
from api.foundation.database.statements import Query
from api.messaging.notifications.rules.messages import WITHOUT_MAIL, WITHOUT_PUSH

CHANGE_PUSH_DUE = "UPDATE notification SET push_due_at = $2 WHERE id = $1"
CHANGE_DUE = "UPDATE notification SET mail_due_at = $2 WHERE id = $1"


@dataclass(frozen=True)
class ClaimedPush:
    id: UUID
    user_id: UUID
    kind: str
    created_at: datetime
    sender_id: UUID | None
    due_at: datetime
    without_push: list[str]


@dataclass(frozen=True)
class MailContent:
    """A mail's content and recipient, with the colours of the recipient's club."""

    kind: str
    data: dict[str, Any]
    user_id: UUID
    email: str
    first_name: str
    colour_a: str
    colour_b: str
    without_mail: list[str]


@dataclass(frozen=True)
class AddressedMail:
    """A notification with its member's address; without ``mail_due_at`` a worker has its mail."""

    id: UUID
    kind: str
    created_at: datetime
    mail_due_at: datetime | None
    email: str


CLAIM_DUE = """
UPDATE notification SET mail_due_at = NULL
 WHERE id IN (SELECT id FROM notification WHERE mail_due_at <= $1
               ORDER BY mail_due_at LIMIT $2 FOR UPDATE SKIP LOCKED)
RETURNING id
"""
# For kinds that are pushed as one, all due ones of a member are returned, regardless of the limit.
CLAIM_PUSHES = Query(
    """
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
""",
    ClaimedPush,
)
READ_MAIL = Query(
    """
SELECT n.kind, n.data, n.user_id, u.email, u.first_name, c.colour_a, c.colour_b,
       coalesce(s.without_mail, $2) AS without_mail
  FROM notification n
  JOIN user_account u ON u.id = n.user_id
  JOIN club c ON c.id = u.club_id
  LEFT JOIN notification_setting s ON s.user_id = n.user_id
 WHERE n.id = $1 AND u.erased_at IS NULL
""",
    MailContent,
)
LIST_MAILS = Query(
    """
SELECT n.id, n.kind, n.created_at, n.mail_due_at, u.email
  FROM notification n JOIN user_account u ON u.id = n.user_id
 WHERE n.id = ANY ($1) AND u.erased_at IS NULL
""",
    AddressedMail,
)
LIST_WAITING = """
SELECT id FROM notification
 WHERE mail_due_at IS NOT NULL AND ($1::uuid IS NULL OR id < $1) ORDER BY id DESC LIMIT $2
"""


async def claim_due(tx: Transaction, now: datetime, limit: int) -> list[UUID]:
    """Claim notifications whose mail is due; no other worker gets them."""
    return await tx.fetch_column(CLAIM_DUE, now, limit)


async def claim_pushes(
    tx: Transaction, now: datetime, limit: int, as_one: Sequence[str]
) -> Sequence[ClaimedPush]:
    """Claim notifications whose push is due, ordered by member; no other worker gets them.

    Of the kinds in ``as_one`` all of a member's are returned, even beyond ``limit``.
    """
    return await tx.fetch_rows(CLAIM_PUSHES, now, limit, list(as_one), WITHOUT_PUSH)


async def change_push_due(tx: Transaction, notification_id: UUID, due_at: datetime) -> None:
    """Postpone a notification's push."""
    await tx.execute(CHANGE_PUSH_DUE, notification_id, due_at)


async def read_mail(database: Database, notification_id: UUID) -> MailContent | None:
    """Return a mail's content and recipient; None when it or its member's account is deleted."""
    return await database.fetch_row(READ_MAIL, notification_id, WITHOUT_MAIL)


async def list_mails(database: Database, ids: Sequence[UUID]) -> Sequence[AddressedMail]:
    """Return the mails of these notifications, without those of deleted accounts."""
    return await database.fetch_rows(LIST_MAILS, list(ids))


async def list_waiting_mails(database: Database, before: UUID | None, limit: int) -> list[UUID]:
    """Return the notifications with a postponed mail, newest first."""
    return await database.fetch_column(LIST_WAITING, before, limit)


async def change_due(database: Database, notification_id: UUID, due_at: datetime) -> None:
    """Postpone a notification's mail."""
    await database.execute(CHANGE_DUE, notification_id, due_at)
