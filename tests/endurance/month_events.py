"""What happens in the simulated month: each event acts over HTTP and tells the model of it.

An event holds its member's lock, so that the model knows which answers there may be; within some
events several clients race, and the model takes the outcome that the server gave.
"""

import asyncio
import json
import random
from collections import Counter
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, TypeVar

import httpx
from api.sandbox.paystack.webhooks import sign

from tests.endurance.month_callers import (
    Answer,
    Bag,
    Callers,
    Operator,
    Report,
    kobo,
    naira,
    new_key,
)
from tests.endurance.month_model import (
    ADJUSTMENT_DAY_LIMIT,
    ADJUSTMENT_LIMIT,
    APPROVAL_DAYS,
    DAY,
    GRACE,
    MOST_OPEN_ORDERS,
    TIME_TO_PAY,
    Approval,
    Case,
    Debt,
    Funding,
    Line,
    Member,
    Model,
    Order,
    Period,
    Review,
    Size,
    now,
)

Thing = TypeVar("Thing")
BANK = "058"
FEES = {None: 0, "Lagos": 1_500_00}
PAYING, DECLINED = "4084084084084081*408*12*30", "4084080000005408*001*12*30"
SCARCE_SHARE = 0.12  # of carts
LOOKED_AT = 12  # members that an event asks for something to act on
HEAD_START_SECONDS = 0.05
VERIFY_SECONDS = 20.0
TRIED_BEFORE_SECONDS = 30


class NotNowError(Exception):
    """There is nothing that the event could act on."""


@dataclass
class Place:
    """Where events happen."""

    model: Model
    callers: Callers
    operators: list[Operator]
    providers: dict[str, httpx.AsyncClient]
    paystack_key: str
    flutterwave_hash: str
    bag: Bag
    counts: Counter[str] = field(default_factory=Counter)


class Events:
    """The events of one worker."""

    def __init__(self, place: Place, chance: random.Random) -> None:
        self.place = place
        self.model = place.model
        self.callers = place.callers
        self.chance = chance

    # Choosing

    def _free(self) -> Iterator[Member]:
        members = self.model.members
        for member in self.chance.sample(members, min(LOOKED_AT, len(members))):
            if not member.lock.locked():
                yield member

    @asynccontextmanager
    async def _somebody(self) -> AsyncIterator[Member]:
        for member in self._free():
            async with member.lock:
                yield member
                return
        raise NotNowError

    @asynccontextmanager
    async def _one(self, of: Callable[[Member], Iterable[Thing]]) -> AsyncIterator[Thing]:
        """Choose a member who has such a thing, hold them, and give it."""
        for member in self._free():
            things = list(of(member))
            if things:
                async with member.lock:
                    yield self.chance.choice(things)
                    return
        raise NotNowError

    @asynccontextmanager
    async def _held(
        self, things: list[Thing], owner: Callable[[Thing], Member]
    ) -> AsyncIterator[Thing]:
        """Choose one of the things whose member is free, and hold them."""
        free = [thing for thing in things if not owner(thing).lock.locked()]
        if not free:
            raise NotNowError
        thing = self.chance.choice(free)
        async with owner(thing).lock:
            yield thing

    def _operator(self, *, but: int | None = None) -> Operator:
        return self.chance.choice([one for one in self.place.operators if one.number != but])

    async def _member_call(self, member: Member, method: str, path: str, **more: Any) -> Answer:
        return await self.callers.call(method, f"/api/v1/{path}", token=member.token, **more)

    async def _post(
        self, member: Member, path: str, body: Any, *, key: str | None = None, **more: Any
    ) -> Answer:
        key = key or new_key(self.chance)
        return await self._member_call(member, "POST", path, json=body, key=key, **more)

    async def _office(
        self, path: str, body: Any = None, *, operator: Operator | None = None
    ) -> Answer:
        operator = operator or self._operator()
        key = new_key(self.chance)
        return await self.callers.office(operator, "POST", path, json=body, key=key)

    def _is_said(self, member: Member, amount: float) -> None:
        held = kobo(amount)
        assert member.may_hold(held), f"{member.id} holds {held}, not {member.low}..{member.high}"

    # Orders

    def _draw_lines(self, *, most: int = 3) -> list[Line]:
        sizes = self.chance.sample(self._plentiful(), self.chance.randint(1, 2))
        if self.chance.random() < SCARCE_SHARE:
            sizes[0] = self.chance.choice([size for size in self.model.sizes if size.is_scarce])
        return [Line(size, self.chance.randint(1, most)) for size in sizes]

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
        """Tell the model of an order; the server's total and time to pay are the model's."""
        # Products take their numbers as in the cart.
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
        """Look whether what is said to be sold out can be."""
        assert any(line.size.is_scarce for line in lines), "there is plenty of it"
        short = [line for line in answer.data["lines"] if line["available"] < line["quantity"]]
        assert short, "it is sold out and it is there"

    async def order_wallet(self) -> None:
        async with self._somebody() as member:
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
        async with self._somebody() as member:
            await self._order_wallet(member, clicks=2)

    async def order_transfer(self) -> None:
        async with self._somebody() as member:
            lines, state = self._draw_lines(), self.chance.choice(list(FEES))
            least, most = member.open_orders()
            may: list[int | str] = [201] if least < MOST_OPEN_ORDERS else []
            may += ["too_many_open_orders"] if most >= MOST_OPEN_ORDERS else []
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
        async with self._somebody() as member:
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

    async def look_at_order(self, order: Order) -> None:
        """Tell the model whether the clock has expired an order that is due."""
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
        """Tell the model of a cancellation, or of why there was none."""
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
            answer = await self._office(f"orders/{order.id}/cancel", {"reason": "Sold twice"})
            answer.must_be(200, *(["wrong_state"] if order.is_due else []))
            if answer.status == 200:
                refund = answer.data["refund"]
                case = self.model.cancel_for_club(order, refund and refund["id"])
                said = refund and (kobo(refund["amount"]), refund["state"])
                assert said == (case and (case.amount, case.state)), f"{order.id}: {said}"
            else:
                self._cancelled(order, answer)

    @staticmethod
    def _open_orders(member: Member) -> list[Order]:
        return [one for one in member.orders if one.status in {"pending", "processing"}]

    @staticmethod
    def _waiting_orders(member: Member) -> list[Order]:
        return [one for one in member.orders if one.status == "pending"]

    @staticmethod
    def _late_orders(member: Member) -> list[Order]:
        return [
            one
            for one in member.orders
            if one.pay_by is not None
            and not one.is_paid
            and (one.status in {"expired", "cancelled"} or one.is_due)
        ]

    def _bank_reference(self) -> str:
        reference = f"KF{self.chance.getrandbits(80):020X}"
        self.model.bank_references.append(reference)
        return reference

    async def _confirm(self, order: Order, amount: int, reference: str) -> Answer:
        paid_on = self.model.began_on.isoformat()
        body = {"bank": BANK, "reference": reference, "amount": naira(amount), "paidOn": paid_on}
        return await self._office(f"orders/{order.id}/confirm-transfer", body)

    async def _confirmed(self, order: Order, amount: int, answer: Answer) -> None:
        """Tell the model of a bank transfer that was confirmed."""
        outcome, member = answer.data["outcome"], order.member
        was_due = order.is_due
        if outcome == "wallet" and was_due:
            self.model.expire(order)
        if outcome in {"paid", "surplus"} and order.status == "expired":
            self.model.take_again(order)
        if outcome == "wallet":
            assert order.status in {"expired", "cancelled"}, f"{order.id} was not over"
        missing, over = self.model.receive(order, amount, outcome)
        said = {name: kobo(answer.data[name]) for name in ("received", "missing", "surplus")}
        assert said == {"received": order.received, "missing": missing, "surplus": over}, said
        assert answer.data["status"] == order.status, f"{order.id} is {answer.data['status']}"
        if outcome == "short":
            await self._read_time_to_pay(member, order)
        if outcome in {"paid", "surplus"}:
            self.place.counts[f"transfer {outcome}{' late' if was_due else ''}"] += 1

    async def _read_time_to_pay(self, member: Member, order: Order) -> None:
        """A part that came in leaves a day for the rest at least, or all the time there was."""
        answer = await self._member_call(member, "GET", f"orders/{order.id}")
        pay_by = datetime.fromisoformat(answer.data["payBy"])
        assert order.pay_by is not None
        assert pay_by >= order.pay_by
        assert pay_by == order.pay_by or pay_by <= now() + DAY
        order.pay_by = pay_by

    async def _confirm_one(
        self, of: Callable[[Member], Iterable[Order]], amount: Callable[[Order], int]
    ) -> None:
        async with self._one(of) as order:
            await self.look_at_order(order)
            wanted = amount(order)
            answer = await self._confirm(order, wanted, self._bank_reference())
            answer.must_be(200)
            outcomes = {"short" if order.waiting + wanted < order.total else "paid"}
            if order.waiting + wanted > order.total:
                outcomes = {"surplus"}
            if order.status != "pending" or order.is_due:
                # What was given up may be sold to others by now, or there is not enough money.
                outcomes = {"wallet"} | (
                    {"paid", "surplus"} if order.status != "cancelled" else set()
                )
                if order.is_due:
                    outcomes.add("short")
            assert answer.data["outcome"] in outcomes, f"{answer.data} is not of {outcomes}"
            await self._confirmed(order, wanted, answer)

    async def confirm(self) -> None:
        await self._confirm_one(self._waiting_orders, lambda order: order.total - order.waiting)

    async def confirm_part(self) -> None:
        def part(order: Order) -> int:
            return max(1, (order.total - order.waiting) // self.chance.randint(2, 4))

        await self._confirm_one(self._waiting_orders, part)

    async def confirm_too_much(self) -> None:
        await self._confirm_one(
            self._waiting_orders,
            lambda order: order.total - order.waiting + self.chance.randint(1, 5_000_00),
        )

    async def confirm_late(self) -> None:
        def some(order: Order) -> int:
            return self.chance.choice((order.total, order.total // 2 or 1, order.total + 77_00))

        await self._confirm_one(self._late_orders, some)

    async def confirm_again(self) -> None:
        """A bank's reference counts once, however it is written."""
        if not self.model.bank_references:
            raise NotNowError
        reference = self.chance.choice(self.model.bank_references[-50:])
        async with self._one(self._waiting_orders) as order:
            if order.is_due:
                raise NotNowError
            written = f" {reference[:7].lower()} {reference[7:]}"
            answer = await self._confirm(order, order.total, written)
            answer.must_be("bank_reference_used")

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
        """Let one of two who race begin later, so that either may be first."""
        await asyncio.sleep(self.chance.uniform(0, HEAD_START_SECONDS))
        return await call

    async def race_cancel_confirm(self) -> None:
        """A member cancels while an operator confirms all of the transfer."""
        async with self._one(self._waiting_orders) as order:
            await self.look_at_order(order)
            if order.status != "pending" or order.is_due:
                raise NotNowError
            amount = order.total - order.waiting
            cancelled, confirmed = await asyncio.gather(
                self._a_little_later(self._cancel(order)),
                self._a_little_later(self._confirm(order, amount, self._bank_reference())),
            )
            cancelled.must_be(200)
            confirmed.must_be(200)
            if confirmed.data["outcome"] == "wallet":
                self._cancelled_in_a_race(order, cancelled)
                await self._confirmed(order, amount, confirmed)
            else:
                await self._confirmed_in_a_race(order, amount, confirmed)
                self._cancelled_in_a_race(order, cancelled)
            self.place.counts[f"race: transfer {confirmed.data['outcome']}"] += 1

    def _cancelled_in_a_race(self, order: Order, answer: Answer) -> None:
        given = self.model.cancel(order)
        assert kobo(answer.data["refunded"]) == given, f"{order.id}: not {given} refunded"

    async def _confirmed_in_a_race(self, order: Order, amount: int, answer: Answer) -> None:
        missing, over = self.model.receive(order, amount, answer.data["outcome"])
        assert (missing, over) == (0, 0)
        assert answer.data["outcome"] == "paid"

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
        """Two orders at once from a wallet that may hold enough for one."""
        async with self._somebody() as member:
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

    # Refunds

    async def ask_refund(self) -> None:
        takes_any = self.chance.random() < 0.2
        async with self._one(
            lambda member: [
                one
                for one in member.orders[-20:]
                if not one.is_due and (takes_any or (one.is_paid and one.refunded < one.total))
            ]
        ) as order:
            numbers = self.chance.sample(
                range(1, len(order.lines) + 1), self.chance.randint(1, len(order.lines))
            )
            lines = {n: self.chance.randint(1, max(1, order.lines[n - 1].left)) for n in numbers}
            await self._ask(order, lines)

    async def ask_too_much(self) -> None:
        async with self._one(
            lambda member: [one for one in member.orders[-20:] if one.is_paid]
        ) as order:
            quantity = order.lines[0].left + 1
            await self._ask(order, {1: quantity})

    async def _ask(self, order: Order, lines: dict[int, int]) -> None:
        takes_fee, restocks = self.chance.random() < 0.3, self.chance.random() < 0.5
        goods = sum(order.lines[n - 1].size.price * units for n, units in lines.items())
        fee = order.fee_left if takes_fee else 0
        case = Case("", goods + fee, order, lines=lines, fee=fee, restocks=restocks)
        body = {
            "lines": [{"line": n, "quantity": units} for n, units in lines.items()],
            "deliveryFee": takes_fee,
            "restock": restocks,
            "reason": "Too small",
        }
        answer = await self._office(f"orders/{order.id}/refunds", body)
        asked: Counter[int] = Counter()
        for one in order.cases:
            if one.state == "asked":
                asked.update(one.lines)
        over = any(asked[n] + units > order.lines[n - 1].left for n, units in lines.items())
        if over:
            answer.must_be("refund_too_much")
        elif not order.is_paid:
            answer.must_be("not_paid")
        elif case.amount + order.asked + order.refunded > order.total:
            answer.must_be("refund_too_much")
        else:
            answer.must_be(201)
            case.id = answer.data["id"]
            assert kobo(answer.data["amount"]) == case.amount, f"{case} is {answer.data}"
            order.cases.append(case)

    async def ask_plan_refund(self) -> None:
        async with self._one(
            lambda member: [one for one in member.periods[-5:] if one.amount]
        ) as period:
            left = period.amount - period.asked - period.refunded
            amount = self.chance.randint(1, period.amount)
            ends = self.chance.random() < 0.4
            answer = await self._office(
                f"subscriptions/{period.id}/refunds",
                {"amount": naira(amount), "end": ends, "reason": "Unhappy"},
            )
            answer.must_be(201 if amount <= left else "refund_too_much")
            if answer.status == 201:
                period.cases.append(Case(answer.data["id"], amount, period, ends_plan=ends))

    @staticmethod
    def _cases(member: Member) -> list[Case]:
        paid: list[Order | Period] = [*member.orders, *member.periods]
        return [case for one in paid for case in one.cases if case.state == "asked"]

    async def send_refund(self) -> None:
        async with self._one(self._cases) as case:
            operator = self._operator()
            answer = await self._office(f"refunds/{case.id}/send", operator=operator)
            self._sent(case, operator, answer)

    def _sent(self, case: Case, operator: Operator, answer: Answer) -> None:
        member = case.subject.member
        if self.model.needs_second(case):
            answer.must_be(202)
            self._proposed(answer, operator, member, case, case.amount)
        elif self.model.is_too_much(case):
            answer.must_be("refund_too_much")
        else:
            answer.must_be(200)
            self.model.send(case)
            self._is_said(member, answer.data["balance"])

    async def race_refund(self) -> None:
        """Two operators send one refund at once: it goes once."""
        async with self._one(
            lambda member: [
                case
                for case in self._cases(member)
                if not self.model.needs_second(case) and not self.model.is_too_much(case)
            ]
        ) as case:
            answers = await asyncio.gather(
                *(
                    self._office(f"refunds/{case.id}/send", operator=operator)
                    for operator in self.place.operators[:2]
                )
            )
            said = sorted(answer.status for answer in answers)
            assert said == [200, 409], f"refund {case.id} sent twice: {said}"
            self.model.send(case)

    async def refuse_refund(self) -> None:
        async with self._one(self._cases) as case:
            answer = await self._office(f"refunds/{case.id}/refuse", {"reason": "Worn"})
            answer.must_be("wrong_state" if case.is_owed else 200)
            if answer.status == 200:
                case.state = "refused"

    # Plans

    async def look_at_plan(self, member: Member, *, has_job_run: bool = False) -> None:
        """Tell the model what became of a plan whose period is over."""
        while (due := member.due_period) is not None:
            if not has_job_run:  # a job does nothing twice, so it needs no key
                await self.callers.office(self._operator(), "POST", "jobs/renew-plans/run")
            answer = await self._member_call(member, "GET", f"users/subscription/{member.id}")
            answer.must_be(200)
            newest = answer.data[0]
            if newest["id"] != due.id:
                after = self.model.renew(due, newest["id"])
                self._is_period(newest, after)
                continue
            waits = due.renews and now() < due.ends + GRACE
            if waits:
                assert member.balance < due.plan.price, f"period {due.id} was not renewed"
                self.place.counts["looks at plans in grace"] += 1
            else:
                due.is_over = True
                self.model.happened["plans ended"] += 1
            return

    @staticmethod
    def _is_period(row: dict[str, Any], period: Period) -> None:
        said = (
            row["subscriptionId"],
            datetime.fromisoformat(row["startsAt"]),
            datetime.fromisoformat(row["endsAt"]),
            kobo(row["amount"]),
            row["gift"],
        )
        expected = (period.plan.id, period.starts, period.ends, period.amount, period.is_gift)
        assert said == expected, f"{said} is not {expected}"

    async def begin_plan(self, member: Member) -> Period:
        """Put a member who has none on some plan, which renews itself."""
        plan = self.chance.choice(self.model.plans)
        answer = await self._post(member, "users/subscription", {"subscriptionId": plan.id})
        answer.must_be(201)
        await self._began(member, plan.price, answer.data, periods=1)
        path = f"users/subscription/{member.id}/renewal"
        (await self._member_call(member, "PUT", path, json={"renews": True})).must_be(200)
        member.periods[-1].renews = True
        return member.periods[-1]

    async def subscribe(self) -> None:
        async with self._somebody() as member:
            await self._subscribe(member)

    async def _subscribe(self, member: Member) -> None:
        await self.look_at_plan(member)
        plan, latest = self.chance.choice(self.model.plans), member.latest
        key = new_key(self.chance)
        before = latest.unused(now()) if latest is not None else 0
        answer = await self._post(
            member, "users/subscription", {"subscriptionId": plan.id}, key=key
        )
        after = latest.unused(now()) if latest is not None else 0
        if latest is not None and latest.ends > now() and latest.plan is plan:
            answer.must_be("already_subscribed")
            return
        may: list[int | str] = [201] if member.high + before >= plan.price else []
        may += ["insufficient_funds"] if member.low + after < plan.price else []
        answer.must_be(*may)
        if answer.status == 201:
            await self._began(member, plan.price, answer.data, periods=1)

    async def _began(
        self, member: Member, amount: int, said: dict[str, Any], *, periods: int
    ) -> None:
        """Tell the model of a period that was bought or given, as its member reads it."""
        answer = await self._member_call(member, "GET", f"users/subscription/{member.id}")
        newest = answer.data[0]
        plan = next(one for one in self.model.plans if one.id == newest["subscriptionId"])
        starts = datetime.fromisoformat(said["startsAt"])
        ends = plan.end(starts, periods)
        period = Period(
            member, newest["id"], plan, starts, ends, starts, amount, is_gift=amount == 0
        )
        credited = self.model.follow(period)
        if "credited" in said:
            assert kobo(said["credited"]) == credited, f"{said} credited, not {credited}"
        assert datetime.fromisoformat(said["endsAt"]) == ends, f"{said} ends at {ends}"
        self._is_period(newest, period)

    async def give_plan(self) -> None:
        async with self._somebody() as member:
            await self.look_at_plan(member)
            plan, latest = self.chance.choice(self.model.plans), member.latest
            periods, replaces = self.chance.randint(1, 3), self.chance.random() < 0.5
            runs = latest is not None and latest.ends > now()
            answer = await self._office(
                f"members/{member.id}/gift",
                {"planId": plan.id, "periods": periods, "replace": replaces, "reason": "Thanks"},
            )
            if latest is not None and runs and latest.plan is plan:
                answer.must_be("already_subscribed")
            elif latest is not None and runs and latest.amount and not replaces:
                answer.must_be("plan_running")
            else:
                answer.must_be(201)
                await self._began(member, 0, answer.data, periods=periods)

    async def wish_renewal(self) -> None:
        takes_any = self.chance.random() < 0.2
        async with self._one(
            lambda member: [member] if takes_any or member.latest is not None else []
        ) as member:
            await self.look_at_plan(member)
            latest, wish = member.latest, self.chance.random() < 0.85
            answer = await self._member_call(
                member, "PUT", f"users/subscription/{member.id}/renewal", json={"renews": wish}
            )
            if latest is None:
                answer.must_be("no_current_plan")
                return
            is_in_grace = latest.ends <= now()
            # It has no key: the try whose answer was lost may have ended the plan.
            ended_before = answer.tries > 1 and is_in_grace and not wish
            answer.must_be(200, *(["no_current_plan"] if ended_before else []))
            latest.renews = wish
            if is_in_grace and not wish:
                latest.is_over = True

    # Fundings

    async def _prepare(self, member: Member, *, gateway: str | None = None) -> Funding | None:
        """Open a checkout; None when the day has no room for it."""
        gateway = gateway or self.chance.choice(list(self.place.providers))
        amount = self.chance.choice(
            (self.chance.randint(100_00, 20_000_00), self.chance.randint(20_000_00, 90_000_00))
        )
        body = {"amount": naira(amount), "userId": member.id, "gateway": gateway}

        async def free_key() -> None:
            await self._let_opening_pass(member)

        answer = await self._post(member, "payment/prepare-wallet-funding", body, on_break=free_key)
        has_room = member.used_today + amount <= self.model.daily_limit
        if self.model.is_another_day:
            answer.must_be(200, "validation_failed")
        else:
            answer.must_be(200 if has_room else "validation_failed")
        if answer.status != 200:
            self.place.counts["over the day's limit"] += 1
            return None
        data = answer.data
        code = data["access_code"] or data["link"].rpartition("/")[2]
        funding = Funding(member, data["reference"], gateway, amount, code)
        member.fundings.append(funding)
        return funding

    async def _let_opening_pass(self, member: Member) -> None:
        """Let half a minute pass for the checkout that a killed server was just opening.

        For so long the key is held for the server that may still be at it.
        """
        found = await self.callers.office(
            self._operator(), "GET", "fundings", params={"q": member.id, "state": "prepared"}
        )
        known = {one.reference for one in member.fundings}
        for row in found.data["rows"]:
            if row["reference"] not in known and row["member"]["id"] == member.id:
                await self.callers.call(
                    "POST",
                    "/api/v1/dev/age",
                    json={
                        "kind": "funding",
                        "id": row["reference"],
                        "seconds": TRIED_BEFORE_SECONDS,
                    },
                )

    async def _pay(self, funding: Funding, *, amount: int | None = None) -> None:
        """Pay at the provider, whole or another amount; its report goes into the bag."""
        client = self.place.providers[funding.gateway]
        if funding.gateway == "paystack":
            paid = await self._charge(funding, PAYING)
            assert paid["status"] == "success", paid
        elif amount is None:
            answer = await client.post(f"/v3/hosted/pay/{funding.code}/pay")
            assert answer.status_code == 303, answer.text
        else:
            body = {"status": "successful", "amount": naira(amount)}
            answer = await client.post(f"/_sandbox/{funding.reference}", json=body)
            assert answer.status_code == 200, answer.text
            funding.pays_less = True
        await self.place.bag.report_of(funding.reference)
        funding.is_paid = True

    async def _charge(self, funding: Funding, card: str) -> dict[str, Any]:
        client = self.place.providers["paystack"]
        view = await client.get(f"/transaction/verify_access_code/{funding.code}")
        form = {"trans": view.json()["data"]["id"], "clientdata": card}
        answer: dict[str, Any] = (await client.post("/charge/", data=form)).json()
        return answer

    async def _settled(self, funding: Funding, *, asks: bool = False) -> None:
        """Tell the model what a paid funding became; its member may ask."""
        may = self.model.expected_of(funding)
        if len(may) > 1:
            await self._ask_at_desk(funding)
            return
        (state,) = may
        if asks:
            said = {"success": "succeeded", "failed": "review"}[await self._verify(funding)]
            assert said == state, f"{funding.reference} {said}, not {state}"
        self.model.settle(funding, state)

    async def _ask_at_desk(self, funding: Funding) -> None:
        may = self.model.expected_of(funding)
        answer = await self._office(f"fundings/{funding.reference}/ask")
        answer.must_be(200)
        assert answer.data["state"] in may, f"{funding.reference} is {answer.data}, not {may}"
        self.model.settle(funding, answer.data["state"])

    async def _verify(self, funding: Funding) -> str:
        """Ask as a member does, until the answer is no longer that it is undecided."""
        async with asyncio.timeout(VERIFY_SECONDS):
            while True:
                answer = await self._member_call(
                    funding.member, "GET", f"payment/verify-transaction/{funding.reference}"
                )
                answer.must_be(200)
                if (status := str(answer.data["status"])) != "pending":
                    return status
                await asyncio.sleep(0.5)

    async def fund(self) -> None:
        """The report comes at once."""
        async with self._somebody() as member:
            funding = await self._prepare(member)
            if funding is None:
                return
            await self._pay(funding)
            await self._deliver(funding)
            await self._settled(funding, asks=self.chance.random() < 0.3)

    async def _deliver(self, funding: Funding) -> None:
        report = await self.place.bag.report_of(funding.reference)
        (await self.callers.report(report)).must_be(200)

    async def fund_reported_twice(self) -> None:
        """Two reports, the member and the payer's browser come at once, and a third one later."""
        async with self._somebody() as member:
            funding = await self._prepare(member)
            if funding is None:
                return
            await self._pay(funding)
            await asyncio.gather(
                self._deliver(funding),
                self._deliver(funding),
                self._come_back(funding),
                self._verify(funding),
            )
            await self._settled(funding)
            await self._deliver(funding)

    async def _come_back(self, funding: Funding) -> None:
        name = "reference" if funding.gateway == "paystack" else "tx_ref"
        answer = await self.callers.call(
            "GET",
            f"/api/v1/payment/callback/{funding.gateway}",
            params={name: funding.reference},
        )
        answer.must_be(200)

    async def fund_reported_late(self) -> None:
        """The report stays in the bag; another event delivers it, if nobody asks before."""
        await self._fund_unreported("late")

    async def fund_reported_never(self) -> None:
        """The report is lost; somebody asks later."""
        await self._fund_unreported("lost")

    async def _fund_unreported(self, why: str) -> None:
        async with self._somebody() as member:
            funding = await self._prepare(member)
            if funding is not None:
                await self._pay(funding)
                self.place.counts[f"report {why}"] += 1

    @staticmethod
    def _ripe(member: Member) -> list[Funding]:
        return [one for one in member.fundings if one.is_ripe]

    async def deliver_late_report(self) -> None:
        async with self._one(self._ripe) as funding:
            await self._deliver(funding)
            await self._settled(funding)

    async def deliver_again(self) -> None:
        """A report comes again long after its payment was settled: nothing may follow."""
        async with self._one(
            lambda member: [one for one in member.fundings[-30:] if one.is_paid]
        ) as funding:
            if funding.state == "open":
                raise NotNowError
            await self._deliver(funding)

    async def ask_about_unreported(self) -> None:
        async with self._one(self._ripe) as funding:
            await self.ask_about(funding)

    async def ask_about(self, funding: Funding) -> None:
        """Find a payment whose report did not come: the member, the payer or an operator asks."""
        who = self.chance.randint(1, 3)
        if who == 1:
            await self._ask_at_desk(funding)
            return
        if who == 2:
            await self._come_back(funding)
        await self._settled(funding, asks=True)

    async def forge_report(self) -> None:
        """Somebody else reports that a checkout was paid."""
        async with self._one(
            lambda member: [one for one in member.fundings if not one.is_paid]
        ) as funding:
            data: dict[str, Any] = {"id": self.chance.getrandbits(40), "currency": "NGN"}
            if funding.gateway == "paystack":
                data |= {"reference": funding.reference, "amount": funding.amount}
                data |= {"status": "success", "domain": "test"}
                body = json.dumps({"event": "charge.success", "data": data}).encode()
                key = f"{self.place.paystack_key}x"
                signature = self.chance.choice(
                    (sign(body, key), sign(body + b" ", self.place.paystack_key), "")
                )
                headers = {"x-paystack-signature": signature}
            else:
                data |= {"tx_ref": funding.reference, "amount": naira(funding.amount)}
                data |= {"status": "successful"}
                body = json.dumps({"event": "charge.completed", "data": data}).encode()
                headers = {"verif-hash": "guessed"}
            answer = await self.callers.report(Report(funding.gateway, body, headers))
            answer.must_be("invalid_signature")

    async def pretend_paid(self) -> None:
        """A report with the right hash, which is no secret of the bytes, of what nobody paid."""
        async with self._one(
            lambda member: [
                one for one in member.fundings if not one.is_paid and one.gateway == "flutterwave"
            ]
        ) as funding:
            hashes = {"verif-hash": self.place.flutterwave_hash}
            data = {"id": 7, "tx_ref": funding.reference, "status": "successful"}
            data |= {"amount": naira(funding.amount), "currency": "NGN"}
            body = json.dumps({"event": "charge.completed", "data": data}).encode()
            answer = await self.callers.report(Report("flutterwave", body, hashes))
            answer.must_be(200)

    async def fund_and_fail(self) -> None:
        """The provider declines; the checkout stays, and may be paid after all."""
        async with self._somebody() as member:
            funding = await self._prepare(member)
            if funding is None:
                return
            if funding.gateway == "paystack":
                declined = await self._charge(funding, DECLINED)
                assert declined["status"] != "success"
            else:
                client = self.place.providers["flutterwave"]
                await client.post(f"/v3/hosted/pay/{funding.code}/fail")
                await self._deliver(funding)
            assert await self._verify(funding) == "failed"
            self.place.bag.forget(funding.reference)
            if self.chance.random() < 0.3:
                await self._pay(funding)
                await self._deliver(funding)
                await self._settled(funding)

    async def fund_and_cancel(self) -> None:
        """The member closes the checkout; some have paid, or pay all the same."""
        async with self._somebody() as member:
            funding = await self._prepare(member)
            if funding is None:
                return
            answer = await self._post(
                member, "payment/cancel-funding", {"reference": funding.reference}
            )
            answer.must_be(200)
            funding.is_cancelled = True
            if self.chance.random() < 0.5:
                await self._pay(funding)
                await self._deliver(funding)
                await self._settled(funding)
                again = await self._post(
                    member, "payment/cancel-funding", {"reference": funding.reference}
                )
                again.must_be("wrong_state")

    async def fund_another_amount(self) -> None:
        """The provider took less than was asked for: a person decides."""
        async with self._somebody() as member:
            funding = await self._prepare(member, gateway="flutterwave")
            if funding is None:
                return
            await self._pay(funding, amount=max(1, funding.amount // 2))
            await self._deliver(funding)
            await self._settled(funding)

    # What a person decides

    async def review(self) -> None:
        open_reviews = [one for one in self.model.reviews[-300:] if one.state == "open"]
        async with self._held(open_reviews, lambda one: one.member) as review:
            if review.state != "open":
                raise NotNowError
            if review.id is None:
                await self._find_review(review)
            operator, accepts = self._operator(), self.chance.random() < 0.7
            deed = "accept" if accepts else "refuse"
            answer = await self._office(
                f"review-cases/{review.id}/{deed}", {"reason": "Seen"}, operator=operator
            )
            if accepts and review.kind == "amount":
                answer.must_be(202)
                self._proposed(answer, operator, review.member, review, review.amount)
                return
            answer.must_be(200)
            if accepts:
                self.model.accept(review)
            else:
                review.state = "refused"

    async def _find_review(self, review: Review) -> None:
        known = {one.id for one in self.model.reviews}
        before: str | None = None
        while True:
            params = {"limit": "100", "state": "open"} | ({"before": before} if before else {})
            page = await self.callers.office(self._operator(), "GET", "review-cases", params=params)
            for row in page.data["rows"]:
                named = (row["subject"], row["kind"], kobo(row["amount"]))
                if named == (review.subject, review.kind, review.amount) and row["id"] not in known:
                    review.id = row["id"]
                    return
            before = page.data["next"]
            assert before, f"{review} is not listed"

    async def adjust(self) -> None:
        await self._adjust(self.chance.randint(1, 2_000_00))

    async def adjust_much(self) -> None:
        await self._adjust(self.chance.randint(ADJUSTMENT_LIMIT + 1, 3 * ADJUSTMENT_LIMIT))

    async def _adjust(self, size: int) -> None:
        operator = self._operator()
        async with self._somebody() as member, operator.lock:
            amount = size * self.chance.choice((1, 1, -1))
            alone = self.model.alone[operator.number] + size
            waits = size > ADJUSTMENT_LIMIT or alone > ADJUSTMENT_DAY_LIMIT
            may: list[int | str] = []
            if member.high + amount >= 0:
                may.append(202 if waits else 201)
            if member.low + amount < 0:
                may.append("insufficient_funds")
            body = {"amount": naira(amount), "category": "goodwill", "reason": "Sorry"}
            answer = await self._office(f"members/{member.id}/adjustments", body, operator=operator)
            if self.model.is_another_day:
                may += [201, 202]
            answer.must_be(*may)
            if answer.status == 201:
                self.model.alone[operator.number] += size
                member.balance += amount
                self._is_said(member, answer.data["balance"])
            elif answer.status == 202:
                self._proposed(answer, operator, member, None, amount)

    def _proposed(
        self,
        answer: Answer,
        operator: Operator,
        member: Member,
        wanted: Case | Review | Debt | None,
        amount: int,
    ) -> None:
        said = answer.data["approval"]
        self.model.approvals.append(
            Approval(
                said["id"], said["digest"], said["kind"], operator.number, member, wanted, amount
            )
        )

    async def _decide(
        self, approval: Approval, operator: Operator, *, decision: str, digest: str | None = None
    ) -> Answer:
        body = {
            "digest": digest or approval.digest,
            "decision": decision,
            "reason": "Looked at",
        }
        return await self._office(f"approvals/{approval.id}/decide", body, operator=operator)

    @asynccontextmanager
    async def _approval(self) -> AsyncIterator[Approval]:
        waiting = [one for one in self.model.approvals[-200:] if one.state == "open"]
        async with self._held(waiting, lambda one: one.member) as approval:
            if approval.state != "open":
                raise NotNowError
            yield approval

    async def decide(self) -> None:
        async with self._approval() as approval:
            operator = self._operator(but=approval.proposer)
            decision = "approve" if self.chance.random() < 0.75 else "refuse"
            may: list[int | str] = self._judge(approval) if decision == "approve" else [200]
            if approval.days >= APPROVAL_DAYS:
                may = ["wrong_state"]
            answer = await self._decide(approval, operator, decision=decision)
            answer.must_be(*may)
            if approval.days >= APPROVAL_DAYS:
                approval.state = "expired"
                self.model.happened["approvals expired"] += 1
            elif answer.status == 200:
                approval.state = decision
                if decision == "approve":
                    self._execute(approval)

    def _judge(self, approval: Approval) -> list[int | str]:
        """Return what may come of approving, by the rules of what was proposed."""
        wanted, member = approval.wanted, approval.member
        match wanted:
            case None:
                may: list[int | str] = [200] if member.high + approval.amount >= 0 else []
                short = member.low + approval.amount < 0
                return [*may, "insufficient_funds"] if short else may
            case Case():
                if wanted.state != "asked":
                    return ["wrong_state"]
                return ["refund_too_much"] if self.model.is_too_much(wanted) else [200]
            case Debt():
                fits = wanted.state == "open" and wanted.left == approval.amount
                return [200 if fits else "wrong_state"]
            case Review():
                return [200 if wanted.state == "open" else "wrong_state"]

    def _execute(self, approval: Approval) -> None:
        match approval.wanted:
            case None:
                approval.member.balance += approval.amount
            case Case() as case:
                self.model.send(case)
            case Debt() as debt:
                self.model.close_debt(debt, "written_off", "refused")
            case Review() as review:
                self.model.accept(review)

    async def decide_own(self) -> None:
        async with self._approval() as approval:
            proposer = self.place.operators[approval.proposer]
            answer = await self._decide(approval, proposer, decision="approve")
            answer.must_be("own_proposal")

    async def decide_unread(self) -> None:
        async with self._approval() as approval:
            if approval.days >= APPROVAL_DAYS:
                raise NotNowError
            operator = self._operator(but=approval.proposer)
            answer = await self._decide(approval, operator, decision="approve", digest="0" * 64)
            answer.must_be("stale")

    # Disputes and chargebacks

    async def dispute(self) -> None:
        """A payer complains at their bank; that alone moves nothing."""
        async with self._one(
            lambda member: [
                one
                for one in member.fundings
                if one.state == "succeeded" and one.gateway == "paystack"
            ]
        ) as funding:
            number = self.chance.getrandbits(40)
            status = "awaiting-merchant-feedback"
            await self._report_dispute(funding, number, "create", status)
            self.model.disputes[str(number)] = False
            if self.chance.random() < 0.5:
                await self._report_dispute(funding, number, "resolve", "resolved")
                self.model.disputes[str(number)] = True

    async def _report_dispute(self, funding: Funding, number: int, step: str, status: str) -> None:
        data = {
            "id": number,
            "status": status,
            "resolution": "declined" if status == "resolved" else None,
            "transaction": {"reference": funding.reference, "amount": funding.amount},
        }
        body = json.dumps({"event": f"charge.dispute.{step}", "data": data}).encode()
        headers = {"x-paystack-signature": sign(body, self.place.paystack_key)}
        (await self.callers.report(Report("paystack", body, headers))).must_be(200)

    async def charge_back(self) -> None:
        async with self._one(
            lambda member: [one for one in member.fundings[-30:] if one.state != "review"]
        ) as funding:
            if funding.is_ripe:
                raise NotNowError
            await self._charge_back_of(funding, self.chance.randint(1, funding.amount))

    async def _charge_back_of(self, funding: Funding, amount: int) -> None:
        left = funding.amount - funding.charged_back
        case_id = f"CB{self.chance.getrandbits(60)}"
        low, high = funding.member.low, funding.member.high
        answer = await self._charge_back(funding, case_id, amount)
        if funding.state != "succeeded":
            answer.must_be("wrong_state")
            return
        answer.must_be(201 if amount <= left else "chargeback_too_much")
        if answer.status == 201:
            taken = kobo(answer.data["taken"])
            assert min(amount, low) <= taken <= min(amount, high), f"{taken} of {low}..{high}"
            assert kobo(answer.data["debt"]) == amount - taken
            debt = self.model.charge_back(funding, case_id, amount, taken)
            if debt is not None:
                debt.review.id = answer.data["reviewCaseId"]

    async def _charge_back(self, funding: Funding, case_id: str, amount: int) -> Answer:
        return await self._office(
            "chargebacks",
            {
                "fundingReference": funding.reference,
                "amount": naira(amount),
                "caseId": case_id,
                "reason": "The bank took it",
            },
        )

    async def charge_back_what_is_spent(self) -> None:
        """More than the wallet holds: the rest is a debt."""

        def spent(member: Member) -> list[Funding]:
            return [
                one
                for one in member.fundings
                if one.state == "succeeded" and one.amount - one.charged_back > member.high
            ]

        async with self._one(spent) as funding:
            await self._charge_back_of(funding, funding.amount - funding.charged_back)

    async def charge_back_again(self) -> None:
        async with self._held(self.model.cases_used[-50:], lambda used: used[0].member) as (
            funding,
            case_id,
        ):
            (await self._charge_back(funding, case_id.lower(), 1)).must_be("case_used")

    @asynccontextmanager
    async def _debt(self) -> AsyncIterator[Debt]:
        waiting = [one for one in self.model.debts if one.state == "open"]
        async with self._held(waiting, lambda one: one.member) as debt:
            if debt.state != "open":
                raise NotNowError
            if debt.id is None:
                await self._find_debt(debt)
            yield debt

    async def _find_debt(self, debt: Debt) -> None:
        before: str | None = None
        while True:
            params = {"limit": "100", "state": "open"} | ({"before": before} if before else {})
            page = await self.callers.office(self._operator(), "GET", "debts", params=params)
            for row in page.data["rows"]:
                if row["caseId"] == debt.case_id:
                    assert kobo(row["debt"]) == debt.left
                    debt.id = row["id"]
                    return
            before = page.data["next"]
            assert before, f"{debt} is not listed"

    async def collect(self) -> None:
        async with self._debt() as debt:
            low, high = debt.member.low, debt.member.high
            answer = await self._office(f"debts/{debt.id}/collect", {"reason": "Owed"})
            answer.must_be(200)
            taken = kobo(answer.data["taken"])
            assert min(debt.left, low) <= taken <= min(debt.left, high), f"{taken} of {debt}"
            self.model.collect(debt, taken)
            assert kobo(answer.data["debt"]) == debt.left

    async def write_off(self) -> None:
        async with self._debt() as debt:
            operator = self._operator()
            answer = await self._office(
                f"debts/{debt.id}/write-off", {"reason": "Lost"}, operator=operator
            )
            answer.must_be(202)
            self._proposed(answer, operator, debt.member, debt, debt.left)

    # Reading

    async def receipt(self) -> None:
        def subjects(member: Member) -> list[Order | Period | Funding]:
            fundings = [
                one for one in member.fundings[-10:] if one.state != "review" and not one.is_ripe
            ]
            return [*member.orders[-10:], *member.periods[-3:], *fundings]

        async with self._one(subjects) as subject:
            name, net = self._paid_by(subject)
            answer = await self._member_call(subject.member, "GET", f"receipts/{name}")
            answer.must_be("not_paid" if net is None else 200)
            if net is not None:
                number = self.model.receipts.setdefault(name, answer.data["number"])
                assert number == answer.data["number"], f"{name} has two receipts"
                assert kobo(answer.data["net"]) == net, f"{name}: {answer.data['net']}, not {net}"

    @staticmethod
    def _paid_by(subject: Order | Period | Funding) -> tuple[str, int | None]:
        """Return the name of a receipt, and what was paid and did not go back, None for nothing."""
        match subject:
            case Order():
                net = subject.total - subject.refunded if subject.is_paid else None
                return f"order/{subject.id}", net
            case Period():
                net = subject.amount - subject.refunded if subject.amount else None
                return f"subscription/{subject.id}", net
            case Funding():
                net = subject.amount if subject.state == "succeeded" else None
                return f"funding/{subject.reference}", net

    async def read_wallet(self) -> None:
        async with self._somebody() as member:
            answer = await self._member_call(member, "GET", f"payment/wallet-balance/{member.id}")
            self._is_said(member, answer.data["balance"])


Event = Callable[[Events], Coroutine[Any, Any, None]]
# What happens, and how often in a thousand.
MIX: dict[str, tuple[int, Event]] = {
    event.__name__.replace("_", " "): (weight, event)
    for weight, event in (
        (70, Events.fund),
        (45, Events.fund_reported_twice),
        (30, Events.fund_reported_late),
        (25, Events.fund_reported_never),
        (28, Events.deliver_late_report),
        (22, Events.ask_about_unreported),
        (15, Events.deliver_again),
        (20, Events.forge_report),
        (8, Events.pretend_paid),
        (18, Events.fund_and_fail),
        (16, Events.fund_and_cancel),
        (14, Events.fund_another_amount),
        (85, Events.order_wallet),
        (12, Events.order_twice_with_one_key),
        (100, Events.order_transfer),
        (8, Events.order_at_another_price),
        (8, Events.order_with_a_used_key),
        (20, Events.confirm),
        (14, Events.confirm_part),
        (10, Events.confirm_too_much),
        (14, Events.confirm_late),
        (8, Events.confirm_again),
        (30, Events.cancel),
        (16, Events.cancel_for_club),
        (40, Events.ship),
        (25, Events.deliver),
        (12, Events.race_cancel_confirm),
        (10, Events.race_cancel_ship),
        (12, Events.race_for_the_purse),
        (30, Events.ask_refund),
        (8, Events.ask_too_much),
        (12, Events.ask_plan_refund),
        (26, Events.send_refund),
        (8, Events.race_refund),
        (8, Events.refuse_refund),
        (35, Events.subscribe),
        (14, Events.give_plan),
        (30, Events.wish_renewal),
        (14, Events.review),
        (20, Events.adjust),
        (20, Events.adjust_much),
        (24, Events.decide),
        (6, Events.decide_own),
        (6, Events.decide_unread),
        (10, Events.dispute),
        (8, Events.charge_back),
        (14, Events.charge_back_what_is_spent),
        (6, Events.charge_back_again),
        (8, Events.collect),
        (6, Events.write_off),
        (25, Events.receipt),
        (25, Events.read_wallet),
    )
}
ALWAYS_POSSIBLE = "order wallet"
