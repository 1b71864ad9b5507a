"""Orders that the club cancels: the payment becomes a refund."""

from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from api.backoffice.refunds import repository
from api.backoffice.refunds.enums import RefundState
from api.backoffice.refunds.repository import NewRefund
from api.backoffice.refunds.schemas import CancelledAtDesk, RefundAsked, RefundReason
from api.backoffice.refunds.service.sending import (
    hold,
    move_money,
    propose_sending,
    second_person_reasons,
)
from api.foundation.approvals.errors import SecondPersonNeededError
from api.foundation.audit import writing as audit
from api.foundation.audit.writing import AuditRecord
from api.foundation.core.ids import new_id
from api.foundation.core.money import Kobo
from api.foundation.database.database import Database, Transaction
from api.foundation.security.operators import AdminRequest
from api.foundation.security.rights import Right
from api.foundation.wire.results import AdminResult
from api.money.wallet.enums import CreditKind
from api.money.wallet.repository.operator_credits import NewCredit
from api.money.wallet.service import ledger, operator_credits
from api.money.wallet.service.operator_credits import CreditDay
from api.shop.enums import OrderStatus
from api.shop.service import refunding
from api.shop.service.refunding import RefundableOrder

SUPERSEDED = "The club has cancelled the whole order."


async def cancel_order(
    database: Database, admin: AdminRequest, order_id: UUID, form: RefundReason, now: datetime
) -> AdminResult:
    """Cancel an order on behalf of the club; the payment becomes a refund (contract B-81).

    It is sent immediately if the operator may send it alone. If a second person is needed, the
    order is cancelled and the refund is proposed (202). Without the right to send, it waits to be
    sent.

    Raises:
        NotFoundError: there is no such order, or its member's account is deleted.
        WrongStateError: it is already shipped, or has ended.
    """

    async def work(tx: Transaction) -> AdminResult:
        day = await operator_credits.open_day(tx, admin, now)

        async def authorise(user_id: UUID, parts_kobo: Kobo) -> bool:
            reasons = day.reasons([user_id], each_kobo=parts_kobo, is_refund=True)
            if reasons or not admin.operator.holds(Right.REFUND_SEND):
                return False
            caused = NewCredit(
                *(CreditKind.CANCELLATION, user_id, order_id, f"cancelled:{order_id}", parts_kobo),
                counted_kobo=parts_kobo,
            )
            await operator_credits.record_credit(tx, day, caused, now)
            return True

        order = await refunding.cancel_for_club(tx, order_id, form.reason, authorise, now)
        refund, proposed = await _refund_all(tx, admin, day, order, form.reason, now)
        status = OrderStatus.CANCELLED.value
        record = AuditRecord(
            "cancel-order",
            "order",
            order_id,
            before={"status": order.status.value},
            after={"status": status, "refund": refund and refund.model_dump(mode="json")},
            reason=form.reason,
        )
        await audit.audited(tx, admin, record)
        cancelled = CancelledAtDesk(status=status, refund=refund)
        if proposed is None:
            return AdminResult.of(cancelled)
        return replace(proposed, data=(proposed.data or {}) | cancelled.model_dump(mode="json"))

    return await audit.perform(database, admin, form, work)


async def _refund_all(
    tx: Transaction,
    admin: AdminRequest,
    day: CreditDay,
    order: RefundableOrder,
    reason: str,
    now: datetime,
) -> tuple[RefundAsked | None, AdminResult | None]:
    """Open a case for all that is left of a cancelled order; send it, or propose to send it."""
    if order.paid_by is None:
        return None, None
    # Earlier requests are part of this refund.
    await repository.refuse_open(tx, order.id, admin.operator.id, now, SUPERSEDED)
    taken_fee = (await repository.asked_kobo(tx, order.id))[1]
    left = order.total_kobo - await ledger.refunded(tx, order.paid_by)
    if left <= 0:
        return None, None
    units = {number: line.quantity - line.refunded for number, line in order.lines.items()}
    refund = NewRefund(
        id=new_id(),
        user_id=order.user_id,
        order_id=order.id,
        subscription_id=None,
        bought=f"order {order.number}",
        amount_kobo=left,
        reason=reason,
        asked_by=admin.operator.id,
        asked_at=now,
        fee_kobo=min(left, max(0, order.fee_kobo - taken_fee)),
        lines={number: count for number, count in units.items() if count},
        is_owed=True,
    )
    await repository.insert_refund(tx, refund)
    state, proposed = RefundState.ASKED, None
    locked = await hold(tx, refund.id)
    if admin.operator.holds(Right.REFUND_SEND):
        if reasons := await second_person_reasons(tx, day, locked.case):
            # If no other operator could decide, it waits to be sent, as without the right.
            with suppress(SecondPersonNeededError):
                proposed = await propose_sending(tx, admin, locked.case, reasons)
        else:
            state = (await move_money(tx, locked, admin.operator.id, day, now)).state
    return RefundAsked(id=refund.id, amount=Kobo(left), state=state), proposed
