"""Placing orders: one at a time, or in a batch with others that wait for the same size."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from asyncpg import DeadlockDetectedError, LockNotAvailableError, QueryCanceledError

from api.foundation.core.errors import DatabaseUnavailableError, InvalidFieldError, NotFoundError
from api.foundation.core.money import LARGEST_KOBO, Kobo, format_naira, naira_from_kobo
from api.foundation.database.batch import Batcher
from api.foundation.database.database import Database, Transaction
from api.foundation.database.errors import DatabaseRefusal
from api.foundation.database.idempotency import KeyReusedError
from api.foundation.office_settings import service as office_settings
from api.money.wallet.service.ledger import refusals
from api.shop import rules
from api.shop.enums import PaymentMethod
from api.shop.errors import (
    PriceChangedError,
    ProductUnavailableError,
    TooManyOpenOrdersError,
    TooMuchUnpaidError,
)
from api.shop.repository import checkout
from api.shop.repository.checkout import NewOrder, NumberTakenError, WaitingOrder
from api.shop.schemas.checkout import OpenOrder

TOTAL_SENTENCE = f"One order can be at most {format_naira(LARGEST_KOBO)}."

# Server errors after a wait, which guarantee that nothing was written.
ROLLED_BACK_ERRORS = (LockNotAvailableError, DeadlockDetectedError, QueryCanceledError)

Outcome = dict[str, Any]
"""What became of an order: ``{id, number, total_kobo, delivery_fee_kobo, pay_by, replayed}``."""


class _BatchBlockedError(Exception):
    """Nothing of a batch was written, because another transaction holds a lock it needs."""


class OrderPlacer:
    """Places orders.

    Orders of one size wait for its row anyway. Those that reach this process while one of them is
    being placed are batched: one lock and one commit for all, and each succeeds or fails alone. If
    a batch would have to wait for another transaction, each order is placed separately.
    """

    def __init__(self, database: Database) -> None:
        self.database = database
        self._queues: dict[str, Batcher[NewOrder, Outcome]] = {}

    @property
    def waiting_sizes(self) -> int:
        """The number of sizes that orders are waiting for."""
        return len(self._queues)

    async def place(self, order: NewOrder) -> Outcome:
        """Place ``order``, drawing other numbers while the drawn one is taken.

        Raises:
            InsufficientFundsError, ProductUnavailableError, PriceChangedError, KeyReusedError,
                InvalidFieldError, NotFoundError: as for ``check_out``; nothing was written.
            TooManyOpenOrdersError: the maximum of orders waits for a bank transfer.
            TooMuchUnpaidError: with this one, too much would wait for bank transfers.
            DatabaseUnavailableError: whether it was placed is not known.
        """
        while True:
            try:
                with refusals():
                    return await self._place_once(order)
            except NumberTakenError:
                order = replace(order, number=rules.draw_order_number())
            except DatabaseRefusal as refusal:
                raise _refused(refusal) from refusal

    async def _place_once(self, order: NewOrder) -> Outcome:
        if order.payment_method == PaymentMethod.BANK_TRANSFER:
            return await self._place_by_transfer(order)
        size = order.only_size
        if size is None:
            return await checkout.place_order(self.database, order)
        queue = self._queues.get(size)
        if queue is None:
            leave = partial(self._queues.pop, size)
            queue = self._queues[size] = Batcher(self._place_together, on_idle=leave)
        try:
            return await queue.submit(order)
        except _BatchBlockedError:
            return await checkout.place_order(self.database, order)

    async def _place_together(self, orders: Sequence[NewOrder]) -> Sequence[Outcome | Exception]:
        # A key may occur twice: the outcome of its first order is the answer to the second.
        firsts = {(one.user_id, one.key or one.id): one for one in reversed(orders)}
        try:
            placed = await checkout.place_orders(self.database, list(firsts.values()))
        except DatabaseUnavailableError as error:
            if isinstance(error.__cause__, ROLLED_BACK_ERRORS):
                return [_BatchBlockedError() for _ in orders]
            # Whether they were placed is unknown: the callers decide whether to retry.
            return [DatabaseUnavailableError() for _ in orders]
        return [
            _answer(one, first, placed[first.id])
            for one in orders
            for first in [firsts[one.user_id, one.key or one.id]]
        ]

    async def _place_by_transfer(self, order: NewOrder) -> Outcome:
        """Place an order by bank transfer, unless the maximum of them is already open."""
        async with self.database.transaction() as tx:
            await checkout.lock_open_orders(tx, order.user_id)
            outcome = await checkout.place_order(tx, order)
            waiting = await checkout.list_open_orders(tx, order.user_id)
            others = [row for row in waiting if row.id != order.id]
            if not outcome["replayed"]:
                if len(others) >= rules.MAX_OPEN_ORDERS:
                    raise _too_many_open(others)
                await _require_within_limits(tx, order, waiting, others)
            return outcome


async def _require_within_limits(
    tx: Transaction,
    order: NewOrder,
    waiting: Sequence[WaitingOrder],
    others: Sequence[WaitingOrder],
) -> None:
    """Refuse an order with which its member would hold too much unpaid stock (contract T-7)."""
    limits = await office_settings.read_settings(tx)
    buyer = await checkout.read_buyer(tx, order.user_id)
    age = order.now - buyer.created_at
    max_units = rules.units_limit(limits.transfer_units_limit, age, has_paid=buyer.has_paid)
    max_kobo = limits.transfer_value_limit
    if _units(waiting) <= max_units and _value(waiting) <= max_kobo:
        return
    items = f"{max_units:,} item{'' if max_units == 1 else 's'}"
    raise TooMuchUnpaidError(
        f"You can have at most {items} worth {format_naira(max_kobo)} waiting for "
        "your bank transfer. Please order less, pay for a waiting order, or pay from your wallet.",
        content=unpaid(others),
    )


def unpaid(orders: Sequence[WaitingOrder]) -> dict[str, Any]:
    """Return what orders that wait for a transfer hold: ``{units, value, orders}``, in naira."""
    return {
        "units": _units(orders),
        "value": naira_from_kobo(_value(orders)),
        "orders": len(orders),
    }


def _units(orders: Sequence[WaitingOrder]) -> int:
    return sum(order.units for order in orders)


def _value(orders: Sequence[WaitingOrder]) -> Kobo:
    return Kobo(sum(order.total_kobo for order in orders))


def _answer(order: NewOrder, first: NewOrder, outcome: Outcome | Exception) -> Outcome | Exception:
    """Return an order's outcome, given that of the first order with its key in the batch."""
    if order.id == first.id or isinstance(outcome, NumberTakenError):
        return outcome
    if order.fingerprint != first.fingerprint:
        return DatabaseRefusal("KF422", None)
    return outcome if isinstance(outcome, Exception) else outcome | {"replayed": True}


def changed_line(
    product_id: str,
    *,
    quantity: int,
    name: str | None = None,
    price_kobo: int | None = None,
    available: int = 0,
    variant: object = None,
    size: str | None = None,
) -> dict[str, Any]:
    """Return the details of a cart line that cannot be ordered as the member saw it."""
    price = None if price_kobo is None else naira_from_kobo(price_kobo)
    named = {} if variant is None else {"variantId": str(variant), "size": size}
    return {
        "id": product_id,
        "name": name,
        "price": price,
        "quantity": quantity,
        "available": available,
    } | named


def _refused(refusal: DatabaseRefusal) -> Exception:
    if refusal.code == "KF411":
        return ProductUnavailableError(content={"lines": _changed_lines(refusal.detail)})
    if refusal.code == "KF412":
        lines, fee = refusal.detail["lines"], refusal.detail["fee_kobo"]
        content = {"lines": _changed_lines(lines), "deliveryFee": naira_from_kobo(fee)}
        return PriceChangedError(content=content)
    refused: dict[str, Exception] = {
        "KF404": NotFoundError(),
        "KF422": KeyReusedError(),
        "KF424": InvalidFieldError.of("carts", rules.QUANTITY_SENTENCE),
        "KF425": InvalidFieldError.of("carts", TOTAL_SENTENCE),
    }
    return refused.get(refusal.code, refusal)


def _changed_lines(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [
        changed_line(
            line["id"],
            quantity=line["quantity"],
            name=line["name"],
            price_kobo=line["price_kobo"],
            available=line["available"],
            # The default variant of a product without sizes cannot be named.
            variant=line["variant"] if line["size"] is not None else None,
            size=line["size"],
        )
        for line in lines
    ]


def _too_many_open(waiting: Sequence[WaitingOrder]) -> TooManyOpenOrdersError:
    orders = [
        OpenOrder(
            order_id=order.id,
            order_number=order.number,
            total=order.total_kobo,
            created_at=order.created_at,
            pay_by=order.pay_by,
        ).model_dump(mode="json")
        for order in waiting
    ]
    return TooManyOpenOrdersError(content={"open": len(orders), "orders": orders})
