"""Bank transfers, as operators confirm them: in full, in part, too much, late, repeated."""

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import datetime

from tests.endurance.month.actor import NotNowError
from tests.endurance.month.callers import (
    Answer,
    Operator,
    kobo,
    naira,
)
from tests.endurance.month.model import (
    CREDIT_LIMIT,
    DAY,
    Member,
    Order,
    now,
)
from tests.endurance.month.orders import OrderEvents

BANK = "058"


class TransferEvents(OrderEvents):
    """Events of orders that wait for a bank transfer."""

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
        return f"KF{self.chance.getrandbits(80):020X}"

    async def _confirm(self, order: Order, amount: int, reference: str) -> Answer:
        paid_on = self.model.began_on.isoformat()
        body = {"bank": BANK, "reference": reference, "amount": naira(amount), "paidOn": paid_on}
        operator = self._operator()
        path = f"orders/{order.id}/confirm-transfer"
        answer = await self._office(path, body, operator=operator)
        if answer.status == 202:  # for the wallet, and above what one person may credit
            assert amount > CREDIT_LIMIT, f"{amount} for {order.id} waits for a second person"
            answer = await self._agreed(order, amount, operator, answer)
        if answer.status == 200:
            self.model.bank_references.append(reference)
        return answer

    async def _agreed(
        self, order: Order, amount: int, operator: Operator, proposed: Answer
    ) -> Answer:
        said = proposed.data["approval"]
        assert said["reasons"] == ["limit"], said
        self._proposed(proposed, operator, order.member, None, amount)
        self.model.approvals[-1].state = "approve"
        second = self._operator(but=operator.number)
        body = {"digest": said["digest"], "decision": "approve", "reason": "Seen at the bank"}
        decided = await self._office(f"approvals/{said['id']}/decide", body, operator=second)
        decided.must_be(200)
        return replace(decided, data=decided.data["result"])

    async def _confirmed(self, order: Order, amount: int, answer: Answer) -> None:
        """Record a confirmed bank transfer in the model."""
        outcome, member = answer.data["outcome"], order.member
        when = "" if order.status == "pending" and not order.is_due else ", late"
        over_if_pending = order.waiting + amount - order.total
        is_pending = outcome == "short" or kobo(answer.data["surplus"]) == over_if_pending
        if order.is_due and (outcome == "wallet" or not is_pending):
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
        self.place.counts[f"transfer: {outcome}{when}"] += 1

    async def _read_time_to_pay(self, member: Member, order: Order) -> None:
        """After a part, the rest has at least a day, or all the original time."""
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
            wanted = min(amount(order), 2 * order.total)  # more is unlikely, and entered twice
            answer = await self._confirm(order, wanted, self._bank_reference())
            answer.must_be(200)
            outcomes = self.model.outcomes_of(order, wanted)
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
        """A bank's reference counts once, in any spelling."""
        if not self.model.bank_references:
            raise NotNowError
        reference = self.chance.choice(self.model.bank_references[-50:])
        async with self._one(self._waiting_orders) as order:
            if order.is_due:
                raise NotNowError
            written = f" {reference[:7].lower()} {reference[7:]}"
            answer = await self._confirm(order, order.total, written)
            answer.must_be("bank_reference_used")

    async def race_cancel_confirm(self) -> None:
        """A member cancels while an operator confirms the full transfer."""
        async with self._one(self._waiting_orders) as order:
            await self.check_order(order)
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
