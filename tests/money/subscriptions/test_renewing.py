"""Renewals: one charge per period, grace, ends, and the notifications of members."""

import asyncio
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any
from uuid import UUID

import pytest
from api.foundation.core import clock
from api.money.ledger_audit.repository.audit_run import broken_invariants_in
from api.money.subscriptions.errors import NoCurrentPlanError
from api.money.subscriptions.service import member_plans, reminding, renewing

from tests.conftest import RunningApp, SignedIn
from tests.money.subscriptions.place import offer_plan, subscribe, subscribe_at, transfers
from tests.money.subscriptions.test_plans import allows_battle

# Ahead of the scheduled jobs, which find nothing to do.
STARTS = datetime(2031, 1, 31, 11, tzinfo=UTC)  # noon in Lagos
ENDS = datetime(2031, 2, 28, 11, tzinfo=UTC)
HOUR = timedelta(hours=1)
RENEWED = ("subscription", -150_000)


@pytest.fixture
async def plan(app: RunningApp) -> UUID:
    return await offer_plan(app)


async def on_plan(
    app: RunningApp, member: SignedIn, plan_id: UUID, *, naira: int = 1500, renews: bool = True
) -> None:
    """Subscribe a member to a plan that ends at ``ENDS``, with ``naira`` left in the wallet."""
    await app.give(member, 1500)
    await subscribe_at(app, member, plan_id, STARTS)
    if naira:
        await app.give(member, naira)
    if renews:
        await renewing.set_renewal(app.database, member.id, renews=True, now=STARTS)


async def plan_state(app: RunningApp, member: SignedIn, now: datetime) -> tuple[str, str | None]:
    """Return whether the member is on a plan, and until when."""
    found = await member_plans.current_plan(app.database, member.id, now)
    return found.state.value, None if found.ends_at is None else found.ends_at.isoformat()


async def notification_kinds(member: SignedIn) -> list[str]:
    """Return the kinds of the member's notifications, oldest first."""
    rows = (await member.get("/api/v1/notifications")).json()["data"]["rows"]
    return [row["kind"] for row in reversed(rows) if row["kind"].startswith("plan_")]


async def history(member: SignedIn) -> list[dict[str, Any]]:
    answer = await member.get(f"/api/v1/users/subscription/{member.id}")
    assert answer.status_code == 200, answer.text
    rows: list[dict[str, Any]] = answer.json()["data"]
    return rows


async def test_a_plan_that_renews_goes_on_from_its_old_end_for_its_price(
    app: RunningApp, member: SignedIn, plan: UUID
) -> None:
    await on_plan(app, member, plan)

    assert await renewing.renew_due(app.database, ENDS - timedelta(seconds=1)) == 0
    assert await renewing.renew_due(app.database, ENDS + 5 * HOUR) == 1

    assert (await transfers(app, member))[-1] == RENEWED
    assert await app.balance(member) == 0
    assert await plan_state(app, member, ENDS + 5 * HOUR) == (
        "active",
        "2031-03-31T11:00:00+00:00",
    )
    renewed, first = await history(member)
    assert renewed["startsAt"] == first["endsAt"]
    assert await notification_kinds(member) == ["plan_renewed"]
    assert await broken_invariants_in(app.database) == []


async def test_ends_of_months_follow_the_day_of_the_first_start(
    app: RunningApp, member: SignedIn, plan: UUID
) -> None:
    await on_plan(app, member, plan, naira=7500)

    for day in ((2, 28), (3, 31), (4, 30), (5, 31), (6, 30)):
        await renewing.renew_due(app.database, datetime(2031, *day, 11, tzinfo=UTC))

    ends = [row["endsAt"][:10] for row in await history(member)]
    assert ends == [
        *("2031-07-31", "2031-06-30", "2031-05-31", "2031-04-30", "2031-03-31", "2031-02-28")
    ]


async def test_twenty_renewals_at_once_charge_once(live_server: RunningApp) -> None:
    ada = await live_server.member()
    await on_plan(live_server, ada, await offer_plan(live_server), naira=10_000)

    await asyncio.gather(*(renewing.renew_due(live_server.database, ENDS) for _ in range(20)))

    assert (await transfers(live_server, ada)).count(RENEWED) == 2
    assert len(await history(ada)) == 2
    assert await notification_kinds(ada) == ["plan_renewed"]


async def test_a_renewal_and_a_subscription_at_once_leave_one_plan_and_the_books_whole(
    live_server: RunningApp,
) -> None:
    ada = await live_server.member()
    plan_id = await offer_plan(live_server)
    await on_plan(live_server, ada, plan_id, naira=10_000)

    await asyncio.gather(
        *(renewing.renew_due(live_server.database, ENDS) for _ in range(5)),
        *(subscribe_at(live_server, ada, plan_id, ENDS) for _ in range(5)),
        return_exceptions=True,
    )

    assert (await transfers(live_server, ada)).count(RENEWED) == 2
    assert await broken_invariants_in(live_server.database) == []


async def test_without_the_wish_a_plan_ends_and_its_member_is_told_once(
    app: RunningApp, member: SignedIn, plan: UUID
) -> None:
    await on_plan(app, member, plan, renews=False)

    assert await plan_state(app, member, ENDS) == ("none", None)
    for _ in range(2):
        await renewing.renew_due(app.database, ENDS)

    assert await app.balance(member) == 1500
    assert await notification_kinds(member) == ["plan_ended"]


async def test_an_empty_wallet_is_waited_for_a_day_at_three_tries(
    app: RunningApp, member: SignedIn, plan: UUID
) -> None:
    await on_plan(app, member, plan, naira=0)
    tries = []
    for hours in (0, 1, 7, 8, 9, 16, 17, 23):
        tries.append(await renewing.renew_due(app.database, ENDS + hours * HOUR))
        state = await member_plans.current_plan(app.database, member.id, ENDS + hours * HOUR)
        assert state.state.value == "grace"
        assert state.grace_ends_at == ENDS + 24 * HOUR
        assert state.is_battle_zone_plan

    assert tries == [1, 0, 0, 1, 0, 1, 0, 0]
    assert await plan_state(app, member, ENDS + 24 * HOUR) == ("none", None)
    assert await renewing.renew_due(app.database, ENDS + 24 * HOUR) == 1
    await app.give(member, 5000)
    assert await renewing.renew_due(app.database, ENDS + 25 * HOUR) == 0
    assert await notification_kinds(member) == ["plan_grace", "plan_ended"]


async def test_a_credit_in_grace_renews_from_the_old_end(
    app: RunningApp, member: SignedIn, plan: UUID
) -> None:
    await on_plan(app, member, plan, naira=1000)
    await renewing.renew_due(app.database, ENDS)
    await app.give(member, 499)
    assert await renewing.renew_due(app.database, ENDS + HOUR) == 0
    await app.give(member, 1)

    assert await renewing.renew_due(app.database, ENDS + 2 * HOUR) == 1

    assert await plan_state(app, member, ENDS + 2 * HOUR) == (
        "active",
        "2031-03-31T11:00:00+00:00",
    )
    assert await notification_kinds(member) == ["plan_grace", "plan_renewed"]


async def test_a_worker_that_was_away_for_more_than_a_day_charges_nobody(
    app: RunningApp, member: SignedIn, plan: UUID
) -> None:
    await on_plan(app, member, plan)

    await renewing.renew_due(app.database, ENDS + 24 * HOUR)

    assert await app.balance(member) == 1500
    assert await notification_kinds(member) == ["plan_ended"]


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE plan SET hidden = true",
        "UPDATE plan SET amount_kobo = 0",
        "UPDATE user_account SET suspended_at = now()",
        "UPDATE user_account SET erased_at = now()",
    ],
)
async def test_what_cannot_go_on_ends(
    app: RunningApp, member: SignedIn, plan: UUID, change: str
) -> None:
    await on_plan(app, member, plan)
    await app.database.execute(change)

    assert await renewing.renew_due(app.database, ENDS) == 1

    assert (await transfers(app, member)).count(RENEWED) == 1
    assert await app.database.fetch_value("SELECT ended_at FROM subscription") == ENDS


async def test_a_refused_renewal_holds_nobody_up(
    app: RunningApp, member: SignedIn, rival: SignedIn, plan: UUID
) -> None:
    for one in (member, rival):
        await on_plan(app, one, plan, naira=5000)
    first = await app.database.fetch_value(
        "SELECT id FROM subscription WHERE user_id = $1", member.id
    )
    # Its reference is used by another transfer: the ledger refuses it.
    await app.database.execute(
        "SELECT post_wallet_transfer(gen_random_uuid(), $1, 'subscription', $2, -100, NULL)",
        member.id,
        f"renew:{first}",
    )

    assert await renewing.renew_due(app.database, ENDS) == 1

    assert (await plan_state(app, rival, ENDS))[0] == "active"


async def test_the_wish_is_off_at_first_and_after_a_switch_and_ends_grace(
    app: RunningApp, member: SignedIn, plan: UUID
) -> None:
    path = f"/api/v1/users/subscription/{member.id}/renewal"

    async def wish(*, renews: bool) -> dict[str, Any]:
        answer = await member.client.put(path, json={"renews": renews}, headers=member.headers)
        assert answer.status_code == 200, answer.text
        data: dict[str, Any] = answer.json()["data"]
        return data

    await app.give(member, 10_000)
    await subscribe(member, plan)
    first = (await member.get(f"/api/v1/users/plan/validate/{member.id}")).json()["data"]
    assert (first["state"], first["renews"], first["nextAmount"]) == ("active", False, 1500)
    assert (first["graceEndsAt"], first["gift"], first["priceChange"]) == (None, False, None)
    assert (await wish(renews=True))["renews"]
    assert (await wish(renews=True))["renews"]
    await subscribe(member, await offer_plan(app, "Terrace", amount_kobo=50_000, position=2))
    other = (await member.get(f"/api/v1/users/plan/validate/{member.id}")).json()["data"]
    assert (other["plan"], other["renews"]) == ("Terrace", False)
    assert (await wish(renews=True))["renews"]
    assert not (await wish(renews=False))["renews"]


async def test_in_grace_a_change_of_mind_ends_the_plan_at_once_and_for_good(
    app: RunningApp, member: SignedIn, plan: UUID
) -> None:
    await on_plan(app, member, plan, naira=0)
    await renewing.renew_due(app.database, ENDS)

    found = await renewing.set_renewal(app.database, member.id, renews=False, now=ENDS + HOUR)

    assert (found.state.value, found.subscription_id) == ("none", None)
    with pytest.raises(NoCurrentPlanError):
        await renewing.set_renewal(app.database, member.id, renews=True, now=ENDS + HOUR)
    await app.give(member, 1500)
    assert await renewing.renew_due(app.database, ENDS + 8 * HOUR) == 0
    assert await notification_kinds(member) == ["plan_grace", "plan_ended"]


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ("UPDATE subscription SET ended_at = ends_at", "no_current_plan"),
        ("UPDATE plan SET hidden = true", "plan_not_on_offer"),
        ("UPDATE plan SET amount_kobo = 0", "plan_cannot_renew"),
    ],
)
async def test_a_wish_that_cannot_be_is_refused(
    app: RunningApp, member: SignedIn, plan: UUID, change: str, code: str
) -> None:
    await app.give(member, 1500)
    await subscribe(member, plan)
    await app.database.execute(change)
    path = f"/api/v1/users/subscription/{member.id}/renewal"

    answer = await member.client.put(path, json={"renews": True}, headers=member.headers)

    assert (answer.status_code, answer.json()["error"]["code"]) == (409, code)


async def test_foreign_periods_and_wishes_are_not_found(member: SignedIn, rival: SignedIn) -> None:
    path = f"/api/v1/users/subscription/{rival.id}"
    wish = await member.client.put(f"{path}/renewal", json={"renews": True}, headers=member.headers)

    assert [(await member.get(path)).status_code, wish.status_code] == [404, 404]


@pytest.mark.parametrize("body", [{}, {"renews": 1}, {"renews": "true"}, {"renews": True, "x": 1}])
async def test_a_wish_that_does_not_fit_is_refused(member: SignedIn, body: Any) -> None:
    path = f"/api/v1/users/subscription/{member.id}/renewal"
    answer = await member.client.put(path, json=body, headers=member.headers)

    assert answer.status_code == 422


async def test_the_history_says_what_became_of_each_period(
    app: RunningApp, member: SignedIn, plan: UUID
) -> None:
    terrace = await offer_plan(app, "Terrace", amount_kobo=50_000, position=2)
    await app.give(member, 10_000)
    now = clock.now()
    await subscribe_at(app, member, terrace, now - timedelta(days=90))
    await subscribe_at(app, member, plan, now - timedelta(days=1))
    await subscribe_at(app, member, terrace, now - timedelta(seconds=1))

    rows = await history(member)

    assert [(row["plan"], row["state"], row["amount"]) for row in rows] == [
        ("Terrace", "active", 500),
        ("Battle Pass", "replaced", 1500),
        ("Terrace", "ended", 500),
    ]
    assert rows[0]["credited"] == rows[2]["credited"] == 0
    assert 1300 < rows[1]["credited"] < 1500
    assert set(rows[0]) == {
        *("id", "subscriptionId", "plan", "amount", "startsAt", "endsAt", "state"),
        *("renews", "gift", "credited"),
    }
    page = await member.get(
        f"/api/v1/users/subscription/{member.id}?limit=1&before={rows[0]['id']}"
    )
    assert [row["id"] for row in page.json()["data"]] == [rows[1]["id"]]


@pytest.mark.parametrize(("renews", "kind"), [(True, "plan_renewing"), (False, "plan_ending")])
async def test_three_days_before_the_end_a_member_is_told_once_what_follows(
    app: RunningApp, member: SignedIn, plan: UUID, renews: bool, kind: str
) -> None:
    await on_plan(app, member, plan, renews=renews)
    near = ENDS - timedelta(days=3)

    assert await reminding.remind_due(app.database, near - timedelta(seconds=1)) == 0
    await asyncio.gather(*(reminding.remind_due(app.database, near) for _ in range(5)))
    assert await reminding.remind_due(app.database, near + HOUR) == 0

    assert await notification_kinds(member) == [kind]


async def test_a_short_plan_is_not_reminded_of(app: RunningApp, member: SignedIn) -> None:
    plan_id = await offer_plan(app, duration=3, period="day")
    await app.give(member, 1500)
    await subscribe_at(app, member, plan_id, STARTS)

    assert await reminding.remind_due(app.database, STARTS + timedelta(days=2)) == 0


@pytest.mark.parametrize(("naira", "is_notified"), [(1499, True), (1500, False)])
async def test_an_hour_before_a_renewal_the_member_is_told_what_the_wallet_lacks(
    app: RunningApp, member: SignedIn, plan: UUID, naira: int, is_notified: bool
) -> None:
    await on_plan(app, member, plan, naira=naira)
    await reminding.remind_due(app.database, ENDS - 2 * HOUR)
    await reminding.remind_due(app.database, ENDS - HOUR)
    await reminding.remind_due(app.database, ENDS - HOUR / 2)

    assert ("plan_fund_to_keep" in await notification_kinds(member)) == is_notified
    if is_notified:
        rows = (await member.get("/api/v1/notifications")).json()["data"]["rows"]
        assert rows[0]["data"]["missing"] == 1


async def test_the_battle_zone_stays_open_in_grace_and_closes_after_it(
    app: RunningApp, member: SignedIn, plan: UUID
) -> None:
    await on_plan(app, member, plan, naira=0)

    allows = partial(allows_battle, app.database, member.id)

    assert await allows(ENDS + 23 * HOUR)
    assert not await allows(ENDS + 24 * HOUR)
    await renewing.set_renewal(app.database, member.id, renews=False, now=ENDS + HOUR)
    assert not await allows(ENDS + 2 * HOUR)
