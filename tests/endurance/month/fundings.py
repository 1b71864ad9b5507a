"""Fundings by two providers, whose reports arrive once, twice, late, never or forged."""

import asyncio
import json
from typing import Any

from api.dev.sandbox.paystack.webhooks import sign

from tests.endurance.month.actor import Actor, NotNowError
from tests.endurance.month.callers import (
    Report,
    naira,
)
from tests.endurance.month.model import (
    Funding,
    Member,
)

PAYING, DECLINED = "4084084084084081*408*12*30", "4084080000005408*001*12*30"
UNPAID = {"prepared", "pending", "failed", "cancelled"}
SHOWN = {"success": "succeeded"}  # otherwise the model has the displayed names
VERIFY_SECONDS = 240.0  # only a stuck one takes as long
TRIED_BEFORE_SECONDS = 30


class FundingEvents(Actor):
    """Events of fundings."""

    def _draw_amount(self) -> int:
        return self.chance.choice(
            (self.chance.randint(100_00, 20_000_00), self.chance.randint(20_000_00, 90_000_00))
        )

    async def _prepare(
        self, member: Member, *, gateway: str | None = None, amount: int | None = None
    ) -> Funding | None:
        """Open a checkout; None if the day's limit leaves no room for it."""
        gateway = gateway or self.chance.choice(list(self.place.providers))
        amount = amount or self._draw_amount()
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
        """Move the checkout that a killed server was opening half a minute into the past.

        The key is reserved that long for a server that may still be processing it.
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
        """Pay at the provider, in full or another amount; its report goes into the bag."""
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
        """Apply a paid funding's outcome to the model; its member may poll it."""
        may = self.model.expected_of(funding)
        if len(may) > 1:
            await self._ask_as_operator(funding)
            return
        (state,) = may
        if asks:
            said = {"success": "succeeded", "failed": "review"}[await self._verify(funding)]
            assert said == state, f"{funding.reference} {said}, not {state}"
        self.model.settle(funding, state)

    async def _ask_as_operator(self, funding: Funding) -> None:
        may = self.model.expected_of(funding)
        answer = await self._office(f"fundings/{funding.reference}/ask")
        answer.must_be(200)
        state = SHOWN.get(answer.data["state"], answer.data["state"])
        assert state in may, f"{funding.reference} is {answer.data}, not {may}"
        self.model.settle(funding, state)

    async def _verify(self, funding: Funding) -> str:
        """Poll as a member does, until the outcome is decided."""
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
        async with self._any_member() as member:
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
        async with self._any_member() as member:
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
        """The report stays in the bag; another event delivers it, unless the payment is polled
        before.
        """
        await self._fund_unreported("late")

    async def fund_reported_never(self) -> None:
        """The report is lost; the payment is polled later."""
        await self._fund_unreported("lost")

    async def _fund_unreported(self, why: str) -> None:
        async with self._any_member() as member:
            funding = await self._prepare(member)
            if funding is not None:
                await self._pay(funding)
                self.place.counts[f"report {why}"] += 1

    @staticmethod
    def _creditable(member: Member) -> list[Funding]:
        return [one for one in member.fundings if one.is_creditable]

    async def deliver_late_report(self) -> None:
        async with self._one(self._creditable) as funding:
            await self._deliver(funding)
            await self._settled(funding)

    async def deliver_again(self) -> None:
        """A report is repeated long after its payment was settled: it has no effect."""
        async with self._one(
            lambda member: [one for one in member.fundings[-30:] if one.is_paid]
        ) as funding:
            if funding.state == "open":
                raise NotNowError
            await self._deliver(funding)

    async def ask_about_unreported(self) -> None:
        async with self._one(self._creditable) as funding:
            await self.ask_about(funding)

    async def ask_about(self, funding: Funding) -> None:
        """Find a payment without a report: the member, the payer or an operator polls it."""
        who = self.chance.randint(1, 3)
        if who == 1:
            await self._ask_as_operator(funding)
            return
        if who == 2:
            await self._come_back(funding)
        await self._settled(funding, asks=True)

    async def forge_report(self) -> None:
        """A foreign report claims that a checkout was paid."""
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
        """A report with the right hash, which anyone can compute, of an unpaid checkout."""
        async with self._one(
            lambda member: [
                one for one in member.fundings if not one.is_paid and one.gateway == "flutterwave"
            ]
        ) as funding:
            hashes = {"verif-hash": self.place.flutterwave_hash}
            number = self.chance.getrandbits(40)
            data: dict[str, Any] = {"id": number, "tx_ref": funding.reference}
            data |= {"status": "successful", "amount": naira(funding.amount), "currency": "NGN"}
            body = json.dumps({"event": "charge.completed", "data": data}).encode()
            answer = await self.callers.report(Report("flutterwave", body, hashes))
            answer.must_be(200)
            await self._see_through(funding)

    async def _see_through(self, funding: Funding) -> None:
        """Check a report with a good hash that the provider denies: replayed, then ignored."""
        page = await self.callers.office(self._operator(), "GET", "webhooks")
        row = next(one for one in page.data["rows"] if one["reference"] == funding.reference)
        replayed = await self._office(f"webhooks/{row['id']}/replay")
        replayed.must_be(200)
        assert replayed.data["fundingState"] in UNPAID, f"{funding.reference} is {replayed.data}"
        ignored = await self._office(f"webhooks/{row['id']}/ignore", {"reason": "Nobody paid"})
        ignored.must_be(200)

    async def fund_and_fail(self) -> None:
        """The provider declines; the checkout stays, and may still be paid."""
        async with self._any_member() as member:
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

    async def _cancel_funding(self, funding: Funding) -> None:
        body = {"reference": funding.reference}
        (await self._post(funding.member, "payment/cancel-funding", body)).must_be(200)
        funding.is_cancelled = True

    async def fund_past_the_limit(self) -> None:
        """A cancelled checkout is paid when the day's limit leaves no room: set aside."""
        async with self._one(
            lambda member: [member] if 3 * member.used_today < self.model.daily_limit else []
        ) as member:
            half = self.model.daily_limit // 2
            let_go = await self._prepare(member, amount=half)
            if let_go is None:
                raise NotNowError
            await self._cancel_funding(let_go)
            rest = self.model.daily_limit - member.used_today - half // 2
            other = await self._prepare(member, amount=rest)
            for funding in (other, let_go):
                if funding is not None:
                    await self._pay(funding)
                    await self._deliver(funding)
                    await self._settled(funding, asks=True)

    async def fund_and_cancel(self) -> None:
        """The member closes the checkout; some have paid, or pay regardless."""
        async with self._any_member() as member:
            funding = await self._prepare(member)
            if funding is None:
                return
            await self._cancel_funding(funding)
            if self.chance.random() < 0.5:
                await self._pay(funding)
                await self._deliver(funding)
                await self._settled(funding)
                again = await self._post(
                    member, "payment/cancel-funding", {"reference": funding.reference}
                )
                again.must_be("wrong_state")

    async def fund_another_amount(self) -> None:
        """The provider received less than was requested: an operator decides."""
        async with self._any_member() as member:
            funding = await self._prepare(member, gateway="flutterwave")
            if funding is None:
                return
            await self._pay(funding, amount=max(1, funding.amount // 2))
            await self._deliver(funding)
            await self._settled(funding)
