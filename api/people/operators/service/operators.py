"""Operators: listing, adding, changing roles, disabling."""

from datetime import datetime
from uuid import UUID

from api.foundation.approvals.enums import ApprovalReason
from api.foundation.approvals.kinds import ApprovalKind, Approved
from api.foundation.approvals.proposing import propose
from api.foundation.audit.writing import AuditRecord, audited, audited_console, perform
from api.foundation.core import clock
from api.foundation.core.errors import InvalidFieldError, NotFoundError
from api.foundation.core.ids import new_id
from api.foundation.database.database import Transaction
from api.foundation.database.errors import StaleVersionError
from api.foundation.security.one_time_codes import new_secret, provisioning_uri
from api.foundation.security.operators import AdminRequest
from api.foundation.security.rights import Right, Role
from api.foundation.security.sealing import Sealer
from api.foundation.wire.results import AdminResult, Page
from api.foundation.wire.schemas import Content
from api.people.operators import rules
from api.people.operators.errors import AlreadyOperatorError, LastOwnerError, NotDisabledError
from api.people.operators.repository import operators, sessions
from api.people.operators.repository.operators import (
    LockedOperator,
    OperatorCandidate,
    OperatorDetails,
)
from api.people.operators.schemas import (
    EnabledOperator,
    NewOperator,
    NewRoles,
    OperatorAnswer,
    OperatorChange,
    OperatorInput,
)
from api.people.operators.service.context import OperatorContext
from api.people.operators.service.phones import set_secret


async def _new_operator(_tx: Transaction, wanted: NewOperator) -> list[UUID]:
    return [wanted.user_id]


async def _member(tx: Transaction, email: str) -> OperatorCandidate:
    """Return the member with an email, locked until the transaction ends.

    Raises:
        InvalidFieldError: no account has the email, or its member did not prove it.
    """
    member = await operators.find_member(tx, email)
    if member is None:
        raise InvalidFieldError.of("email", NO_MEMBER)
    if not member.is_email_proved:
        raise InvalidFieldError.of("email", NOT_PROVED)
    return member


async def _require_new(tx: Transaction, wanted: NewOperator) -> None:
    if (await _member(tx, wanted.email)).id != wanted.user_id:
        raise InvalidFieldError.of("email", NO_MEMBER)
    if await operators.read_operator_of(tx, wanted.user_id) is not None:
        raise AlreadyOperatorError


async def _weigh_new(
    tx: Transaction, _by: AdminRequest, wanted: NewOperator
) -> list[ApprovalReason]:
    await _require_new(tx, wanted)
    return []


async def _owner(tx: Transaction, wanted: NewRoles | EnabledOperator) -> list[UUID]:
    row = await operators.read_operator(tx, wanted.operator_id)
    return [] if row is None else [row.user_id]


async def _lock_for_roles(tx: Transaction, wanted: NewRoles) -> LockedOperator:
    owners = await operators.lock_owners(tx)
    row = await _lock(tx, wanted.operator_id, wanted.version)
    if Role.OWNER not in wanted.roles:
        _require_other_owner(owners, row)
    return row


async def _weigh_roles(
    tx: Transaction, _by: AdminRequest, wanted: NewRoles
) -> list[ApprovalReason]:
    await _lock_for_roles(tx, wanted)
    return []


async def _lock_disabled(tx: Transaction, wanted: EnabledOperator) -> LockedOperator:
    row = await _lock(tx, wanted.operator_id, wanted.version)
    if row.disabled_at is None:
        raise NotDisabledError(content={"status": "enabled"})
    return row


async def _weigh_enabling(
    tx: Transaction, _by: AdminRequest, wanted: EnabledOperator
) -> list[ApprovalReason]:
    await _lock_disabled(tx, wanted)
    return []


NEW_OPERATOR = ApprovalKind(
    "operator.create", Right.OPERATORS_WRITE, NewOperator, _new_operator, _weigh_new
)
NEW_ROLES = ApprovalKind("operator.roles", Right.OPERATORS_WRITE, NewRoles, _owner, _weigh_roles)
ENABLE_OPERATOR = ApprovalKind(
    "operator.enable", Right.OPERATORS_WRITE, EnabledOperator, _owner, _weigh_enabling
)
NO_ROLE = "A new operator needs a --role"
NO_MEMBER = "Nobody has an account with this email"
NOT_PROVED = "This member signed up by SMS. Ask them to reset their password, to prove the email."


async def list_operators(
    context: OperatorContext, *, before: UUID | None, limit: int
) -> Page[OperatorAnswer]:
    """Return all operators, newest first."""
    rows = await operators.list_operators(context.database, before, limit + 1)
    return Page.of(rows, limit, _answer)


async def propose_operator(
    context: OperatorContext, admin: AdminRequest, form: OperatorInput
) -> AdminResult:
    """Propose that a member becomes an operator.

    Raises:
        InvalidFieldError: no account has the email.
        SecondPersonNeededError: no other operator could decide it.
    """

    async def work(tx: Transaction) -> AdminResult:
        member = await _member(tx, form.email)
        wanted = NewOperator(user_id=member.id, email=member.email, roles=form.roles)
        return await propose(tx, admin, NEW_OPERATOR, wanted, form.reason)

    return await perform(context.database, admin, form, work)


async def change_operator(
    context: OperatorContext, admin: AdminRequest, operator_id: UUID, form: OperatorChange
) -> AdminResult:
    """Disable an operator or remove roles immediately; propose adding roles or enabling.

    Raises:
        LastOwnerError: no other owner can sign in.
        SecondPersonNeededError: no other operator could decide the proposal.
    """

    async def work(tx: Transaction) -> AdminResult:
        owners = await operators.lock_owners(tx)
        row = await _lock(tx, operator_id, form.version)
        if form.roles is not None:
            if Role.OWNER not in form.roles:
                _require_other_owner(owners, row)
            if set(form.roles) < {Role(role) for role in row.roles}:
                return await _remove_roles(tx, admin, row, form.roles, form.reason)
            wanted = NewRoles(operator_id=operator_id, version=form.version, roles=form.roles)
            return await propose(tx, admin, NEW_ROLES, wanted, form.reason)
        if not form.disabled:
            again = EnabledOperator(operator_id=operator_id, version=form.version)
            return await propose(tx, admin, ENABLE_OPERATOR, again, form.reason)
        await _disable(tx, owners, row, clock.now())
        record = AuditRecord(
            "disable",
            "operator",
            operator_id,
            before={"disabled": row.disabled_at is not None},
            after={"disabled": True},
            reason=form.reason,
        )
        await audited(tx, admin, record)
        return AdminResult.of(await _read(tx, operator_id))

    return await perform(context.database, admin, form, work)


async def _remove_roles(
    tx: Transaction, admin: AdminRequest, row: LockedOperator, roles: list[Role], reason: str
) -> AdminResult:
    await _set_roles(tx, row.id, roles)
    record = AuditRecord(
        "take-roles",
        "operator",
        row.id,
        before={"roles": row.roles},
        after={"roles": [role.value for role in roles]},
        reason=reason,
    )
    await audited(tx, admin, record)
    return AdminResult.of(await _read(tx, row.id))


async def create_approved(tx: Transaction, approved: Approved) -> Content:
    """Make a member an operator; their phone is set up at the command line.

    Raises:
        InvalidFieldError: the member has deleted their account.
    """
    wanted: NewOperator = approved.content
    await _require_new(tx, wanted)
    operator_id = await _insert(tx, wanted.user_id, wanted.roles, by=approved.proposed_by)
    return {"operatorId": operator_id}


async def change_roles_approved(tx: Transaction, approved: Approved) -> Content:
    """Replace an operator's roles; this ends their sessions."""
    wanted: NewRoles = approved.content
    row = await _lock_for_roles(tx, wanted)
    await _set_roles(tx, wanted.operator_id, wanted.roles)
    return {"operatorId": wanted.operator_id, "before": row.roles, "after": wanted.roles}


async def enable_approved(tx: Transaction, approved: Approved) -> Content:
    """Enable a disabled operator; their phone is set up at the command line."""
    row = await _lock_disabled(tx, approved.content)
    await operators.change_disabled(tx, row.id, None)
    return {"operatorId": row.id}


async def make_operator(
    tx: Transaction, sealer: Sealer, email: str, roles: list[Role], *, resets_totp: bool
) -> str | None:
    """Make a member an operator or add roles; return the ``otpauth://`` address of a new secret.

    Raises:
        InvalidFieldError: no account has the email, or a new operator would have no role.
    """
    member = await _member(tx, email)
    row = await operators.lock_operator_of(tx, member.id)
    before = [Role(role) for role in row.roles] if row else []
    after = [role for role in Role if role in {*before, *roles}]
    if not after:
        raise InvalidFieldError.of("role", NO_ROLE)
    if row is None:
        operator_id = await _insert(tx, member.id, after, by=None)
    else:
        operator_id = row.id
        if after != before:
            await _set_roles(tx, operator_id, after)
    uri = None
    if row is None or resets_totp:
        secret = new_secret()
        await set_secret(tx, sealer, operator_id, secret)
        uri = provisioning_uri(secret, member.email)
    if uri is None and after == before:
        return None
    record = AuditRecord(
        "make-operator",
        "operator",
        operator_id,
        before={"roles": before},
        after={"roles": after} | ({"totpSecret": rules.CHANGED} if uri else {}),
    )
    await audited_console(tx, record)
    return uri


async def _insert(tx: Transaction, user_id: UUID, roles: list[Role], *, by: UUID | None) -> UUID:
    operator_id = new_id()
    await operators.insert_operator(
        tx,
        {
            "id": operator_id,
            "user_id": user_id,
            "roles": [role.value for role in roles],
            "created_by": by,
            "created_at": clock.now(),
        },
    )
    return operator_id


async def _set_roles(tx: Transaction, operator_id: UUID, roles: list[Role]) -> None:
    await operators.change_roles(tx, operator_id, [role.value for role in roles])
    await sessions.end_sessions_of(tx, operator_id, clock.now())


async def is_operator(tx: Transaction, user_id: UUID) -> bool:
    """Return whether a member is an active operator."""
    row = await operators.read_operator_of(tx, user_id)
    return row is not None and row.disabled_at is None


async def leave(tx: Transaction, user_id: UUID, now: datetime) -> None:
    """Disable the operator account of a member who deletes their account.

    Raises:
        LastOwnerError: there is no other owner.
    """
    owners = await operators.lock_owners(tx)
    row = await operators.lock_operator_of(tx, user_id)
    if row is not None:
        await _disable(tx, owners, row, now)


async def _disable(tx: Transaction, owners: set[UUID], row: LockedOperator, now: datetime) -> None:
    _require_other_owner(owners, row)
    await operators.change_disabled(tx, row.id, now)
    await sessions.end_sessions_of(tx, row.id, now)


async def _lock(tx: Transaction, operator_id: UUID, version: int) -> LockedOperator:
    row = await operators.lock_operator(tx, operator_id)
    if row is None:
        raise NotFoundError
    if row.version != version:
        raise StaleVersionError
    return row


def _require_other_owner(owners: set[UUID], row: LockedOperator) -> None:
    """Raise if the last owner would be removed; ``owners`` are all who can sign in."""
    is_owner = Role.OWNER in row.roles and row.disabled_at is None
    if is_owner and not owners - {row.id}:
        raise LastOwnerError


async def _read(tx: Transaction, operator_id: UUID) -> OperatorAnswer:
    row = await operators.read_operator(tx, operator_id)
    if row is None:
        raise NotFoundError
    return _answer(row)


def _answer(row: OperatorDetails) -> OperatorAnswer:
    return OperatorAnswer(
        id=row.id,
        user_id=row.user_id,
        name=row.name,
        email=row.email,
        roles=[Role(role) for role in row.roles],
        version=row.version,
        disabled=row.disabled_at is not None,
        can_sign_in=row.can_sign_in,
        created_at=row.created_at,
    )
