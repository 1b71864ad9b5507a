"""Refunds: requested, sent, refused."""

import asyncio
from collections import Counter

from tests.endurance.month.actor import Actor, NotNowError
from tests.endurance.month.callers import (
    Answer,
    Operator,
    kobo,
    naira,
)
from tests.endurance.month.model import (
    Case,
    Member,
    Order,
    Period,
)


class RefundEvents(Actor):
    """Events of refunds of orders and plans."""

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
        if over or (takes_fee and order.fee > 0 and fee == 0):
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
        """Two operators send one refund concurrently: it is sent once."""
        async with self._one(
            lambda member: [one for one in member.orders[-20:] if one.is_paid and one.lines[0].left]
        ) as order:
            known = len(order.cases)
            await self._ask(order, {1: 1})
            if len(order.cases) == known or self.model.needs_second(order.cases[-1]):
                raise NotNowError
            case = order.cases[-1]
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
