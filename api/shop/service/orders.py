"""Orders that were placed: listed, and ended when nobody pays."""

from datetime import datetime
from itertools import groupby
from uuid import UUID

import structlog

from api.core import clock
from api.core.supervisor import Job
from api.database.database import Database, Transaction
from api.database.statements import Row
from api.shop import repository
from api.shop.enums import OrderStatus, PaymentMethod
from api.shop.schemas import (
    OrderAnswer,
    OrderedProduct,
)

log = structlog.get_logger(__name__)

MOST_ORDERS = 100
EXPIRY_BATCH = 100
EXPIRY_PAUSE_SECONDS = 60.0


async def list_orders(database: Database, user_id: UUID) -> list[OrderAnswer]:
    """Return a member's orders, newest first, at most a hundred."""
    rows = await repository.list_orders(database, user_id, MOST_ORDERS)
    return [_order(list(lines)) for _, lines in groupby(rows, key=lambda row: row["id"])]


async def expire_orders(database: Database, now: datetime) -> int:
    """Expire every open order whose time to pay is over at ``now``; return how many.

    An order expires once, however many callers run at once and wherever one of them dies.
    """
    expired = 0
    while True:
        async with database.transaction() as tx:
            batch = await expire_batch(tx, now, EXPIRY_BATCH)
        expired += batch
        if batch < EXPIRY_BATCH:
            return expired


async def expire_batch(tx: Transaction, now: datetime, most: int) -> int:
    """Expire up to ``most`` orders that are due and that nobody else decides; return how many.

    The stock goes back with the state. Locks: the orders, then their products by id.
    """
    due = await repository.lock_due(tx, now, most)
    if due:
        await repository.lock_ordered(tx, due)
        await repository.change_expired(tx, due)
    return len(due)


async def expire_orders_once(database: Database) -> int:
    """Expire what is due now; return how many orders that were."""
    expired = await expire_orders(database, clock.now())
    if expired:
        log.info("orders expired", orders=expired)
    return expired


def expire_job(database: Database) -> Job:
    """Return what expires orders again and again."""

    async def step() -> None:
        await expire_orders_once(database)

    return Job(name="expire_orders", step=step, every_seconds=EXPIRY_PAUSE_SECONDS)


def _order(lines: list[Row]) -> OrderAnswer:
    first = lines[0]
    return OrderAnswer(
        id=first["id"],
        order_number=first["number"],
        product_meta_data=[
            OrderedProduct(
                id=line["product_id"],
                name=line["name"],
                price=line["price_kobo"],
                thumbnail=line["thumbnail"],
                quantity=line["quantity"],
            )
            for line in lines
        ],
        billing=first["billing"],
        status=OrderStatus(first["status"]),
        is_paid=first["is_paid"],
        payment_method=PaymentMethod(first["payment_method"]),
        total=first["total_kobo"],
        pay_by=first["pay_by"],
        created_at=first["created_at"],
    )
