"""Proposing actions that one operator may not do alone."""

from collections.abc import Collection
from uuid import UUID

from api.foundation.approvals import repository, rules
from api.foundation.approvals.enums import ApprovalReason
from api.foundation.approvals.errors import SecondPersonNeededError
from api.foundation.approvals.kinds import ApprovalKind
from api.foundation.approvals.schemas import PendingApproval, Proposed
from api.foundation.audit.writing import AuditRecord, audited
from api.foundation.core import clock
from api.foundation.core.ids import new_id
from api.foundation.database.database import Runner, Transaction
from api.foundation.security.operators import AdminRequest, Operator
from api.foundation.security.rights import Right, roles_with
from api.foundation.wire.results import AdminResult
from api.foundation.wire.schemas import Content, WireInput

WAITS = "A second operator has to approve this."


async def propose(
    tx: Transaction,
    admin: AdminRequest,
    kind: ApprovalKind,
    content: WireInput,
    reason: str,
    reasons: list[ApprovalReason] | None = None,
) -> AdminResult:
    """Store a proposal and its audit entry; return the 202 response.

    ``reasons`` are why one person may not do it alone, if the caller has checked that in this
    transaction; otherwise the rules of its kind are checked here.

    Raises:
        SecondPersonNeededError: no other operator could decide it.
        DomainError: the rules of its kind reject it.
    """
    if reasons is None:
        reasons = await kind.weigh(tx, admin, content)
    await require_second_person(tx, admin, kind, content)
    now = clock.now()
    plain = content.model_dump(mode="json")
    pending = PendingApproval(
        id=new_id(),
        kind=kind.name,
        content=plain,
        digest=rules.digest_of(kind.name, plain),
        reasons=reasons,
        expires_at=now + rules.APPROVAL_LIFE,
    )
    await repository.insert_approval(
        tx,
        {
            "id": pending.id,
            "kind": kind.name,
            "content": plain,
            "digest": pending.digest,
            "right_needed": kind.right.value,
            "proposed_by": admin.operator.id,
            "proposed_at": now,
            "reason": reason,
            "reasons": [each.value for each in reasons],
            "expires_at": pending.expires_at,
        },
    )
    record = AuditRecord(
        "propose", "approval", pending.id, after=summary(kind.name, plain), reason=reason
    )
    await audited(tx, admin, record, right=kind.right)
    return AdminResult.of(Proposed(approval=pending), status=202, message=WAITS)


async def require_second_person(
    tx: Transaction, admin: AdminRequest, kind: ApprovalKind, content: WireInput
) -> None:
    """Require another operator who could decide."""
    roles = roles_with(kind.right)
    owners = await kind.owners_of(tx, content)
    if not await repository.count_others(tx, admin.operator.id, roles, owners):
        raise SecondPersonNeededError


async def is_only_one_with(tx: Transaction, operator: Operator, right: Right) -> bool:
    """Return whether no other active operator has ``right``."""
    return not await repository.count_others(tx, operator.id, roles_with(right), [])


async def open_proposals(
    runner: Runner, kind: ApprovalKind, name: str, ids: Collection[UUID]
) -> dict[UUID, UUID]:
    """Return the newest open proposal of a kind for each of ``ids`` that has one.

    ``name`` is the content's key of the id.
    """
    if not ids:
        return {}
    return await repository.list_open_about(runner, kind.name, name, ids, clock.now())


def summary(kind: str, content: Content) -> Content:
    """Return what the audit shows of a proposal."""
    return {"kind": kind, "content": content}
