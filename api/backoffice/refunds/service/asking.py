"""Requesting refunds: opens a case; no money moves."""

from collections.abc import Mapping
from datetime import datetime
from uuid import UUID

from api.backoffice.refunds import repository
from api.backoffice.refunds.enums import RefundState
from api.backoffice.refunds.errors import NotPaidError, RefundTooMuchError
from api.backoffice.refunds.repository import NewRefund
from api.backoffice.refunds.schemas import AskOrderRefund, AskPlanRefund, RefundAsked
from api.foundation.audit import writing as audit
from api.foundation.audit.writing import AuditRecord
from api.foundation.core.errors import InvalidFieldError, NotFoundError
from api.foundation.core.ids import new_id
from api.foundation.core.money import Kobo
from api.foundation.database.database import Database, Transaction
from api.foundation.security.operators import AdminRequest
from api.foundation.wire.results import AdminResult
from api.money.subscriptions.service import refunding as subscriptions_refunding
from api.money.wallet.service import ledger
from api.shop.service import refunding
from api.shop.service.refunding import RefundableOrder

NOTHING = "Please choose what is refunded."
TWICE = "A line is named twice."
UNKNOWN_LINE = "The order has no such line."


async def ask_for_order(
    database: Database, admin: AdminRequest, order_id: UUID, form: AskOrderRefund, now: datetime
) -> AdminResult:
    """Request a refund of part of an order; no money moves yet.

    Raises:
        NotFoundError: there is no such order, or its member's account is deleted.
        RefundTooMuchError: more than what is left of the purchase.
        InvalidFieldError: an unknown line, or nothing at all.
    """

    async def work(tx: Transaction) -> AdminResult:
        order = await refunding.lock_for_refund(tx, order_id)
        quantities = await _read_lines(tx, order, form)
        taken_fee = (await repository.asked_kobo(tx, order_id))[1]
        fee = _read_fee(order, form, taken_fee)
        goods = sum(order.lines[line].price_kobo * units for line, units in quantities.items())
        refund = NewRefund(
            id=new_id(),
            user_id=order.user_id,
            order_id=order_id,
            subscription_id=None,
            bought=f"order {order.number}",
            amount_kobo=goods + fee,
            reason=form.reason,
            asked_by=admin.operator.id,
            asked_at=now,
            fee_kobo=fee,
            restock=form.restock,
            lines=quantities,
        )
        return await _open(tx, admin, refund, order.paid_by, order.total_kobo)

    return await audit.perform(database, admin, form, work)


async def ask_for_plan(
    database: Database,
    admin: AdminRequest,
    subscription_id: UUID,
    form: AskPlanRefund,
    now: datetime,
) -> AdminResult:
    """Request a refund of part of the price of a plan's period; no money moves yet.

    Raises:
        NotFoundError: there is no such period, or its member's account is deleted.
        RefundTooMuchError: more than what is left of it.
    """

    async def work(tx: Transaction) -> AdminResult:
        period = await subscriptions_refunding.lock_for_refund(tx, subscription_id)
        refund = NewRefund(
            id=new_id(),
            user_id=period.user_id,
            order_id=None,
            subscription_id=subscription_id,
            bought=period.plan,
            amount_kobo=form.amount,
            reason=form.reason,
            asked_by=admin.operator.id,
            asked_at=now,
            ends_plan=form.end,
        )
        return await _open(tx, admin, refund, period.paid_by, period.amount_kobo)

    return await audit.perform(database, admin, form, work)


async def _read_lines(
    tx: Transaction, order: RefundableOrder, form: AskOrderRefund
) -> Mapping[int, int]:
    quantities = {one.line: one.quantity for one in form.lines}
    if len(quantities) < len(form.lines):
        raise InvalidFieldError.of("lines", TWICE)
    if not set(quantities) <= set(order.lines):
        raise InvalidFieldError.of("lines", UNKNOWN_LINE)
    asked = await repository.asked_quantities(tx, order.id)
    for number, units in quantities.items():
        line = order.lines[number]
        if line.refunded + asked.get(number, 0) + units > line.quantity:
            raise RefundTooMuchError
    return quantities


def _read_fee(order: RefundableOrder, form: AskOrderRefund, taken_kobo: int) -> Kobo:
    left = order.fee_kobo - taken_kobo
    if form.delivery_fee is None or form.delivery_fee is False:
        return Kobo(0)
    wanted = left if form.delivery_fee is True else form.delivery_fee
    if wanted > left or (order.fee_kobo and not left):
        raise RefundTooMuchError
    return Kobo(wanted)


async def _open(
    tx: Transaction, admin: AdminRequest, refund: NewRefund, paid_by: UUID | None, paid_kobo: Kobo
) -> AdminResult:
    if paid_by is None:
        raise NotPaidError
    if not refund.amount_kobo:
        raise InvalidFieldError.of("lines", NOTHING)
    subject = refund.order_id or refund.subscription_id
    if subject is None:
        raise NotFoundError
    asked = (await repository.asked_kobo(tx, subject))[0]
    if refund.amount_kobo + asked + await ledger.refunded(tx, paid_by) > paid_kobo:
        raise RefundTooMuchError
    await repository.insert_refund(tx, refund)
    opened = RefundAsked(id=refund.id, amount=refund.amount_kobo, state=RefundState.ASKED)
    record = AuditRecord(
        "ask-refund",
        "order" if refund.order_id else "subscription",
        subject,
        after={"refund": refund.id, "amount_kobo": refund.amount_kobo, "lines": refund.lines},
        reason=refund.reason,
    )
    await audit.audited(tx, admin, record)
    return AdminResult.of(opened, status=201)
