"""What is done beside the writing: open screens are told, and mail leaves."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Sequence
from uuid import UUID

from api.core import clock
from api.core.supervisor import Job
from api.database.database import Database
from api.database.statements import Row
from api.jobs.kinds import PermanentFailureError
from api.jobs.mail import Email, Mailer, MailRefusedError, StoredMail
from api.jobs.queue import JobQueue
from api.notifications import repository, rules, service
from api.notifications.enums import NotificationKind
from api.notifications.jobs import NOTIFY_BY_MAIL, NotificationMail
from api.notifications.schemas import NotificationHeadline, NotificationNews

ALIVE_SECONDS = 15.0  # how often a job says that it lives while nothing wakes it
SEND_SECONDS = 2.0
BATCH_SIZE = 200

Tell = Callable[[UUID, NotificationNews], Awaitable[None]]


class NotificationTeller:
    """Tells this process's screens what the database announces, whichever process wrote it.

    ``is_here`` says whether a member has a screen here, ``members`` who has one; ``tell`` reaches
    those of a member. News are read and told in the order they came in, so that a screen's last
    count is the newest.
    """

    def __init__(
        self,
        database: Database,
        *,
        is_here: Callable[[UUID], bool],
        members: Callable[[], Iterable[UUID]],
        tell: Tell,
    ) -> None:
        self._database = database
        self._is_here = is_here
        self._members = members
        self._tell = tell
        self._news: deque[tuple[UUID, UUID | None]] = deque()
        self._wake = asyncio.Event()

    async def hear(self, payload: str) -> None:
        """Take in an announcement: a member, and a notification that is new to them."""
        user_id, *ids = (UUID(word) for word in payload.split())
        if self._is_here(user_id):
            self._take([(user_id, ids[0] if ids else None)])

    def recheck(self) -> None:
        """Tell everybody here how many are unread: what was announced meanwhile was not heard."""
        self._take([(user_id, None) for user_id in self._members()])

    def job(self) -> Job:
        """Return what has to be done as long as there are news."""
        return Job(
            name="notifications", step=self.show, every_seconds=ALIVE_SECONDS, wake=self._wake
        )

    async def show(self) -> None:
        """Tell what was announced by now.

        Raises:
            DatabaseUnavailableError: some is not told yet.
        """
        while self._news:
            news = [self._news[place] for place in range(min(len(self._news), BATCH_SIZE))]
            rows = await repository.list_news(self._database, news)
            for row in rows:
                self._news.popleft()
                await self._tell(row["user_id"], _news(row))

    def _take(self, news: Iterable[tuple[UUID, UUID | None]]) -> None:
        self._news.extend(news)
        self._wake.set()


class NotificationMailer:
    """Does ``NOTIFY_BY_MAIL``; ``public_url`` is where the links lead."""

    def __init__(self, database: Database, mailer: Mailer, *, public_url: str) -> None:
        self._database = database
        self._mailer = mailer
        self._public_url = public_url

    async def send(self, mail: NotificationMail) -> None:
        """Mail a notification, unless the member has left or does not want it any more.

        At night it is left to the morning, money excepted.

        Raises:
            UnavailableError: the mail server did not take it this time.
            PermanentFailureError: it never will.
        """
        row = await repository.read_mail(self._database, mail.notification_id)
        if row is None:
            return
        kind, now = NotificationKind(row["kind"]), clock.now()
        if rules.group_of(kind).value in row["without_mail"]:
            return
        due_at = await service.mail_due_at(self._database, kind, now)
        if due_at is None:
            return
        if due_at > now:
            await repository.change_due(self._database, mail.notification_id, due_at)
            return
        try:
            await self._mailer.send(self._email(kind, row))
        except MailRefusedError as error:
            raise PermanentFailureError from error

    def _email(self, kind: NotificationKind, row: Row) -> Email:
        told = rules.tell(kind, row["data"])
        body = (
            f"Hello {row['first_name']},\n\n{told.body}\n\n{self._public_url}{told.link}\n\n"
            f"Choose which mails you get: {self._public_url}/notifications\n\n"
            "King of Fans\nGet Connected Get Rewarded\n"
        )
        return Email(row["email"], told.title, body)


async def mails_to_send(database: Database, mails: Sequence[NotificationMail]) -> list[StoredMail]:
    """Return what operators see of mails of notifications: their kind, for titles have amounts."""
    rows = await repository.list_mails(database, [mail.notification_id for mail in mails])
    found = {row["id"]: row for row in rows}
    return [_told(found.get(mail.notification_id)) for mail in mails]


def _told(row: Row | None) -> StoredMail:
    if row is None:
        return StoredMail(None, "Notification of a member who has left")
    return StoredMail(row["email"], rules.words_of(NotificationKind(row["kind"])))


def send_mails_job(database: Database, queue: JobQueue) -> Job:
    """Return what makes stored jobs of the mails that are due, again and again."""

    async def step() -> None:
        while await send_mails(database, queue) == BATCH_SIZE:
            pass

    return Job(name="send_mails", step=step, every_seconds=SEND_SECONDS)


async def send_mails(database: Database, queue: JobQueue) -> int:
    """Make stored jobs of mails that are due, each once; return how many there were."""
    async with database.transaction() as tx:
        due = await repository.take_due(tx, clock.now(), BATCH_SIZE)
        for notification_id in due:
            mail = NotificationMail(notification_id=notification_id)
            await queue.enqueue(tx, NOTIFY_BY_MAIL, mail, key=str(notification_id))
    return len(due)


def _news(row: Row) -> NotificationNews:
    headline = None
    if row["id"] is not None:
        kind = NotificationKind(row["kind"])
        title = rules.tell(kind, row["data"]).title
        headline = NotificationHeadline(id=row["id"], kind=kind, title=title)
    return NotificationNews(unread=row["unread"], notification=headline)
