"""Adjustments: operators change a wallet, alone within limits, above them with approval."""

from datetime import datetime
from uuid import UUID

from api.foundation.approvals import proposing
from api.foundation.approvals.enums import ApprovalReason
from api.foundation.approvals.kinds import ApprovalKind, Approved
from api.foundation.audit import writing as audit
from api.foundation.audit.writing import AuditRecord
from api.foundation.core import clock
from api.foundation.core.errors import InvalidFieldError, NotFoundError
from api.foundation.core.ids import new_id
from api.foundation.core.money import Kobo
from api.foundation.database.database import Database, Transaction
from api.foundation.security.operators import AdminRequest
from api.foundation.security.rights import Right
from api.foundation.wire.results import AdminResult
from api.foundation.wire.schemas import Content
from api.messaging.notifications.enums import NotificationKind
from api.messaging.notifications.service import notify
from api.money.wallet.enums import AdjustmentCategory, CreditKind, TransferKind
from api.money.wallet.errors import InsufficientFundsError
from api.money.wallet.repository import adjustments
from api.money.wallet.repository.adjustments import NewAdjustment
from api.money.wallet.repository.operator_credits import NewCredit
from api.money.wallet.schemas import AdjustmentAnswer, AdjustmentInput, AdjustmentWanted
from api.money.wallet.service.ledger import credit, debit, lock_balance, repaid_facts
from api.money.wallet.service.operator_credits import (
    CreditAuthority,
    CreditDay,
    open_day,
    record_credit,
)
from api.people.users.service import account as users_account


async def _owner(_tx: Transaction, wanted: AdjustmentWanted) -> list[UUID]:
    return [wanted.user_id]


async def _weigh(
    tx: Transaction, admin: AdminRequest, wanted: AdjustmentWanted
) -> list[ApprovalReason]:
    return await _reasons(tx, await open_day(tx, admin, clock.now()), wanted)


ADJUST_WALLET = ApprovalKind(
    "wallet-adjustment", Right.ADJUST_PROPOSE, AdjustmentWanted, _owner, _weigh
)
NO_TESTS = "This category is not used here."


async def adjust(
    database: Database,
    admin: AdminRequest,
    user_id: UUID,
    form: AdjustmentInput,
    now: datetime,
    *,
    allows_test: bool,
) -> AdminResult:
    """Credit or debit a wallet, once.

    Above the limits, and in the operator's own wallet, it needs a second person. Adjustments in
    both directions count towards the operator's day. Locks: that day, the member, the wallet.

    Raises:
        NotFoundError: there is no such member, or their account is deleted.
        InvalidFieldError: the category is only for tests, and this is no test.
        SecondPersonNeededError: no other operator could decide it.
    """
    # Already validated; validating again would read kobo as naira.
    wanted = AdjustmentWanted.model_construct(
        user_id=user_id, amount=form.amount, category=form.category
    )

    async def work(tx: Transaction) -> AdminResult:
        _require_category(form.category, allows_test=allows_test)
        day = await open_day(tx, admin, now)
        if reasons := await _reasons(tx, day, wanted):
            return await proposing.propose(tx, admin, ADJUST_WALLET, wanted, form.reason, reasons)
        new = _new(wanted, admin.operator.id, None, form.reason, now)
        answer = await _post(tx, new, day, f"adjust:{new.id}")
        after = wanted.model_dump(mode="json") | answer.model_dump(mode="json")
        record = AuditRecord("adjust", "member", user_id, after=after, reason=form.reason)
        await audit.audited(tx, admin, record)
        return AdminResult.of(answer, status=201, message="The wallet has been adjusted.")

    return await audit.perform(database, admin, form, work)


async def adjust_approved(tx: Transaction, approved: Approved, *, allows_test: bool) -> Content:
    """Adjust a wallet after a second person's approval.

    Raises:
        NotFoundError: the member's account is deleted.
        InvalidFieldError: the category is only for tests, and this is no test.
    """
    wanted: AdjustmentWanted = approved.content
    _require_category(wanted.category, allows_test=allows_test)
    if not await users_account.hold(tx, wanted.user_id):
        raise NotFoundError
    reason, now = approved.reference, clock.now()
    new = _new(wanted, approved.proposed_by, approved.approval_id, reason, now)
    return (await _post(tx, new, approved, approved.reference)).model_dump(mode="json")


def _require_category(category: AdjustmentCategory, *, allows_test: bool) -> None:
    if category is AdjustmentCategory.TEST and not allows_test:
        raise InvalidFieldError.of("category", NO_TESTS)


async def _reasons(
    tx: Transaction, day: CreditDay, wanted: AdjustmentWanted
) -> list[ApprovalReason]:
    """Return why an operator may not adjust alone; refuse a debit that the wallet does not hold."""
    if not await users_account.hold(tx, wanted.user_id):
        raise NotFoundError
    held = await lock_balance(tx, wanted.user_id)
    if held + wanted.amount < 0:
        raise InsufficientFundsError.short_of(needed_kobo=-wanted.amount, held_kobo=held)
    return day.reasons([wanted.user_id], each_kobo=abs(wanted.amount))


def _new(
    wanted: AdjustmentWanted,
    operator_id: UUID,
    approval_id: UUID | None,
    reason: str,
    now: datetime,
) -> NewAdjustment:
    return NewAdjustment(
        id=new_id(),
        user_id=wanted.user_id,
        operator_id=operator_id,
        approval_id=approval_id,
        amount_kobo=wanted.amount,
        category=wanted.category,
        reason=reason,
        created_at=now,
    )


async def _post(
    tx: Transaction, new: NewAdjustment, by: CreditAuthority, reference: str
) -> AdjustmentAnswer:
    """Post the transfer, record the reason, and notify the member, whose record is locked."""
    amount, kind = Kobo(abs(new.amount_kobo)), TransferKind.ADJUST
    caused = NewCredit(
        *(CreditKind.ADJUSTMENT, new.user_id, new.id, reference, new.amount_kobo),
        counted_kobo=amount,
    )
    await record_credit(tx, by, caused, new.created_at)
    move = credit if new.amount_kobo > 0 else debit
    await move(tx, new.user_id, amount, kind=kind, reference=reference)
    await adjustments.insert_adjustment(tx, new)
    facts = await repaid_facts(tx, new.user_id) if new.amount_kobo > 0 else {}
    facts["change_kobo"] = new.amount_kobo
    notification = NotificationKind.WALLET_ADJUSTED
    await notify(tx, new.user_id, notification, new.id, new.created_at, **facts)
    return AdjustmentAnswer(id=new.id, balance=await lock_balance(tx, new.user_id))
