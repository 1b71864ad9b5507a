"""Deciding refunds: sent to the wallet once, or refused.

Lock order: the key, the operator's day, the member, the order or the plans, the case, the sizes,
the wallet.
"""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from api.backoffice.refunds import repository
from api.backoffice.refunds.enums import RefundState
from api.backoffice.refunds.errors import DecidedRefundError, NotPaidError, RefundTooMuchError
from api.backoffice.refunds.repository import RefundRow
from api.backoffice.refunds.schemas import RefundDecided, RefundReason, SendRefund
from api.foundation.approvals import proposing
from api.foundation.approvals.enums import ApprovalReason
from api.foundation.approvals.kinds import ApprovalKind, Approved
from api.foundation.audit import writing as audit
from api.foundation.audit.writing import AuditRecord
from api.foundation.core import clock
from api.foundation.core.errors import InvalidFieldError, NotFoundError
from api.foundation.core.money import Kobo, format_naira
from api.foundation.database.database import Database, Transaction
from api.foundation.security.operators import AdminRequest
from api.foundation.security.rights import Right
from api.foundation.wire.results import AdminResult
from api.foundation.wire.schemas import Content
from api.messaging.notifications.enums import NotificationKind
from api.messaging.notifications.service import notify
from api.money.subscriptions.service import refunding as subscriptions_refunding
from api.money.subscriptions.service.refunding import RefundablePeriod
from api.money.wallet.enums import CreditKind
from api.money.wallet.errors import IllegalTransferError
from api.money.wallet.repository.operator_credits import NewCredit
from api.money.wallet.rules import REFUNDS
from api.money.wallet.service import ledger, operator_credits
from api.money.wallet.service.operator_credits import CreditAuthority, CreditDay
from api.people.users.service import account as users_account
from api.shop.enums import OrderStatus
from api.shop.errors import WrongStateError
from api.shop.service import refunding
from api.shop.service.refunding import RefundableOrder

OTHER_REFUND = "The refund is another one than was agreed to."


async def _owner(tx: Transaction, wanted: SendRefund) -> list[UUID]:
    return await repository.list_owners(tx, wanted.refund_id)


async def _weigh(tx: Transaction, admin: AdminRequest, wanted: SendRefund) -> list[ApprovalReason]:
    day = await operator_credits.open_day(tx, admin, clock.now())
    return await second_person_reasons(tx, day, (await _lock_approved(tx, wanted)).case)


SEND_REFUND = ApprovalKind("send-refund", Right.REFUND_SEND, SendRefund, _owner, _weigh)


@dataclass(frozen=True)
class LockedRefund:
    """An undecided refund and its purchase, both locked."""

    case: RefundRow
    bought: RefundableOrder | RefundablePeriod


async def send(
    database: Database, admin: AdminRequest, refund_id: UUID, now: datetime
) -> AdminResult:
    """Credit a refund to the member's wallet, once.

    The operator's own refund, and amounts above the limits, need a second person.

    Raises:
        NotFoundError: there is no such refund, or its member's account is deleted.
        RefundTooMuchError: less than that is left to refund.
        SecondPersonNeededError: no other operator could decide it.
    """

    async def work(tx: Transaction) -> AdminResult:
        day = await operator_credits.open_day(tx, admin, now)
        locked = await hold(tx, refund_id)
        case = locked.case
        if reasons := await second_person_reasons(tx, day, case):
            return await propose_sending(tx, admin, case, reasons)
        decided = await move_money(tx, locked, admin.operator.id, day, now)
        await audit.audited(tx, admin, _audit_record("send-refund", case, RefundState.SENT))
        return AdminResult.of(decided)

    return await audit.perform(database, admin, {"refund": str(refund_id)}, work)


async def send_approved(tx: Transaction, approved: Approved) -> Content:
    """Send a refund after a second person's approval.

    Raises:
        NotFoundError, DecidedRefundError, RefundTooMuchError: as for ``send``.
        InvalidFieldError: the approved refund differs from the requested one.
    """
    locked = await _lock_approved(tx, approved.content)
    decided = await move_money(tx, locked, approved.decider.id, approved, clock.now())
    return decided.model_dump(mode="json")


async def second_person_reasons(
    tx: Transaction, day: CreditDay, case: RefundRow
) -> list[ApprovalReason]:
    """Return why an operator may not send a refund alone; empty if they may.

    Earlier refunds of the same payment count too, so splitting a refund does not help.
    """
    sent = await repository.sent_kobo(tx, case.subject_id)
    amount = case.amount_kobo
    return day.reasons(
        [case.user_id], each_kobo=sent + amount, together_kobo=amount, is_refund=True
    )


async def propose_sending(
    tx: Transaction, admin: AdminRequest, case: RefundRow, reasons: list[ApprovalReason]
) -> AdminResult:
    """Propose sending a refund.

    Raises:
        SecondPersonNeededError: no other operator could decide it.
    """
    wanted = SendRefund(
        refund_id=case.id, amount=format_naira(case.amount_kobo), bought=case.bought
    )
    return await proposing.propose(tx, admin, SEND_REFUND, wanted, case.reason, reasons)


async def refuse(
    database: Database, admin: AdminRequest, refund_id: UUID, form: RefundReason, now: datetime
) -> AdminResult:
    """Refuse a refund.

    Raises:
        WrongStateError: the club cancelled the order, so the refund is owed.
    """

    async def work(tx: Transaction) -> AdminResult:
        case = await lock_case(tx, refund_id)
        if case.is_owed and await users_account.hold(tx, case.user_id):
            raise WrongStateError(content={"status": OrderStatus.CANCELLED.value})
        state = RefundState.REFUSED
        await repository.decide(tx, refund_id, state, admin.operator.id, now, form.reason)
        await audit.audited(tx, admin, _audit_record("refuse-refund", case, state, form.reason))
        balance = await ledger.lock_balance(tx, case.user_id)
        return AdminResult.of(RefundDecided(state=state, balance=balance))

    return await audit.perform(database, admin, form, work)


async def hold(tx: Transaction, refund_id: UUID) -> LockedRefund:
    """Lock the purchase, then the refund, which must be undecided.

    Raises:
        NotFoundError: there is no such refund, or its member's account is deleted.
    """
    subject = await repository.read_subject(tx, refund_id)
    if subject is None:
        raise NotFoundError
    bought: RefundableOrder | RefundablePeriod
    if subject.order_id is not None:
        bought = await refunding.lock_for_refund(tx, subject.order_id)
    else:
        bought = await subscriptions_refunding.lock_for_refund(tx, subject.subject_id)
    return LockedRefund(await lock_case(tx, refund_id), bought)


async def _lock_approved(tx: Transaction, wanted: SendRefund) -> LockedRefund:
    locked = await hold(tx, wanted.refund_id)
    case = locked.case
    said = (wanted.amount, wanted.bought)
    if said != (format_naira(case.amount_kobo), case.bought):
        raise InvalidFieldError.of("amount", OTHER_REFUND)
    return locked


async def lock_case(tx: Transaction, refund_id: UUID) -> RefundRow:
    """Lock an undecided refund, whether or not its member's account still exists."""
    case = await repository.lock_refund(tx, refund_id)
    if case is None:
        raise NotFoundError
    if case.state != RefundState.ASKED:
        raise DecidedRefundError(content={"status": case.state})
    return case


async def move_money(
    tx: Transaction, locked: LockedRefund, operator_id: UUID, by: CreditAuthority, now: datetime
) -> RefundDecided:
    """Transfer the money of a locked refund, and update the purchase."""
    case, bought = locked.case, locked.bought
    refund_id, user_id, amount = case.id, case.user_id, case.amount_kobo
    caused = NewCredit(
        *(CreditKind.REFUND, user_id, refund_id, _reference(case), amount), counted_kobo=amount
    )
    await operator_credits.record_credit(tx, by, caused, now)
    if isinstance(bought, RefundableOrder):
        await _send_of_order(tx, case, bought, amount, now)
    else:
        await _move(tx, case, bought.paid_by, amount)
        if case.ends_plan:
            await subscriptions_refunding.end_refunded(tx, bought, now)
    await repository.decide(tx, refund_id, RefundState.SENT, operator_id, now)
    facts: dict[str, str | int] = {"amount_kobo": amount, "bought": case.bought}
    facts |= await ledger.repaid_facts(tx, user_id)
    await notify(tx, user_id, NotificationKind.REFUND_SENT, refund_id, now, **facts)
    balance = await ledger.lock_balance(tx, user_id)
    return RefundDecided(state=RefundState.SENT, balance=balance)


async def _send_of_order(
    tx: Transaction, case: RefundRow, order: RefundableOrder, amount: Kobo, now: datetime
) -> None:
    quantities = await repository.list_lines(tx, case.id)
    for number, units in quantities.items():
        line = order.lines[number]
        if line.refunded + units > line.quantity:
            raise RefundTooMuchError
    await refunding.refund_lines(tx, order, quantities, restock=case.restock)
    paid_by = await _move(tx, case, order.paid_by, amount)
    is_all = await ledger.refunded(tx, paid_by) >= order.total_kobo
    note = f"{format_naira(amount)}: {case.reason}"[:200]
    await refunding.record_refund(tx, order, now, is_all=is_all, note=note)


async def _move(tx: Transaction, case: RefundRow, paid_by: UUID | None, amount: Kobo) -> UUID:
    """Refund money in the ledger, which rejects more than was paid."""
    if paid_by is None:
        raise NotPaidError
    reference = _reference(case)
    try:
        await ledger.refund(tx, case.user_id, amount, reverses=paid_by, reference=reference)
    except IllegalTransferError as refusal:
        raise RefundTooMuchError from refusal
    return paid_by


def _reference(case: RefundRow) -> str:
    return f"{REFUNDS}{case.id}"


def _audit_record(
    action: str, case: RefundRow, state: RefundState, reason: str | None = None
) -> AuditRecord:
    return AuditRecord(
        action,
        "refund",
        case.id,
        before={"state": case.state},
        after={"state": state.value, "amount_kobo": case.amount_kobo},
        reason=reason or case.reason,
    )
