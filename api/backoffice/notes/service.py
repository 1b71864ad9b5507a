"""Operators' notes about orders and members: written once, never changed."""

from datetime import datetime
from uuid import UUID

from api.backoffice.notes import repository
from api.backoffice.notes.enums import NoteSubject
from api.backoffice.notes.repository import NoteRow
from api.backoffice.notes.rules import NoteTarget
from api.backoffice.notes.schemas import Note, NoteAdded, NoteInput
from api.foundation.audit import writing as audit
from api.foundation.audit.writing import AuditRecord
from api.foundation.core.errors import NotFoundError
from api.foundation.core.ids import new_id
from api.foundation.database.database import Database, Transaction
from api.foundation.security.operators import AdminRequest
from api.foundation.wire.results import AdminResult, OperatorName, Page
from api.people.users.service import account
from api.shop.service.moving import lock_order_and_member


async def list_notes(
    database: Database, admin: AdminRequest, target: NoteTarget, *, before: UUID | None, limit: int
) -> Page[Note]:
    """Return the notes about an order or a member, newest first; the audit log records the read.

    There are none about what does not exist.
    """
    rows = await repository.list_about(database, target, before, limit + 1)
    if rows:
        async with database.transaction() as tx:
            record = AuditRecord("look-at-notes", target.kind.value, target.id)
            await audit.audited(tx, admin, record)
    return Page.of(rows, limit, _answer)


async def add(
    database: Database, admin: AdminRequest, target: NoteTarget, form: NoteInput, now: datetime
) -> AdminResult:
    """Add a note; the audit log says that it was added, and not what it says.

    Raises:
        NotFoundError: there is no such order or member, or the member's account is deleted.
    """

    async def work(tx: Transaction) -> AdminResult:
        await _lock(tx, target)
        note_id = new_id()
        await repository.insert(tx, note_id, target, form.text, admin.operator.id, now)
        record = AuditRecord("add-note", target.kind.value, target.id, after={"note": note_id})
        await audit.audited(tx, admin, record)
        return AdminResult.of(NoteAdded(id=note_id), status=201)

    return await audit.perform(database, admin, form, work)


async def _lock(tx: Transaction, target: NoteTarget) -> None:
    """Lock the member, whose account must not be deleted while something is written about them."""
    if target.kind is NoteSubject.MEMBER:
        await account.lock(tx, target.id)
        return
    _, stays = await lock_order_and_member(tx, target.id)
    if not stays:
        raise NotFoundError


def _answer(row: NoteRow) -> Note:
    return Note(
        id=row.id,
        at=row.written_at,
        operator=OperatorName.of(row.written_by, row.name),
        text=row.text,
    )
