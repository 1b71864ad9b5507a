"""Background work: sends codes, handles password resets, and records session activity."""

import asyncio
from collections.abc import Mapping, Sequence
from uuid import UUID

from typing_extensions import override

from api.foundation.core import clock
from api.foundation.core.errors import DatabaseUnavailableError, UnavailableError
from api.foundation.core.supervisor import Job
from api.foundation.database.database import Database
from api.foundation.database.lanes import Priority
from api.foundation.jobs.kinds import ObsoleteError, PermanentFailureError
from api.foundation.jobs.mail import Mailer, MailRefusedError, StoredMail
from api.foundation.jobs.mail_template import Letter, write
from api.foundation.security.network import site_of
from api.people.auth import rules
from api.people.auth.enums import CodeChannel, CodePurpose
from api.people.auth.jobs import CodeMail, CodeText
from api.people.auth.ports import CodeRefusedError, CodeSender, OutgoingCode
from api.people.auth.service import passwords, sessions, texts
from api.people.auth.service.context import AuthContext, Caller

RESETS_AT_ONCE = 2
RESETS_WAITING = 64
RESET_TRIES, RESET_RETRY_SECONDS = 60, 1.0
RESETS_WAITING_OF_ONE = 16  # per site, so that one caller cannot fill all places

SUBJECTS = {
    CodePurpose.ACTIVATION: "Your King of Fans activation code",
    CodePurpose.PASSWORD_RESET: "Your King of Fans password code",
}
LINES = {
    CodePurpose.ACTIVATION: "Enter this code to activate your account:",
    CodePurpose.PASSWORD_RESET: "Enter this code to choose a new password:",
}
MASKED = "••••••"
NOTE_SECONDS = 1.0
MAX_PENDING_SESSIONS = 10_000  # sessions to record; more are recorded at their next call


class SessionActivity:
    """Records which sessions are in use, outside the calls that use them.

    Failed writes are dropped: the session is recorded at its next call.
    """

    def __init__(self, database: Database) -> None:
        self._database = database.lane(Priority.BACKGROUND)
        self._seen: set[UUID] = set()

    def notice(self, session_id: UUID) -> None:
        """Queue a session to be recorded."""
        if len(self._seen) < MAX_PENDING_SESSIONS:
            self._seen.add(session_id)

    def job(self) -> Job:
        """Return the job that records activity."""
        return Job(name="visitors", step=self.note, every_seconds=NOTE_SECONDS)

    async def note(self) -> None:
        """Record the queued sessions.

        Raises:
            DatabaseUnavailableError: nothing was recorded.
        """
        seen, self._seen = self._seen, set()
        if seen:
            await sessions.record_seen(self._database, list(seen), clock.now())


class CodeMailer(CodeSender):
    """Sends codes by mail."""

    def __init__(self, mailer: Mailer) -> None:
        self._mailer = mailer

    @override
    async def send(self, code: OutgoingCode) -> None:
        """Mail a code."""
        minutes = int(rules.CODE_LIFE.total_seconds() // 60)
        letter = Letter(
            SUBJECTS[code.purpose],
            code.first_name,
            [LINES[code.purpose]],
            code=code.code,
            closing=[
                f"It expires in {minutes} minutes. If you did not request it, ignore this message."
            ],
            colours=code.colours,
        )
        try:
            await self._mailer.send(write(code.to, letter))
        except MailRefusedError as error:
            raise CodeRefusedError from error


class CodeDelivery:
    """Handles ``MAIL_CODE`` and ``TEXT_CODE`` jobs, with the sender of each channel."""

    def __init__(self, database: Database, senders: Mapping[CodeChannel, CodeSender]) -> None:
        self._database = database
        self._senders = senders

    async def send_mail(self, mail: CodeMail) -> None:
        """Mail a code unless it has expired.

        Raises:
            ObsoleteError: it has expired.
            UnavailableError: the mail server failed temporarily.
            PermanentFailureError: the mail server rejected it.
        """
        if mail.expires_at <= clock.now():
            raise ObsoleteError
        outgoing = OutgoingCode(mail.email, mail.first_name, mail.purpose, mail.code, mail.colours)
        try:
            await self._senders[CodeChannel.EMAIL].send(outgoing)
        except CodeRefusedError as error:
            raise PermanentFailureError from error

    async def send_text(self, text: CodeText) -> None:
        """Send a code by SMS, see ``texts.send_text``.

        Raises:
            PermanentFailureError: codes by SMS are no longer enabled, too.
        """
        sender = self._senders.get(CodeChannel.SMS)
        if sender is None:
            await texts.give_up_text(self._database, text)
            raise PermanentFailureError
        await texts.send_text(self._database, sender, text)

    async def give_up_text(self, text: CodeText) -> None:
        """Record that an SMS is not tried again."""
        await texts.give_up_text(self._database, text)


async def send_codes(_database: Database, mails: Sequence[CodeMail]) -> list[StoredMail]:
    """Return mails as operators see them, with the codes masked."""
    return [StoredMail(mail.email, f"{SUBJECTS[mail.purpose]}: {MASKED}") for mail in mails]


async def text_codes(_database: Database, codes: Sequence[CodeText]) -> list[StoredMail]:
    """Return SMS as operators see them, with the codes and most of the numbers masked."""
    return [StoredMail(rules.mask_phone(text.phone), f"Code by SMS: {MASKED}") for text in codes]


class ResetRequests:
    """Sends codes for forgotten passwords after the response.

    Requests are counted and limited before that, whether an email has an account or not.
    """

    def __init__(self, context: AuthContext) -> None:
        self._context = context
        self._turns = asyncio.Semaphore(RESETS_AT_ONCE)
        self._tasks: dict[asyncio.Task[None], str] = {}

    async def submit(self, email: str, caller: Caller) -> None:
        """Send a code in the background if a member has the email.

        Raises:
            CodeTooSoonError: a code was just requested, or too many today.
            UnavailableError: too many requests are pending, in total or from this site.
        """
        site = site_of(caller.address)
        async with passwords.admitted_reset(self._context, email, caller):
            of_one = sum(waiting == site for waiting in self._tasks.values())
            if len(self._tasks) >= RESETS_WAITING or of_one >= RESETS_WAITING_OF_ONE:
                raise UnavailableError
            task = asyncio.create_task(self._send_code(email, caller))
            self._tasks[task] = site
            task.add_done_callback(self._tasks.pop)

    async def settle(self, seconds: float = 5.0) -> None:
        """Wait for pending requests, at most ``seconds``."""
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=seconds)

    async def _send_code(self, email: str, caller: Caller) -> None:
        async with self._turns:
            for _ in range(RESET_TRIES):
                try:
                    await passwords.send_reset_code(self._context, email, caller)
                except DatabaseUnavailableError:  # the response promised a code
                    await asyncio.sleep(RESET_RETRY_SECONDS)
                else:
                    return
