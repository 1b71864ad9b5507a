"""Disputes, chargebacks, and the resulting debts."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from api.dev.sandbox.paystack.webhooks import sign

from tests.endurance.month.actor import Actor, NotNowError
from tests.endurance.month.callers import (
    Answer,
    Report,
    kobo,
    naira,
)
from tests.endurance.month.model import (
    Debt,
    Funding,
    Member,
)


class ChargebackEvents(Actor):
    """Events of disputed payments."""

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
            if funding.is_creditable:
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
            self._repay(debt.member)
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
        """There is nothing to collect where all income repays debts first."""
        async with self._debt() as debt:
            answer = await self._office(f"debts/{debt.id}/collect", {"reason": "Owed"})
            answer.must_be(200)
            assert kobo(answer.data["taken"]) == 0, f"{debt}"
            assert kobo(answer.data["debt"]) == debt.left

    async def write_off(self) -> None:
        async with self._debt() as debt:
            operator = self._operator()
            answer = await self._office(
                f"debts/{debt.id}/write-off", {"reason": "Lost"}, operator=operator
            )
            answer.must_be(202)
            self._proposed(answer, operator, debt.member, debt, debt.left)
