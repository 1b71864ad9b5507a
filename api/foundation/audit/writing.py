"""Writes of the back office: idempotent, and always with an audit entry."""

import json
from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass, replace

from pydantic import BaseModel

from api.foundation.audit import repository
from api.foundation.audit.events import OperatorActed
from api.foundation.core import clock
from api.foundation.core.ids import new_id
from api.foundation.database.database import Database, Transaction
from api.foundation.database.idempotency import Attempt, once
from api.foundation.security.operators import AdminRequest, Operator
from api.foundation.wire.results import AdminResult
from api.foundation.wire.schemas import Content

CONSOLE = "console"


class UnauditedError(RuntimeError):
    """A write recorded no audit entry and is rolled back."""


@dataclass(frozen=True)
class AuditRecord:
    """An action and its target. Sealed values appear in ``before`` and ``after`` as ``CHANGED``."""

    action: str
    target_type: str
    target_id: object
    before: Content | None = None
    after: Content | None = None
    reason: str | None = None


async def perform(
    database: Database,
    admin: AdminRequest,
    content: Content | BaseModel,
    work: Callable[[Transaction], Awaitable[AdminResult]],
) -> AdminResult:
    """Run a write in its own transaction and return its result.

    The same idempotency key with the same ``content`` returns the first response without doing
    anything. ``content`` is what was sent: a form, or JSON; an omitted field differs from null.
    Only successes are stored.

    Raises:
        KeyReusedError: the key was used for a different request.
        UnauditedError: ``work`` wrote no audit entry; everything is rolled back.
    """
    if isinstance(content, BaseModel):
        content = content.model_dump(mode="json", exclude_unset=True)
    attempt = Attempt.of(admin.operator.user_id, admin.call, admin.key, content)

    async def audited_work(tx: Transaction) -> Content:
        done = await work(tx)
        if not any(isinstance(event, OperatorActed) for event in tx.events):
            raise UnauditedError(admin.call)
        return _stored(done)

    async with database.transaction() as tx:
        answer, is_replayed = await once(tx, attempt, audited_work)
    return replace(_read(answer), is_replayed=is_replayed)


async def audited(
    tx: Transaction, admin: AdminRequest, record: AuditRecord, *, right: str | None = None
) -> None:
    """Record an operator's action in the transaction of the write.

    ``right`` is given where it depends on the content and not on the route.
    """
    used = right or str(admin.right or "")
    await _write(tx, record, admin.operator, used, admin.request_id)


async def audited_console(tx: Transaction, record: AuditRecord) -> None:
    """Record an action at the command line."""
    await _write(tx, record, None, CONSOLE, CONSOLE)


async def _write(
    tx: Transaction, record: AuditRecord, operator: Operator | None, right: str, request_id: str
) -> None:
    await repository.insert_entry(
        tx,
        {
            "id": new_id(),
            "at": clock.now(),
            "right_used": right,
            "action": record.action,
            "target_type": record.target_type,
            "target_id": str(record.target_id),
            "before_state": _plain(record.before),
            "after_state": _plain(record.after),
            "reason": record.reason,
            "operator_id": operator and operator.id,
            "request_id": request_id,
        },
    )
    user_id = None if operator is None else operator.user_id
    tx.record(OperatorActed(record.action, record.target_type, str(record.target_id), user_id))


def _stored(done: AdminResult) -> Content:
    """Return a response as stored; its data as text, so that numbers are restored exactly."""
    return {**asdict(done), "data": json.dumps(done.data)}


def _read(known: Content) -> AdminResult:
    return AdminResult(**{**known, "data": json.loads(known["data"])})


def _plain(content: Content | None) -> Content | None:
    """Return content with ids and instants as text."""
    if content is None:
        return None
    plain: Content = json.loads(json.dumps(content, default=str))
    return plain
