"""Orders in the back office: searched, shipped, delivered."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import groupby
from uuid import UUID

from api.foundation.approvals import proposing
from api.foundation.audit import writing as audit
from api.foundation.audit.writing import AuditRecord
from api.foundation.core.config import Settings
from api.foundation.core.errors import NotFoundError
from api.foundation.core.ids import parse_id
from api.foundation.database.database import Database, Transaction
from api.foundation.security.operators import AdminRequest
from api.foundation.security.rights import Right
from api.foundation.wire.results import AdminResult, OperatorName, Page
from api.messaging.notifications.enums import NotificationKind
from api.messaging.notifications.rules.messages import Fact
from api.messaging.notifications.service import notify
from api.shop.enums import OrderActor, OrderEventKind, OrderStatus
from api.shop.repository import admin as admin_repository
from api.shop.repository.admin import OrderCase, OrderOwner, OrderTransfer
from api.shop.repository.orders import OrderMove
from api.shop.schemas.admin import (
    AdminOrder,
    AdminOrderDetail,
    ConfirmedTransfer,
    MovedOrder,
    OpenCase,
    OrderFilter,
    OrderMember,
)
from api.shop.service.confirming import CONFIRM_TRANSFER
from api.shop.service.moving import lock_order_and_member, move_order, require_move
from api.shop.service.orders import detail_facts, order_facts

DAY = timedelta(days=1)
CASES_READ_BY = {"review_case": Right.MONEY_READ, "refund": Right.REFUND_ASK}
ORDER_MESSAGES = {
    OrderStatus.SHIPPED: (OrderEventKind.SHIPPED, NotificationKind.ORDER_SHIPPED),
    OrderStatus.DELIVERED: (OrderEventKind.DELIVERED, NotificationKind.ORDER_DELIVERED),
}


async def list_all_orders(
    database: Database, wanted: OrderFilter, *, before: UUID | None, limit: int
) -> Page[AdminOrder]:
    """Return the orders of all members, newest first."""
    rows = await admin_repository.list_all_orders(database, wanted, before, limit + 1)
    orders = [list(lines) for _, lines in groupby(rows, key=lambda row: row.id)]
    following = str(orders[limit - 1][0].id) if len(orders) > limit else None
    shown = [
        AdminOrder(**order_facts(lines[0], lines), member=_member(lines[0]))
        for lines in orders[:limit]
    ]
    return Page(rows=shown, next=following)


async def read_any_order(
    database: Database, settings: Settings, admin: AdminRequest, name: str
) -> AdminOrderDetail:
    """Return an order as its member sees it, with the member, and audit the read access.

    It contains the member's address and phone number.
    """
    order = await admin_repository.read_any_order(database, parse_id(name), name.upper())
    if order is None:
        raise NotFoundError
    async with database.transaction() as tx:
        await audit.audited(tx, admin, AuditRecord("look-at-order", "order", order.id))
    facts = await detail_facts(database, settings, order)
    waiting = await proposing.open_proposals(database, CONFIRM_TRANSFER, "orderId", [order.id])
    transfers = await admin_repository.list_order_transfers(database, order.id)
    cases = await admin_repository.list_open_cases(database, order.id, order.user_id)
    return AdminOrderDetail(
        **facts,
        member=_member(order),
        approval_id=waiting.get(order.id),
        transfers=[_transfer(row) for row in transfers],
        open_review_cases=_open_cases(admin, cases, "review_case"),
        open_refunds=_open_cases(admin, cases, "refund"),
    )


async def change_status(
    database: Database,
    admin: AdminRequest,
    order_id: UUID,
    to: OrderStatus,
    note: str | None,
    now: datetime,
) -> AdminResult:
    """Mark an order as shipped or delivered; notifies its member.

    Raises:
        WrongStateError: its status does not allow this.
    """
    kind, notification = ORDER_MESSAGES[to]

    async def work(tx: Transaction) -> AdminResult:
        order, _ = await lock_order_and_member(tx, order_id)
        require_move(OrderStatus(order.status), to, OrderActor.ADMIN)
        await move_order(tx, order_id, OrderMove(kind, to, now, OrderActor.ADMIN, note))
        facts: dict[str, Fact] = {"order_id": order_id, "number": order.number}
        await notify(tx, order.user_id, notification, order_id, now, **facts)
        record = AuditRecord(
            kind.value,
            "order",
            order_id,
            before={"status": order.status},
            after={"status": to.value},
            reason=note,
        )
        await audit.audited(tx, admin, record)
        return AdminResult.of(MovedOrder(status=to))

    return await audit.perform(database, admin, {"note": note}, work)


def _transfer(row: OrderTransfer) -> ConfirmedTransfer:
    return ConfirmedTransfer(
        bank=row.bank,
        reference=row.reference,
        amount=row.amount_kobo,
        paid_on=row.paid_on,
        confirmed_at=row.received_at,
        confirmed_by=OperatorName.of(row.operator_id, row.operator_name),
    )


def _open_cases(admin: AdminRequest, rows: Sequence[OrderCase], kind: str) -> list[OpenCase]:
    """Return the cases of a kind; none to who may not read them."""
    if not admin.operator.holds(CASES_READ_BY[kind]):
        return []
    return [OpenCase(id=row.id, amount=row.amount) for row in rows if row.kind == kind]


def _member(row: OrderOwner) -> OrderMember:
    return OrderMember(
        id=row.user_id,
        first_name=row.first_name,
        last_name=row.last_name,
        email=row.email,
        phone=row.phone,
    )
