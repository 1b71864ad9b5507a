"""Operations of notifications: notifying members, reading, and settings."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, time
from uuid import UUID

from api.foundation.core.errors import NotFoundError
from api.foundation.database.database import Database, Runner, Transaction
from api.foundation.jobs.mail import StoredMail
from api.foundation.office_settings import service as office_settings
from api.messaging.notifications.enums import NotificationGroup, NotificationKind
from api.messaging.notifications.repository import notifications, sending, switches
from api.messaging.notifications.repository.notifications import (
    CHANNEL,
    NewNotification,
    NotificationRow,
)
from api.messaging.notifications.repository.sending import AddressedMail
from api.messaging.notifications.repository.switches import SwitchedOff
from api.messaging.notifications.rules import messages, unsubscribing
from api.messaging.notifications.rules.messages import Fact
from api.messaging.notifications.schemas import (
    NotificationAnswer,
    NotificationChoice,
    NotificationList,
    NotificationSettings,
    Switches,
    UnreadNotifications,
)

__all__ = [
    "CHANNEL",
    "DuePush",
    "WaitingMail",
    "change_settings",
    "claim_pushes",
    "find_unsubscribing",
    "has_waiting_mail",
    "keep_newest",
    "list_newest",
    "list_waiting_mails",
    "notify",
    "notify_each",
    "push_leaves_at",
    "read",
    "read_all",
    "settings",
    "unread",
    "unsubscribe",
]


@dataclass(frozen=True)
class WaitingMail:
    """A notification's postponed mail; ``due_at`` is None once a worker has it."""

    id: UUID
    told: StoredMail
    created_at: datetime
    due_at: datetime | None


@dataclass(frozen=True)
class DuePush:
    """A notification whose push was due at ``due_at``, and which represents ``together`` of them.

    ``sender_id`` is the one member who caused them all, otherwise None.
    """

    notification_id: UUID
    user_id: UUID
    kind: NotificationKind
    due_at: datetime
    together: int = 1
    sender_id: UUID | None = None


async def notify(
    tx: Transaction,
    user_id: UUID,
    kind: NotificationKind,
    subject: object,
    now: datetime,
    **facts: Fact,
) -> bool:
    """Notify a member inside the caller's transaction; False when they had been already.

    At commit the member's open screens are updated, and a mail is sent if the member wants mail of
    the kind. A rollback undoes all of it. ``subject`` is what it is about, an id or a reference: a
    member gets one notification per kind and subject, and none after deleting the account.
    ``facts`` are what the kind's texts need, in ``rules.TEXTS``, and what clients may use.

    Raises:
        KeyError: the kind's texts need a missing fact.
    """
    return await notify_each(tx, {user_id: facts}, kind, subject, now) == 1


async def notify_each(
    tx: Transaction,
    recipients: Mapping[UUID, Mapping[str, Fact]],
    kind: NotificationKind,
    subject: object,
    now: datetime,
    *,
    hour_of: datetime | None = None,
    sender_id: UUID | None = None,
) -> int:
    """Notify several members, each with individual facts, like ``notify``.

    Returns how many are new. ``hour_of``, by default now, decides whether it is night for a push.
    ``sender_id`` is the member who caused it; a phone shows few pushes per day of one sender.

    Raises:
        KeyError: the kind's texts need a missing fact.
    """
    facts = {user_id: messages.stored(known) for user_id, known in recipients.items()}
    for known in facts.values():
        messages.render(kind, known)
    quiet = await _quiet_hours(tx)
    asked = hour_of or now
    push_due_at = messages.push_due_at(kind, asked, *quiet)
    new = NewNotification(
        kind,
        messages.group_of(kind),
        str(subject),
        now,
        messages.mail_due_at(kind, now, *quiet),
        now if push_due_at == asked else push_due_at,
        sender_id,
    )
    return await notifications.insert(tx, new, facts)


async def mail_due_at(database: Runner, kind: NotificationKind, now: datetime) -> datetime | None:
    """Return when a kind's mail may be sent, by the configured quiet hours; None: never."""
    return messages.mail_due_at(kind, now, *await _quiet_hours(database))


async def keep_newest(
    tx: Transaction, user_ids: Sequence[UUID], kind: NotificationKind, subject: object
) -> None:
    """Delete the members' older notifications of a kind, after adding the one of ``subject``."""
    await notifications.delete_others(tx, user_ids, kind, str(subject))


async def claim_pushes(tx: Transaction, now: datetime, limit: int) -> list[DuePush]:
    """Claim the due pushes, ordered by member; postpones those that have to wait for the morning.

    Postponed replies and mentions of a member are returned as one.
    """
    quiet = await _quiet_hours(tx)
    as_one = [kind.value for kind in messages.AS_ONE]
    found: dict[object, DuePush] = {}
    for row in await sending.claim_pushes(tx, now, limit, as_one):
        kind, due_at = NotificationKind(row.kind), row.due_at
        may_leave_at = messages.push_leaves_at(kind, due_at, now, *quiet)
        if may_leave_at is None or messages.group_of(kind).value in row.without_push:
            continue
        if may_leave_at > now:
            await sending.change_push_due(tx, row.id, may_leave_at)
            continue
        has_waited = kind in messages.AS_ONE and due_at > row.created_at
        place = row.user_id if has_waited else row.id
        before, sender_id = found.get(place), row.sender_id
        if before is not None and before.sender_id != sender_id:
            sender_id = None
        together = 1 if before is None else before.together + 1
        found[place] = DuePush(row.id, row.user_id, kind, due_at, together, sender_id)
    return list(found.values())


async def push_leaves_at(
    database: Database, user_id: UUID, kind: NotificationKind, due_at: datetime, now: datetime
) -> datetime | None:
    """Return when a push that was due at ``due_at`` may be sent; it is postponed if after ``now``.

    None: the night drops it, or its member has switched its group off.
    """
    off = await switches.read_setting(database, user_id)
    if messages.group_of(kind).value in off.without_push:
        return None
    return messages.push_leaves_at(kind, due_at, now, *await _quiet_hours(database))


async def _quiet_hours(database: Runner) -> tuple[time, time]:
    holds = await office_settings.read_settings(database)
    return holds.quiet_from, holds.quiet_to


async def list_newest(
    database: Database, user_id: UUID, *, before: UUID | None, limit: int
) -> NotificationList:
    """Return a member's notifications before the one with an id, newest first."""
    rows = await notifications.list_newest(database, user_id, before, limit)
    unread_count = await notifications.count_unread(database, user_id)
    return NotificationList(unread=unread_count, rows=[_answer(row) for row in rows])


async def unread(database: Database, user_id: UUID) -> UnreadNotifications:
    """Return a member's unread count."""
    return UnreadNotifications(unread=await notifications.count_unread(database, user_id))


async def list_waiting_mails(
    database: Database, before: UUID | None, limit: int
) -> list[WaitingMail]:
    """Return the postponed mails, newest first."""
    ids = await sending.list_waiting_mails(database, before, limit)
    rows = {row.id: row for row in await sending.list_mails(database, ids)}
    return [_waiting(rows[one]) for one in ids if one in rows]


async def has_waiting_mail(database: Database, notification_id: UUID) -> bool:
    """Return whether a notification's mail is postponed."""
    rows = await sending.list_mails(database, [notification_id])
    return any(row.mail_due_at is not None for row in rows)


async def read(
    database: Database, user_id: UUID, notification_id: UUID, now: datetime
) -> UnreadNotifications:
    """Mark a member's notification as read; reading it again changes nothing.

    Raises:
        NotFoundError: it is not the member's.
    """
    if not await notifications.is_notification_of(database, user_id, notification_id):
        raise NotFoundError
    await notifications.change_read(database, user_id, notification_id, now)
    return await unread(database, user_id)


async def read_all(database: Database, user_id: UUID, now: datetime) -> UnreadNotifications:
    """Mark all of a member's notifications as read."""
    await notifications.change_read(database, user_id, None, now)
    return await unread(database, user_id)


async def settings(database: Database, user_id: UUID) -> NotificationSettings:
    """Return the groups for which a member wants mail and push."""
    return _settings(await switches.read_setting(database, user_id))


async def change_settings(
    database: Database, user_id: UUID, wish: NotificationChoice, now: datetime
) -> NotificationSettings:
    """Switch mail and push of the given groups on or off; others keep their setting."""
    mail, push = (
        {} if choice is None else choice.model_dump(by_alias=False, exclude_none=True)
        for choice in (wish.mail, wish.push)
    )
    return _settings(await switches.change_setting(database, user_id, mail, push, now))


async def find_unsubscribing(database: Database, key: str, token: str) -> NotificationGroup:
    """Return the group that the token of a mail's link switches off; changes nothing.

    Raises:
        NotFoundError: the token is not ours, or the account is deleted.
    """
    user_id, group = _read_token(key, token)
    if not await switches.has_member(database, user_id):
        raise NotFoundError
    return group


async def unsubscribe(database: Database, key: str, token: str, now: datetime) -> NotificationGroup:
    """Switch the mail of a token's member and group off; idempotent.

    Raises:
        NotFoundError: the token is not ours, or the account is deleted.
    """
    user_id, group = _read_token(key, token)
    async with database.transaction() as tx:
        if not await switches.hold_member(tx, user_id):
            raise NotFoundError
        await switches.change_setting(tx, user_id, {group.value: False}, {}, now)
    return group


def _read_token(key: str, token: str) -> tuple[UUID, NotificationGroup]:
    found = unsubscribing.read_token(key, token)
    if found is None:
        raise NotFoundError
    return found


def _settings(off: SwitchedOff) -> NotificationSettings:
    mail, push = (
        Switches(**{group.value: group.value not in without for group in NotificationGroup})
        for without in (off.without_mail, off.without_push)
    )
    return NotificationSettings(mail=mail, push=push)


def _waiting(row: AddressedMail) -> WaitingMail:
    mail = StoredMail(row.email, messages.words_of(NotificationKind(row.kind)))
    return WaitingMail(row.id, mail, row.created_at, row.mail_due_at)


def _answer(row: NotificationRow) -> NotificationAnswer:
    kind = NotificationKind(row.kind)
    message = messages.render(kind, row.data)
    return NotificationAnswer(
        id=row.id,
        kind=kind,
        title=message.title,
        body=message.body,
        link=message.link,
        data=messages.on_the_wire(row.data),
        created_at=row.created_at,
        read_at=row.read_at,
    )
