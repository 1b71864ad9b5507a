"""Background work of notifications: updates open screens and sends mail."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Sequence
from uuid import UUID

from api.foundation.core import clock
from api.foundation.core.supervisor import Job
from api.foundation.database.database import Database
from api.foundation.jobs.kinds import PermanentFailureError
from api.foundation.jobs.mail import Email, Mailer, MailRefusedError, StoredMail
from api.foundation.jobs.mail_template import Letter, Link, write
from api.foundation.jobs.queue import JobQueue
from api.messaging.notifications import service
from api.messaging.notifications.enums import NotificationKind
from api.messaging.notifications.jobs import NOTIFY_BY_MAIL, NotificationMail
from api.messaging.notifications.repository import notifications, sending
from api.messaging.notifications.repository.notifications import AnnouncedNotification
from api.messaging.notifications.repository.sending import AddressedMail, MailContent
from api.messaging.notifications.rules import messages, unsubscribing
from api.messaging.notifications.schemas import NotificationHeadline, NotificationNews

ALIVE_SECONDS = 15.0  # how often an idle job reports that it is alive
SEND_SECONDS = 2.0
BATCH_SIZE = 200

Emit = Callable[[UUID, NotificationNews], Awaitable[None]]


class NotificationEmitter:
    """Emits announced notifications to this process's sockets, whichever process wrote them.

    ``is_here`` returns whether a member has a socket here, ``members`` returns all who do; ``emit``
    reaches a member's sockets. Announcements are read and emitted in the order received, so that
    the last count on a screen is the newest.
    """

    def __init__(
        self,
        database: Database,
        *,
        is_here: Callable[[UUID], bool],
        members: Callable[[], Iterable[UUID]],
        emit: Emit,
    ) -> None:
        self._database = database
        self._is_here = is_here
        self._members = members
        self._emit = emit
        self._news: deque[tuple[UUID, UUID | None]] = deque()
        self._wake = asyncio.Event()

    async def on_announcement(self, payload: str) -> None:
        """Handle an announcement: a member, and a new notification's id unless it is of a read."""
        user_id, *ids = (UUID(word) for word in payload.split())
        if self._is_here(user_id):
            self._take([(user_id, ids[0] if ids else None)])

    def recheck(self) -> None:
        """Emit all unread counts again, because announcements may have been missed."""
        self._take([(user_id, None) for user_id in self._members()])

    def job(self) -> Job:
        """Return the job that emits news."""
        return Job(
            name="notifications", step=self.show, every_seconds=ALIVE_SECONDS, wake=self._wake
        )

    async def show(self) -> None:
        """Emit what was announced so far.

        Raises:
            DatabaseUnavailableError: some of it is not emitted yet.
        """
        while self._news:
            news = [self._news[place] for place in range(min(len(self._news), BATCH_SIZE))]
            rows = await notifications.list_news(self._database, news)
            for row in rows:
                self._news.popleft()
                await self._emit(row.user_id, _news(row))

    def _take(self, news: Iterable[tuple[UUID, UUID | None]]) -> None:
        self._news.extend(news)
        self._wake.set()


class NotificationMailer:
    """Runs ``NOTIFY_BY_MAIL`` jobs; links in mails start with ``public_url``.

    ``key`` signs the links that switch mail off.
    """

    def __init__(self, database: Database, mailer: Mailer, *, public_url: str, key: str) -> None:
        self._database = database
        self._mailer = mailer
        self._public_url = public_url
        self._key = key

    async def send(self, mail: NotificationMail) -> None:
        """Mail a notification, unless its member's account is deleted or has mail switched off.

        At night it is postponed to the morning, except for money.

        Raises:
            UnavailableError: the mail server failed this time.
            PermanentFailureError: the mail server refuses it permanently.
        """
        row = await sending.read_mail(self._database, mail.notification_id)
        if row is None:
            return
        kind, now = NotificationKind(row.kind), clock.now()
        if messages.group_of(kind).value in row.without_mail:
            return
        due_at = await service.mail_due_at(self._database, kind, now)
        if due_at is None:
            return
        if due_at > now:
            await sending.change_due(self._database, mail.notification_id, due_at)
            return
        try:
            await self._mailer.send(self._email(kind, row, mail.notification_id))
        except MailRefusedError as error:
            raise PermanentFailureError from error

    def _email(self, kind: NotificationKind, row: MailContent, notification_id: UUID) -> Email:
        message, group = messages.render(kind, row.data), messages.group_of(kind)
        token = unsubscribing.token_of(self._key, row.user_id, group)
        letter = Letter(
            message.title,
            row.first_name,
            [message.body],
            button=Link(messages.label_of(message.link), f"{self._public_url}{message.link}"),
            notes=[Link("Choose which mails you get", f"{self._public_url}/notifications")],
            unsubscribe=Link(
                f"Stop mails about {unsubscribing.WORDS[group]}",
                f"{self._public_url}{unsubscribing.PATH}{token}",
            ),
            colours=(row.colour_a, row.colour_b),
        )
        return write(row.email, letter, message_key=str(notification_id))


async def mails_to_send(database: Database, mails: Sequence[NotificationMail]) -> list[StoredMail]:
    """Return how operators see mails of notifications: by kind, because titles contain amounts."""
    rows = await sending.list_mails(database, [mail.notification_id for mail in mails])
    found = {row.id: row for row in rows}
    return [_stored_mail(found.get(mail.notification_id)) for mail in mails]


def _stored_mail(row: AddressedMail | None) -> StoredMail:
    if row is None:
        return StoredMail(None, "Notification of a member who has left")
    return StoredMail(row.email, messages.words_of(NotificationKind(row.kind)))


def send_mails_job(database: Database, queue: JobQueue) -> Job:
    """Return the job that enqueues due mails."""

    async def step() -> None:
        while await send_mails(database, queue) == BATCH_SIZE:
            pass

    return Job(name="send_mails", step=step, every_seconds=SEND_SECONDS)


async def send_mails(database: Database, queue: JobQueue) -> int:
    """Enqueue due mails, each once; return how many there were."""
    async with database.transaction() as tx:
        due = await sending.claim_due(tx, clock.now(), BATCH_SIZE)
        for notification_id in due:
            mail = NotificationMail(notification_id=notification_id)
            await queue.enqueue(tx, NOTIFY_BY_MAIL, mail, key=str(notification_id))
    return len(due)


def _news(row: AnnouncedNotification) -> NotificationNews:
    headline = None
    if row.id is not None and row.kind is not None and row.data is not None:
        kind = NotificationKind(row.kind)
        title = messages.render(kind, row.data).title
        headline = NotificationHeadline(id=row.id, kind=kind, title=title)
    return NotificationNews(unread=row.unread, notification=headline)
