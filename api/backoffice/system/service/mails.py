"""Pending mails, and retries of dead ones."""

from collections.abc import Sequence
from typing import Any

from api.backoffice.system.errors import MailNotDeadError
from api.backoffice.system.ports import MailContext
from api.backoffice.system.schemas import MailRow, RetriedMail
from api.foundation.audit import writing as audit
from api.foundation.audit.writing import AuditRecord
from api.foundation.core.errors import NotFoundError
from api.foundation.core.ids import parse_id
from api.foundation.database.database import Database, Transaction
from api.foundation.database.errors import UniqueViolation
from api.foundation.jobs import listing
from api.foundation.jobs.listing import STATE_OF, StoredJob, StoredState
from api.foundation.jobs.mail import StoredMail
from api.foundation.security.operators import AdminRequest
from api.foundation.security.sealing import UnsealableError
from api.foundation.wire.results import AdminResult, Page
from api.messaging.notifications import service as notifications
from api.messaging.notifications.service import WaitingMail

LARGEST_ID = 2**63 - 1
NOTIFICATION = "notification"
UNREADABLE = "Sealed under a key that is gone"
DASHES = str.maketrans("_", "-")


async def list_mails(
    context: MailContext, state: StoredState | None, *, before: str | None, limit: int
) -> Page[MailRow]:
    """Return mails, newest first: stored jobs, then those scheduled for later.

    Raises:
        NotFoundError: ``before`` cannot be a mail's id.
    """
    shown: list[MailRow] = []
    last_stored = None if before is None else _stored_id(before)
    last_waiting = None
    if before is None or last_stored is not None:
        rows = await listing.list_stored(
            context.database, list(context.kinds), state, last_stored, limit + 1
        )
        described = await _describe(context, rows)
        shown = [_answer(row, one) for row, one in zip(rows, described, strict=True)]
    else:
        last_waiting = parse_id(before)
        if last_waiting is None:
            raise NotFoundError
    if len(shown) <= limit and state in {None, StoredState.WAITING}:
        wanted = limit + 1 - len(shown)
        waiting = await notifications.list_waiting_mails(context.database, last_waiting, wanted)
        shown += [_waiting(one) for one in waiting]
    following = shown[limit - 1].id if len(shown) > limit else None
    return Page(rows=shown[:limit], next=following)


async def retry_mail(context: MailContext, admin: AdminRequest, mail_id: str) -> AdminResult:
    """Reset a dead mail for a new round of attempts.

    Raises:
        MailNotDeadError: it is waiting or running, or another with the same key is.
    """
    stored_id = _stored_id(mail_id)
    if stored_id is None:
        await _refuse_waiting(context.database, mail_id)
        raise NotFoundError

    async def work(tx: Transaction) -> AdminResult:
        row = await listing.lock_stored(tx, stored_id)
        if row is None or row.kind not in context.kinds:
            raise NotFoundError
        try:
            is_queued = await context.queue.retry(tx, stored_id)
        except UniqueViolation as error:
            raise MailNotDeadError(content={"status": StoredState.WAITING}) from error
        if not is_queued:
            raise MailNotDeadError(content={"status": STATE_OF[row.status]})
        before = {"state": StoredState.DEAD, "tries": row.attempts, "error": row.error}
        after = {"state": StoredState.WAITING}
        await audit.audited(tx, admin, AuditRecord("retry", "mail", mail_id, before, after))
        retried = RetriedMail(id=mail_id, state=StoredState.WAITING)
        return AdminResult.of(retried, message="The mail is tried again.")

    return await audit.perform(context.database, admin, {}, work)


async def count_dead_mails(context: MailContext) -> int:
    """Count the dead mails."""
    return await listing.count_dead(context.database, list(context.kinds))


def _stored_id(mail_id: str) -> int | None:
    """Return the id of a mail's stored job; None if the id is a notification's."""
    is_number = mail_id.isascii() and mail_id.isdigit() and len(mail_id) <= len(str(LARGEST_ID))
    return min(int(mail_id), LARGEST_ID) if is_number else None


async def _refuse_waiting(database: Database, mail_id: str) -> None:
    notification_id = parse_id(mail_id)
    if notification_id is not None and await notifications.has_waiting_mail(
        database, notification_id
    ):
        raise MailNotDeadError(content={"status": StoredState.WAITING})


async def _describe(context: MailContext, rows: Sequence[StoredJob]) -> list[StoredMail]:
    """Return the description of each row's mail, with one query per kind."""
    opened: dict[str, dict[int, Any]] = {}
    found: dict[int, StoredMail] = {}
    for row in rows:
        kind, _ = context.kinds[row.kind]
        try:
            opened.setdefault(kind.name, {})[row.id] = context.queue.open(kind, row.payload)
        except UnsealableError:
            found[row.id] = StoredMail(None, UNREADABLE)
    for name, payloads in opened.items():
        _, describe = context.kinds[name]
        described = await describe(context.database, list(payloads.values()))
        found.update(zip(payloads, described, strict=True))
    return [found[row.id] for row in rows]


def _answer(row: StoredJob, described: StoredMail) -> MailRow:
    state = STATE_OF[row.status]
    return MailRow(
        id=str(row.id),
        kind=row.kind.translate(DASHES),
        to=described.to,
        subject=described.subject,
        state=state,
        tries=row.attempts + (state is not StoredState.WAITING),
        not_before=row.execute_after,
        created_at=row.created,
        error=row.error,
    )


def _waiting(mail: WaitingMail) -> MailRow:
    return MailRow(
        id=str(mail.id),
        kind=NOTIFICATION,
        to=mail.told.to,
        subject=mail.told.subject,
        state=StoredState.WAITING,
        tries=0,
        not_before=mail.due_at or mail.created_at,
        created_at=mail.created_at,
        error=None,
    )
