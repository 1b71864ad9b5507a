"""Queries of the back office: the audit, and today's figures."""

from datetime import timedelta
from typing import Any
from uuid import UUID

from api.backoffice.oversight.repository import approvals, audit
from api.backoffice.oversight.repository.audit import AuditEntryRow
from api.backoffice.oversight.schemas.approvals import AuditAnswer, AuditFilter
from api.backoffice.oversight.schemas.today import Today
from api.backoffice.oversight.service.context import OversightContext
from api.backoffice.oversight.service.naming import Names, name_subjects
from api.foundation.core import clock
from api.foundation.database.database import Database
from api.foundation.security.operators import Operator
from api.foundation.security.rights import Right, Role, rights_of
from api.foundation.wire.results import OperatorName, Page
from api.people.operators.repository import operators

DAY = timedelta(days=1)


async def list_audit(
    context: OversightContext,
    operator: Operator,
    wanted: AuditFilter,
    *,
    before: UUID | None,
    limit: int,
) -> Page[AuditAnswer]:
    """Return audit entries, newest first.

    Owners read all, finance those under its rights, and everyone their own.
    """
    rights = _readable_rights(operator)
    rows = await audit.list_entries(
        context.database, wanted, before, limit + 1, rights=rights, own=operator.id
    )
    names = await name_subjects(context.database, operator, rows[:limit], _contents)
    return Page.of(rows, limit, lambda row: _answer(row, names))


async def list_authors(
    context: OversightContext, operator: Operator, *, before: UUID | None, limit: int
) -> Page[OperatorName]:
    """Return the operators whose entries the operator may read, newest first."""
    only = operator.id if _readable_rights(operator) == [] else None
    rows = await operators.list_operator_names(context.database, only, before, limit + 1)
    return Page.of(rows, limit, lambda row: row)


async def list_audit_about(
    database: Database, operator: Operator, target_id: UUID, *, limit: int
) -> list[AuditAnswer]:
    """Return the entries about a target that the operator may read, newest first, except reads."""
    rows = await audit.list_audit_about(
        database, str(target_id), _readable_rights(operator), operator.id, limit
    )
    names = await name_subjects(database, operator, rows, _contents)
    return [_answer(row, names) for row in rows]


def _contents(row: AuditEntryRow) -> list[object]:
    """Return what may have ids of subjects."""
    return [row.target_id, row.before_state, row.after_state]


def _readable_rights(operator: Operator) -> list[str] | None:
    """Return the rights under which others' actions may be read; None for all."""
    if Role.OWNER in operator.roles:
        return None
    if Role.FINANCE not in operator.roles:
        return []
    return [right.value for right in rights_of([Role.FINANCE])]


async def today(context: OversightContext, operator: Operator) -> Today:
    """Return the operator's open tasks, and the state of ledger, backups, bank lines and shop."""
    database = context.database
    rights = [right.value for right in operator.rights]
    now = clock.now()
    open_approvals = await approvals.count_open(database, rights, operator.id, now)
    figures = context.figures
    waiting = {
        one.name: await one.count(database) for one in figures.waiting if operator.holds(one.right)
    }
    seen: dict[str, Any] = {}
    if operator.holds(Right.MONEY_READ):
        seen["ledger"] = await figures.ledger(database)
        seen["bank"] = await figures.bank(database)
    if operator.holds(Right.SHOP_READ):
        seen["shop"] = await figures.shop(database)
    if operator.holds(Right.SYSTEM_READ):
        seen["backup"] = await figures.backup(database)
    return Today(
        waiting={"approvals": open_approvals, **waiting},
        proposed=await approvals.count_own_open(database, operator.id, now),
        **seen,
    )


def _answer(row: AuditEntryRow, names: Names[AuditEntryRow]) -> AuditAnswer:
    return AuditAnswer(
        id=row.id,
        at=row.at,
        operator=OperatorName.of(row.operator_id, row.name),
        right=row.right_used,
        action=row.action,
        target_type=row.target_type,
        target_id=row.target_id,
        before=row.before_state,
        after=row.after_state,
        reason=row.reason,
        request_id=row.request_id,
        subjects=names.of(row),
    )
