"""Orders: placed, cancelled, shipped, and races between them."""

import asyncio
from collections.abc import Coroutine
from datetime import datetime
from typing import Any

from tests.endurance.month.actor import Actor, NotNowError
from tests.endurance.month.callers import (
    Answer,
    kobo,
    naira,
    new_key,
)
from tests.endurance.month.model import (
    DAY,
    MAX_OPEN_ORDERS,
    TIME_TO_PAY,
    TRANSFER_VALUE_LIMIT,
    Line,
    Member,
    Order,
    Size,
    now,
)

FEES = {None: 0, "Lagos": 1_500_00}
SCARCE_SHARE = 0.12  # of carts
HEAD_START_SECONDS = 0.05


class OrderEvents(Actor):
    """Events of orders."""

    def _draw_lines(self, *, max_count: int = 3) -> list[Line]:
        sizes = self.chance.sample(self._plentiful(), self.chance.randint(1, 2))
        if self.chance.random() < SCARCE_SHARE:
            sizes[0] = self.chance.choice([size for size in self.model.sizes if size.is_scarce])
        return [Line(size, self.chance.randint(1, max_count)) for size in sizes]

    @staticmethod
    def _wish(lines: list[Line], method: str, state: str | None) -> dict[str, Any]:
        billing = {"firstName": "A", "lastName": "B", "phone": "08031234567", "address": "x"}
        carts = [
            {"id": line.size.product, "quantity": line.quantity}
            | ({"variantId": line.size.id} if line.size.id else {})
            for line in lines
        ]
        return {
            "carts": carts,
            "billing": billing | ({"state": state} if state else {}),
            "paymentMethod": method,
        }

    def _placed(
        self, member: Member, lines: list[Line], method: str, state: str | None, answer: Answer
    ) -> Order:
        """Add an order to the model, with the server's total and payment deadline."""
        # Products are locked in the order of the cart.
        is_transfer = method == "bank-transfer"
        pay_by = answer.data["payBy"]
        order = Order(
            member,
            answer.data["orderId"],
            lines,
            FEES[state],
            "pending" if is_transfer else "processing",
            datetime.fromisoformat(pay_by) if is_transfer else None,
        )
        assert kobo(answer.data["total"]) == order.total, f"order {order.id} costs something else"
        if order.pay_by is not None:
            left = order.pay_by - now()
            assert TIME_TO_PAY - DAY / 24 < left <= TIME_TO_PAY, f"{left} to pay {order.id}"
        self.model.place(order)
        return order

    def _check_short(self, answer: Answer, lines: list[Line]) -> None:
        """Check that products reported as sold out can be."""
        assert any(line.size.is_scarce for line in lines), "there is plenty of it"
        short = [line for line in answer.data["lines"] if line["available"] < line["quantity"]]
        assert short, "it is sold out and it is there"

    async def order_wallet(self) -> None:
        async with self._any_member() as member:
            await self._order_wallet(member)

    async def _order_wallet(self, member: Member, *, clicks: int = 1) -> None:
        lines, state = self._draw_lines(), self.chance.choice(list(FEES))
        total = FEES[state] + sum(line.size.price * line.quantity for line in lines)
        may: list[int | str] = [201] if member.high >= total else []
        may += ["insufficient_funds"] if member.low < total else []
        may += ["product_unavailable"] if any(line.size.is_scarce for line in lines) else []
        wish, key = self._wish(lines, "wallet", state), new_key(self.chance)
        answers = await asyncio.gather(
            *(self._post(member, "products/checkout", wish, key=key) for _ in range(clicks))
        )
        answer = answers[0]
        answer.must_be(*may)
        said = {(one.status, one.data and one.data.get("orderId")) for one in answers}
        if answer.status == 201:
            assert len(said) == 1, f"one key made {said}"
            self._placed(member, lines, "wallet", state, answer)
        elif any(one.status == 201 for one in answers):
            self._placed(
                member, lines, "wallet", state, next(one for one in answers if one.status == 201)
            )
        elif answer.code == "product_unavailable":
            self._check_short(answer, lines)

    async def order_twice_with_one_key(self) -> None:
        async with self._any_member() as member:
            await self._order_wallet(member, clicks=2)

    async def order_transfer(self) -> None:
        async with self._any_member() as member:
            lines, state = self._draw_lines(), self.chance.choice(list(FEES))
            min_count, max_count = member.open_orders()
            total = FEES[state] + sum(line.size.price * line.quantity for line in lines)
            least_value, max_value = (value + total for value in member.open_value())
            has_room = min_count < MAX_OPEN_ORDERS
            may: list[int | str] = []
            may += [201] if has_room and least_value <= TRANSFER_VALUE_LIMIT else []
            may += ["too_much_unpaid"] if has_room and max_value > TRANSFER_VALUE_LIMIT else []
            may += ["too_many_open_orders"] if max_count >= MAX_OPEN_ORDERS else []
            may += ["product_unavailable"] if any(line.size.is_scarce for line in lines) else []
            answer = await self._post(
                member, "products/checkout", self._wish(lines, "bank-transfer", state)
            )
            answer.must_be(*may)
            if answer.status == 201:
                self._placed(member, lines, "bank-transfer", state, answer)
            elif answer.code == "product_unavailable":
                self._check_short(answer, lines)

    async def order_at_another_price(self) -> None:
        async with self._any_member() as member:
            lines = [Line(self.chance.choice(self._plentiful()), 1)]
            wish = self._wish(lines, "wallet", None)
            wish["carts"][0]["price"] = naira(lines[0].size.price - 1)
            (await self._post(member, "products/checkout", wish)).must_be("price_changed")

    async def order_with_a_used_key(self) -> None:
        async with self._one(lambda member: [member] if member.low >= 10_000_00 else []) as member:
            line, key = Line(self.chance.choice(self._plentiful()), 1), new_key(self.chance)
            if line.size.price > member.low:
                raise NotNowError
            wish = self._wish([line], "wallet", None)
            answer = await self._post(member, "products/checkout", wish, key=key)
            answer.must_be(201)
            self._placed(member, [line], "wallet", None, answer)
            wish["carts"][0]["quantity"] = 2
            again = await self._post(member, "products/checkout", wish, key=key)
            again.must_be("idempotency_key_reused")

    def _plentiful(self) -> list[Size]:
        return [size for size in self.model.sizes if not size.is_scarce]

    async def check_order(self, order: Order) -> None:
        """Record in the model whether a due order has expired."""
        if not order.is_due:
            return
        answer = await self._member_call(order.member, "GET", f"orders/{order.id}")
        answer.must_be(200)
        if answer.data["status"] == "expired":
            self.model.expire(order)
        else:
            assert answer.data["status"] == "pending"

    async def _cancel(self, order: Order) -> Answer:
        return await self._post(order.member, f"orders/{order.id}/cancel", {})

    def _cancelled(self, order: Order, answer: Answer) -> None:
        """Record a cancellation in the model, or why there was none."""
        if answer.status == 200:
            given = self.model.cancel(order)
            assert kobo(answer.data["refunded"]) == given, f"{order.id}: not {given} refunded"
            self._is_said(order.member, answer.data["balance"])
        elif order.is_due:
            assert answer.data["status"] == "expired"
            self.model.expire(order)
        else:
            assert answer.data["status"] == order.status

    async def cancel(self) -> None:
        async with self._one(lambda member: member.orders[-20:]) as order:
            answer = await self._cancel(order)
            may: list[int | str] = []
            if order.status in {"pending", "processing"}:
                may.append(200)
            if order.status not in {"pending", "processing"} or order.is_due:
                may.append("wrong_state")
            answer.must_be(*may)
            self._cancelled(order, answer)

    async def cancel_for_club(self) -> None:
        async with self._one(self._open_orders) as order:
            operator = self._operator()
            path = f"orders/{order.id}/cancel"
            answer = await self._office(path, {"reason": "Sold twice"}, operator=operator)
            answer.must_be(200, 202, *(["wrong_state"] if order.is_due else []))
            if answer.status in {200, 202}:
                refund = answer.data["refund"]
                case = self.model.cancel_for_club(order, refund and refund["id"])
                said = refund and (kobo(refund["amount"]), refund["state"])
                assert said == (case and (case.amount, case.state)), f"{order.id}: {said}"
                waits = case is not None and case.state == "asked"
                assert waits == (answer.status == 202), f"{order.id}: {answer.status}"
                if case is not None and waits:
                    self._proposed(answer, operator, order.member, case, case.amount)
            else:
                self._cancelled(order, answer)

    @staticmethod
    def _open_orders(member: Member) -> list[Order]:
        return [one for one in member.orders if one.status in {"pending", "processing"}]

    async def ship(self) -> None:
        async with self._one(
            lambda member: [one for one in member.orders if one.status == "processing"]
        ) as order:
            answer = await self._office(f"orders/{order.id}/ship", {"carrier": "GIG"})
            answer.must_be(200)
            self.model.ship(order)

    async def deliver(self) -> None:
        async with self._one(
            lambda member: [one for one in member.orders if one.status == "shipped"]
        ) as order:
            (await self._office(f"orders/{order.id}/deliver")).must_be(200)
            order.status = "delivered"

    async def _a_little_later(self, call: Coroutine[Any, Any, Answer]) -> Answer:
        """Delay one of two racers, so that either may be first."""
        await asyncio.sleep(self.chance.uniform(0, HEAD_START_SECONDS))
        return await call

    async def race_cancel_ship(self) -> None:
        """A member cancels while an operator ships: one of them is too late."""
        async with self._one(
            lambda member: [one for one in member.orders if one.status == "processing"]
        ) as order:
            cancelled, shipped = await asyncio.gather(
                self._a_little_later(self._cancel(order)),
                self._a_little_later(self._office(f"orders/{order.id}/ship", {})),
            )
            cancelled.must_be(200, "wrong_state")
            shipped.must_be(200, "wrong_state")
            assert (cancelled.status == 200) != (shipped.status == 200), f"{order.id}: both or none"
            if shipped.status == 200:
                self.model.ship(order)
            self._cancelled(order, cancelled)
            self.place.counts[f"race: {'shipped' if shipped.status == 200 else 'cancelled'}"] += 1

    async def race_for_the_purse(self) -> None:
        """Two concurrent orders from a wallet that may hold enough for one."""
        async with self._any_member() as member:
            wishes = [self._draw_lines() for _ in range(2)]
            low, high = member.low, member.high
            totals = [sum(one.size.price * one.quantity for one in lines) for lines in wishes]
            answers = await asyncio.gather(
                *(
                    self._post(member, "products/checkout", self._wish(lines, "wallet", None))
                    for lines in wishes
                )
            )
            spent = 0
            for lines, total, answer in zip(wishes, totals, answers, strict=True):
                scarce = any(line.size.is_scarce for line in lines)
                answer.must_be(
                    201, "insufficient_funds", *(["product_unavailable"] if scarce else [])
                )
                if answer.status == 201:
                    spent += total
                    self._placed(member, lines, "wallet", None, answer)
            assert spent <= max(high, 0), f"{spent} spent of {high}"
            for total, answer in zip(totals, answers, strict=True):
                if answer.code == "insufficient_funds":
                    assert low - spent < total, f"{total} refused of {low - spent}"
