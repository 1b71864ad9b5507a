"""Operators' decisions on money set aside, adjustments, and other operators' proposals."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tests.endurance.month.actor import Actor, NotNowError
from tests.endurance.month.callers import (
    Answer,
    Operator,
    kobo,
    naira,
)
from tests.endurance.month.model import (
    APPROVAL_DAYS,
    CREDIT_LIMIT,
    Approval,
    Case,
    Debt,
    Review,
)


class DecisionEvents(Actor):
    """Events of operators' decisions."""

    async def review(self) -> None:
        open_reviews = [one for one in self.model.reviews[-300:] if one.state == "open"]
        async with self._held(open_reviews, lambda one: one.member) as review:
            if review.kind == "chargeback_short":
                self._repay(review.member)
            if review.state != "open":
                raise NotNowError
            if review.id is None:
                await self._find_review(review)
            operator, accepts = self._operator(), self.chance.random() < 0.7
            record = "accept" if accepts else "refuse"
            answer = await self._office(
                f"review-cases/{review.id}/{record}", {"reason": "Seen"}, operator=operator
            )
            if accepts and self.model.needs_second_to_accept(review):
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
        await self._adjust(self.chance.randint(CREDIT_LIMIT + 1, 3 * CREDIT_LIMIT))

    async def _adjust(self, size: int) -> None:
        operator = self._operator()
        async with self._any_member() as member:
            amount = size * self.chance.choice((1, 1, -1))
            waits = size > CREDIT_LIMIT
            may: list[int | str] = []
            if member.high + amount >= 0:
                may.append(202 if waits else 201)
            if member.low + amount < 0:
                may.append("insufficient_funds")
            body = {"amount": naira(amount), "category": "goodwill", "reason": "Sorry"}
            answer = await self._office(f"members/{member.id}/adjustments", body, operator=operator)
            answer.must_be(*may)
            if answer.status == 201:
                member.balance += amount
                self._is_said(member, answer.data["balance"])
            elif answer.status == 202:
                self._proposed(answer, operator, member, None, amount)

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
            if isinstance(approval.wanted, Debt):
                self._repay(approval.member)
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
        """Return the possible results of approving, by the rules of the proposed action."""
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
                debt.close("written_off", "refused")
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
