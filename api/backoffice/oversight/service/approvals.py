"""Approvals: proposed by one operator, decided by another, executed once."""

import json
from collections.abc import Collection, Sequence
from uuid import UUID

from pydantic import ValidationError

from api.backoffice.oversight.repository import approvals as repository
from api.backoffice.oversight.repository.approvals import ApprovalRow, NamedApproval
from api.backoffice.oversight.schemas.approvals import (
    ApprovalAnswer,
    ApprovalChange,
    Decided,
    DecideInput,
)
from api.backoffice.oversight.service.context import OversightContext
from api.backoffice.oversight.service.naming import Names, name_subjects
from api.foundation.approvals import rules
from api.foundation.approvals.enums import ApprovalReason, ApprovalState, Decision
from api.foundation.approvals.errors import (
    ApprovalClosedError,
    OwnProposalError,
    ProposerLostRightError,
)
from api.foundation.approvals.kinds import ApprovalKind, Approved
from api.foundation.approvals.proposing import require_second_person, summary
from api.foundation.approvals.repository import is_at_work
from api.foundation.approvals.schemas import PendingApproval, Proposed
from api.foundation.audit.writing import AuditRecord, audited, perform
from api.foundation.core import clock
from api.foundation.core.errors import DomainError, InvalidFieldError, NotFoundError
from api.foundation.database.database import Transaction
from api.foundation.database.errors import StaleVersionError
from api.foundation.security.operators import AdminRequest, Operator
from api.foundation.security.rights import Right, roles_with
from api.foundation.wire.results import AdminResult, OperatorName, Page
from api.foundation.wire.schemas import Content, WireInput, field_errors


async def decide(
    context: OversightContext, admin: AdminRequest, approval_id: UUID, form: DecideInput
) -> AdminResult:
    """Approve or refuse another operator's proposal; approving executes it, once.

    Raises:
        NotFoundError: there is no such proposal, or the operator lacks its right.
        OwnProposalError: the operator proposed it, or it is about their own account.
        ApprovalClosedError: it is decided or expired.
        ProposerLostRightError: the proposer no longer has the right; it can still be refused.
        DomainError: the rules of its kind reject it; it stays open.
    """

    async def work(tx: Transaction) -> AdminResult:
        row = await _lock(tx, approval_id)
        right = Right(row.right_needed)
        if not admin.operator.holds(right):
            raise NotFoundError
        if row.proposed_by == admin.operator.id:
            raise OwnProposalError
        _require_open(row)
        if row.digest != form.digest:
            raise StaleVersionError
        decided = await _execute(context, tx, admin.operator, row, form.decision)
        result = None if decided.result is None else json.dumps(decided.result)
        await repository.decide(
            tx, approval_id, decided.state, admin.operator.id, clock.now(), form.reason, result
        )
        record = AuditRecord(
            form.decision,
            "approval",
            approval_id,
            before=summary(row.kind, row.content),
            after=decided.model_dump(mode="json"),
            reason=form.reason,
        )
        await audited(tx, admin, record, right=right)
        return AdminResult.of(decided)

    return await perform(context.database, admin, form, work)


async def _execute(
    context: OversightContext,
    tx: Transaction,
    decider: Operator,
    row: ApprovalRow,
    decision: Decision,
) -> Decided:
    if decision is Decision.REFUSE:
        return Decided(state=ApprovalState.REFUSED, result=None)
    kind, execute = context.executors.of(row.kind)
    content = kind.content.model_validate(row.content)
    if decider.user_id in await kind.owners_of(tx, content):
        raise OwnProposalError
    # Both people vouch for it: the proposer must still be active and hold the right.
    if not await is_at_work(tx, row.proposed_by, roles_with(kind.right)):
        raise ProposerLostRightError
    result = await execute(tx, Approved(row.id, row.proposed_by, decider, content))
    return Decided(state=ApprovalState.APPROVED, result=json.loads(json.dumps(result, default=str)))


async def change(
    context: OversightContext, admin: AdminRequest, approval_id: UUID, form: ApprovalChange
) -> AdminResult:
    """Replace the content of the operator's own proposal; its digest and deadline change.

    It is checked like a new one, and its reasons are those of the new content.

    Raises:
        NotFoundError: the operator has no such proposal.
        ApprovalClosedError: it is decided or expired.
        InvalidFieldError: the content does not fit its kind.
        SecondPersonNeededError: no other operator could decide it.
        DomainError: the rules of its kind reject it.
    """

    async def work(tx: Transaction) -> AdminResult:
        row = await _lock(tx, approval_id)
        right = Right(row.right_needed)
        if row.proposed_by != admin.operator.id or not admin.operator.holds(right):
            raise NotFoundError
        _require_open(row)
        kind, _ = context.executors.of(row.kind)
        wanted = _read_content(kind, form.content)
        reasons = await kind.weigh(tx, admin, wanted)
        await require_second_person(tx, admin, kind, wanted)
        content = wanted.model_dump(mode="json")
        pending = PendingApproval(
            id=approval_id,
            kind=kind.name,
            content=content,
            digest=rules.digest_of(kind.name, content),
            reasons=reasons,
            expires_at=clock.now() + rules.APPROVAL_LIFE,
        )
        await repository.change_content(
            tx,
            approval_id,
            content=json.dumps(content),
            digest=pending.digest,
            reason=form.reason,
            reasons=[each.value for each in reasons],
            expires_at=pending.expires_at,
        )
        record = AuditRecord(
            "change",
            "approval",
            approval_id,
            before=summary(kind.name, row.content),
            after=summary(kind.name, content),
            reason=form.reason,
        )
        await audited(tx, admin, record, right=right)
        return AdminResult.of(Proposed(approval=pending))

    return await perform(context.database, admin, form, work)


def _read_content(kind: ApprovalKind, content: Content) -> WireInput:
    try:
        return kind.content.model_validate(content)
    except ValidationError as error:
        problems = error.errors(include_url=False, include_input=False)
        first, fields = field_errors(problems)
        raise InvalidFieldError(
            first, fields={f"content.{name}": said for name, said in fields.items()}
        ) from None


async def _lock(tx: Transaction, approval_id: UUID) -> ApprovalRow:
    row = await repository.lock_approval(tx, approval_id)
    if row is None:
        raise NotFoundError
    return row


def _require_open(row: ApprovalRow) -> None:
    state = state_of(row)
    if state is not ApprovalState.OPEN:
        raise ApprovalClosedError(content={"status": state.value})


def state_of(row: ApprovalRow) -> ApprovalState:
    """Return a proposal's state; an open one past its deadline has expired."""
    state = ApprovalState(row.state)
    if state is ApprovalState.OPEN and row.expires_at <= clock.now():
        return ApprovalState.EXPIRED
    return state


async def list_approvals(
    context: OversightContext,
    operator: Operator,
    *,
    state: ApprovalState | None,
    before: UUID | None,
    limit: int,
) -> Page[ApprovalAnswer]:
    """Return the proposals that the operator may decide or has made, newest first."""
    rights = [right.value for right in operator.rights]
    rows = await repository.list_approvals(
        context.database, rights, operator.id, state, clock.now(), before, limit + 1
    )
    names = await name_subjects(context.database, operator, rows[:limit], _contents)
    own = await _list_own(context, operator, rows[:limit])
    return Page.of(rows, limit, lambda row: _answer(row, names, own))


def _contents(row: NamedApproval) -> list[Content | None]:
    """Return what may have ids of subjects."""
    return [row.content, row.result]


async def _list_own(
    context: OversightContext, operator: Operator, rows: Sequence[NamedApproval]
) -> Collection[UUID]:
    """Return which open proposals are about the operator's own account.

    Proposals that this version cannot read, and those whose subject is gone, have no owner.
    """
    own = set()
    for row in rows:
        if state_of(row) is not ApprovalState.OPEN:
            continue
        try:
            kind, _ = context.executors.of(row.kind)
            content = kind.content.model_validate(row.content)
            # One transaction each: some kinds lock their subject to read its owner.
            async with context.database.transaction() as tx:
                owners = await kind.owners_of(tx, content)
        except (KeyError, ValidationError, DomainError):
            continue
        if operator.user_id in owners:
            own.add(row.id)
    return own


def _answer(
    row: NamedApproval, names: Names[NamedApproval], own: Collection[UUID]
) -> ApprovalAnswer:
    return ApprovalAnswer(
        id=row.id,
        kind=row.kind,
        content=row.content,
        digest=row.digest,
        reasons=[ApprovalReason(each) for each in row.reasons],
        expires_at=row.expires_at,
        right=Right(row.right_needed),
        state=state_of(row),
        is_own=row.id in own,
        proposed_by=OperatorName(id=row.proposed_by, name=row.proposer_name),
        proposed_at=row.proposed_at,
        reason=row.reason,
        decided_by=OperatorName.of(row.decided_by, row.decider_name),
        decided_at=row.decided_at,
        decision_reason=row.decision_reason,
        result=row.result,
        subjects=names.of(row),
    )
