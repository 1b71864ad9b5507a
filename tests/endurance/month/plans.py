"""Plans: bought, given, renewed, ended."""

from datetime import datetime
from typing import Any

from tests.endurance.month.actor import Actor
from tests.endurance.month.callers import (
    kobo,
    new_key,
)
from tests.endurance.month.model import (
    GRACE,
    Member,
    Period,
    now,
)


class PlanEvents(Actor):
    """Events of plans."""

    async def check_plan(self, member: Member, *, has_job_run: bool = False) -> None:
        """Record in the model what followed a period that is over."""
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
                assert member.held < due.plan.price, f"period {due.id} was not renewed"
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
        """Start a plan that renews automatically for a member without one."""
        plan = self.chance.choice(self.model.plans)
        answer = await self._post(member, "users/subscription", {"subscriptionId": plan.id})
        answer.must_be(201)
        await self._began(member, plan.price, answer.data, periods=1)
        path = f"users/subscription/{member.id}/renewal"
        (await self._member_call(member, "PUT", path, json={"renews": True})).must_be(200)
        member.periods[-1].renews = True
        return member.periods[-1]

    async def subscribe(self) -> None:
        async with self._any_member() as member:
            await self._subscribe(member)

    async def _subscribe(self, member: Member) -> None:
        await self.check_plan(member)
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
        """Record a bought or given period in the model, as its member reads it."""
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
        async with self._any_member() as member:
            await self.check_plan(member)
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
            await self.check_plan(member)
            latest, wish = member.latest, self.chance.random() < 0.85
            answer = await self._member_call(
                member, "PUT", f"users/subscription/{member.id}/renewal", json={"renews": wish}
            )
            if latest is None:
                answer.must_be("no_current_plan")
                return
            is_in_grace = latest.ends <= now()
            # It has no key: the try with the lost response may have ended the plan.
            ended_before = answer.breaks > 0 and is_in_grace and not wish
            answer.must_be(200, *(["no_current_plan"] if ended_before else []))
            latest.renews = wish
            if is_in_grace and not wish:
                latest.is_over = True
