"""Subscribing: money, period and key change together, once."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import asyncpg
import pytest
from api.foundation.core.ids import new_id
from api.foundation.database.errors import DatabaseRefusal
from api.money.ledger_audit.repository.audit_run import broken_invariants_in
from api.money.subscriptions.errors import AlreadySubscribedError, PlanTakenBeforeError
from api.money.wallet.errors import InsufficientFundsError
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from tests.conftest import RunningApp, SignedIn
from tests.money.subscriptions.place import (
    SUBSCRIBE,
    offer_plan,
    subscribe,
    subscribe_at,
    transfers,
)
from tests.shop.carts import cart

NOON = datetime(2026, 4, 1, 11, tzinfo=UTC)  # noon in Lagos


async def count(app: RunningApp, table: str) -> int:
    row = await app.database.fetch_row(f"SELECT count(*) AS n FROM {table}")
    assert row is not None
    return int(row["n"])


async def test_a_plan_is_paid_from_the_wallet_and_runs_from_now(
    app: RunningApp, member: SignedIn
) -> None:
    plan = await offer_plan(app, amount_kobo=150_050)
    await app.give(member, 2000)

    answer = await subscribe(member, plan, userId=str(member.id))

    assert answer.status_code == 201
    assert answer.json()["message"] == "You are subscribed to Battle Pass."
    bought = answer.json()["data"]
    assert bought | {"startsAt": "", "endsAt": ""} == {
        "subscriptionId": str(plan),
        "plan": "Battle Pass",
        "startsAt": "",
        "endsAt": "",
        "credited": 0,
    }
    days = datetime.fromisoformat(bought["endsAt"]) - datetime.fromisoformat(bought["startsAt"])
    assert timedelta(days=28) <= days <= timedelta(days=31)
    assert await app.balance(member) == 499.5
    assert await transfers(app, member) == [("adjust", 200_000), ("subscription", -150_050)]
    assert await broken_invariants_in(app.database) == []


@pytest.mark.parametrize(
    "changed", [{"amount": 1500.49}, {"duration": 2}, {"period": "week"}, {"amount": 0}]
)
async def test_a_plan_on_other_terms_than_agreed_is_not_bought(
    app: RunningApp, member: SignedIn, changed: dict[str, Any]
) -> None:
    plan = await offer_plan(app, amount_kobo=150_050)
    await app.give(member, 2000)
    agreed = {"amount": 1500.5, "duration": 1, "period": "month"}

    refused = await subscribe(member, plan, agreed=agreed | changed)
    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "price_changed")
    assert await app.balance(member) == 2000

    assert (await subscribe(member, plan, agreed=agreed)).status_code == 201
    assert await app.balance(member) == 499.5


async def test_a_repeat_that_saw_new_terms_learns_what_the_first_call_did(
    app: RunningApp, member: SignedIn
) -> None:
    plan = await offer_plan(app, amount_kobo=150_050)
    await app.give(member, 2000)
    agreed = {"amount": 1500.5, "duration": 1, "period": "month"}
    first = await subscribe(member, plan, key="one-wish", agreed=agreed)
    await app.database.execute("UPDATE plan SET amount_kobo = 900_000 WHERE id = $1", plan)

    again = await subscribe(member, plan, key="one-wish", agreed=agreed | {"amount": 9000})

    assert (again.status_code, again.json()["data"]) == (201, first.json()["data"])
    assert await app.balance(member) == 499.5


@pytest.mark.parametrize(
    "agreed", [{}, {"amount": 1500.5}, {"amount": -1, "duration": 1, "period": "month"}, 1500.5]
)
async def test_half_of_the_terms_are_none(
    app: RunningApp, member: SignedIn, agreed: object
) -> None:
    plan = await offer_plan(app)
    await app.give(member, 2000)
    assert (await subscribe(member, plan, agreed=agreed)).status_code == 422


async def test_too_little_money_is_a_402_with_the_shortfall_and_changes_nothing(
    app: RunningApp, member: SignedIn
) -> None:
    plan = await offer_plan(app)
    penniless = await subscribe(member, plan)
    await app.give(member, 1000)

    answer = await subscribe(member, plan, key="try-again")

    assert (penniless.status_code, answer.status_code) == (402, 402)
    assert penniless.json()["data"] == {"shortfall": 1500}
    assert answer.json()["data"] == {"shortfall": 500}
    assert answer.json()["message"] == "Insufficient wallet balance. Fund your wallet to continue."
    assert await count(app, "subscription") == await count(app, "idempotency_key") == 0
    await app.give(member, 500)
    assert (await subscribe(member, plan, key="try-again")).status_code == 201


async def test_the_current_plan_is_not_sold_twice(app: RunningApp, member: SignedIn) -> None:
    plan = await offer_plan(app)
    await app.give(member, 5000)
    await subscribe(member, plan, key="first-try")

    answer = await subscribe(member, plan, key="second-try")

    assert answer.status_code == 409
    assert answer.json()["error"]["code"] == "already_subscribed"
    assert await app.balance(member) == 3500


async def test_a_plan_that_is_over_is_bought_again(app: RunningApp, member: SignedIn) -> None:
    plan = await offer_plan(app, duration=1, period="week")
    await app.give(member, 5000)
    first = await subscribe_at(app, member, plan, NOON)
    with pytest.raises(AlreadySubscribedError):
        await subscribe_at(app, member, plan, first.ends_at - timedelta(microseconds=1))

    second = await subscribe_at(app, member, plan, first.ends_at)

    assert (second.starts_at, second.credited) == (first.ends_at, 0)
    assert await app.balance(member) == 2000


async def test_another_plan_starts_now_and_gives_back_the_unused_whole_days(
    app: RunningApp, member: SignedIn
) -> None:
    battle = await offer_plan(app, amount_kobo=150_000)
    terrace = await offer_plan(app, "Terrace", amount_kobo=50_000, battle_zone=False)
    await app.give(member, 1500)
    first = await subscribe_at(app, member, battle, NOON)
    assert first.ends_at == NOON + timedelta(days=30)

    # Ten and a half days on, nineteen whole days of thirty are left: 95 000 kobo.
    switched_at = NOON + timedelta(days=10, hours=12)
    second = await subscribe_at(app, member, terrace, switched_at)

    assert (second.starts_at, second.credited) == (switched_at, 95_000)
    assert await transfers(app, member) == [
        ("adjust", 150_000),
        ("subscription", -150_000),
        ("refund", 95_000),
        ("subscription", -50_000),
    ]
    rows = await app.database.fetch_rows("SELECT * FROM subscription ORDER BY id")
    assert [row["replaced_at"] for row in rows] == [switched_at, None]
    assert await broken_invariants_in(app.database) == []


@pytest.mark.parametrize(
    ("used", "credited"),
    [
        (timedelta(0), 100_001),
        (timedelta(microseconds=1), 96_667),
        (timedelta(days=1), 96_667),
        (timedelta(days=20), 33_333),
        (timedelta(days=29), 3_333),
        (timedelta(days=29, microseconds=1), 0),
    ],
)
async def test_unused_days_are_rounded_down_to_whole_days_and_kobo(
    app: RunningApp, member: SignedIn, used: timedelta, credited: int
) -> None:
    odd = await offer_plan(app, amount_kobo=100_001)
    free = await offer_plan(app, "Taster", amount_kobo=0)
    await app.give(member, 1001)
    await subscribe_at(app, member, odd, NOON)

    switched = await subscribe_at(app, member, free, NOON + used)

    assert switched.credited == credited
    assert await broken_invariants_in(app.database) == []


async def test_unused_days_help_to_pay_and_the_shortfall_is_net_of_them(
    app: RunningApp, member: SignedIn
) -> None:
    cheap = await offer_plan(app, "Terrace", amount_kobo=60_000)
    dear = await offer_plan(app, amount_kobo=150_000)
    await app.give(member, 1600)
    await subscribe_at(app, member, cheap, NOON)
    halfway = NOON + timedelta(days=15)

    with pytest.raises(InsufficientFundsError) as refused:
        await subscribe_at(app, member, dear, halfway)
    assert refused.value.content == {"shortfall": 200}
    assert await app.balance(member) == 1000

    await app.give(member, 200)
    assert (await subscribe_at(app, member, dear, halfway)).credited == 30_000
    assert await app.balance(member) == 0


async def test_a_payment_that_was_given_back_already_is_not_given_back_again(
    app: RunningApp, member: SignedIn
) -> None:
    plan = await offer_plan(app, amount_kobo=90_000)
    free = await offer_plan(app, "Taster", amount_kobo=0)
    await app.give(member, 900)
    await subscribe_at(app, member, plan, NOON)
    async with app.database.transaction() as tx:
        await tx.execute(
            "SELECT post_wallet_transfer(gen_random_uuid(), $1, 'refund', 'goodwill', "
            "80000, (SELECT transfer_id FROM subscription))",
            member.id,
        )

    switched = await subscribe_at(app, member, free, NOON)

    assert switched.credited == 10_000
    assert await app.balance(member) == 900


async def test_a_plan_that_costs_nothing_is_taken_once(app: RunningApp, member: SignedIn) -> None:
    free = await offer_plan(app, "Taster", amount_kobo=0, period="day")
    await subscribe_at(app, member, free, NOON)

    with pytest.raises(PlanTakenBeforeError):
        await subscribe_at(app, member, free, NOON + timedelta(days=40))

    assert await count(app, "ledger_transfer") == 0


async def test_a_clock_a_little_behind_neither_fails_nor_pays_too_much(
    app: RunningApp, member: SignedIn
) -> None:
    first = await offer_plan(app, "Terrace", amount_kobo=60_000)
    second = await offer_plan(app, amount_kobo=60_000)
    await app.give(member, 600)
    await subscribe_at(app, member, first, NOON)

    switched = await subscribe_at(app, member, second, NOON - timedelta(milliseconds=20))

    assert switched.credited == 60_000
    assert await broken_invariants_in(app.database) == []


async def test_unknown_hidden_and_malformed_plans_are_not_sold(
    app: RunningApp, member: SignedIn
) -> None:
    hidden = await offer_plan(app, hidden=True)
    await app.give(member, 5000)

    for plan in (hidden, new_id(), "battle-pass", "", "x" * 65):
        answer = await subscribe(member, plan)
        assert answer.status_code == 404, plan
        assert answer.json()["message"] == "We could not find this plan."
    assert await app.balance(member) == 5000


async def test_payloads_that_do_not_fit_are_refused(app: RunningApp, member: SignedIn) -> None:
    plan = str(await offer_plan(app))
    await app.give(member, 5000)
    bad_payloads: list[Any] = [
        {},
        [],
        "x",
        {"subscriptionId": None},
        {"subscriptionId": 7},
        {"subscriptionId": [plan]},
        {"subscriptionId": plan, "userId": 7},
        {"subscriptionId": plan, "amount": 1},
        {"subscriptionId": plan, "startsAt": "2020-01-01T00:00:00Z"},
    ]

    for bad in bad_payloads:
        answer = await member.post(SUBSCRIBE, bad)
        assert answer.status_code == 422, bad
    short_key = await subscribe(member, plan, key="short")
    assert short_key.status_code == 422
    assert await count(app, "subscription") == 0


async def test_somebody_elses_id_in_the_body_is_not_found(
    app: RunningApp, member: SignedIn, rival: SignedIn
) -> None:
    plan = await offer_plan(app)
    await app.give(member, 5000)
    await app.give(rival, 5000)

    answer = await subscribe(member, plan, userId=str(rival.id))

    assert answer.status_code == 404
    assert await count(app, "subscription") == 0


async def test_the_same_key_answers_the_same_and_says_so(app: RunningApp, member: SignedIn) -> None:
    plan = await offer_plan(app)
    await app.give(member, 5000)

    first = await subscribe(member, plan, key="pay-once-please")
    again = await subscribe(member, plan, key="pay-once-please", userId=str(member.id))

    assert first.json() == again.json()
    assert "Idempotent-Replayed" not in first.headers
    assert again.headers["Idempotent-Replayed"] == "true"
    assert await app.balance(member) == 3500


async def test_a_key_that_named_another_plan_is_refused(app: RunningApp, member: SignedIn) -> None:
    terrace = await offer_plan(app, "Terrace", amount_kobo=50_000)
    battle = await offer_plan(app)
    await app.give(member, 5000)
    await subscribe(member, terrace, key="same-key")

    answer = await subscribe(member, battle, key="same-key")

    assert answer.status_code == 422
    assert answer.json()["error"]["code"] == "idempotency_key_reused"
    assert await app.balance(member) == 4500


async def test_one_key_twenty_times_at_once_is_one_charge(live_server: RunningApp) -> None:
    member = await live_server.member()
    plan = await offer_plan(live_server)
    await live_server.give(member, 50_000)

    answers = await asyncio.gather(
        *(subscribe(member, plan, key="twenty-times") for _ in range(20))
    )

    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.text for answer in answers}) == 1
    replayed = [answer.headers.get("Idempotent-Replayed") for answer in answers]
    assert sorted(map(str, replayed)) == ["None"] + ["true"] * 19
    assert await live_server.balance(member) == 48_500


async def test_twenty_keys_at_once_are_one_charge_and_nineteen_refusals(
    live_server: RunningApp,
) -> None:
    member = await live_server.member()
    plan = await offer_plan(live_server)
    await live_server.give(member, 50_000)

    answers = await asyncio.gather(
        *(subscribe(member, plan, key=f"key-number-{number}") for number in range(20))
    )

    assert sorted(answer.status_code for answer in answers) == [201] + [409] * 19
    assert await live_server.balance(member) == 48_500
    assert await count(live_server, "subscription") == 1


async def test_subscribes_that_meet_at_the_wallet_are_one_charge(
    live_server: RunningApp, owner: AsyncEngine
) -> None:
    member = await live_server.member()
    plan = await offer_plan(live_server)
    await live_server.give(member, 5000)
    async with owner.begin() as connection:
        await connection.execute(text("SELECT 1 FROM ledger_account FOR UPDATE"))
        waiting = [asyncio.create_task(subscribe(member, plan)) for _ in range(3)]
        await asyncio.wait(waiting, timeout=0.5)
        assert not any(task.done() for task in waiting)

    answers = await asyncio.gather(*waiting)

    assert sorted(answer.status_code for answer in answers) == [201, 409, 409]
    assert await live_server.balance(member) == 3500


async def test_switching_to_and_fro_at_once_keeps_one_plan_and_every_kobo(
    live_server: RunningApp,
) -> None:
    member = await live_server.member()
    plans = [await offer_plan(live_server, f"Plan {number}") for number in range(4)]
    await live_server.give(member, 3000)

    answers = await asyncio.gather(*(subscribe(member, plans[turn % 4]) for turn in range(20)))

    assert {answer.status_code for answer in answers} <= {201, 402, 409}
    assert any(answer.status_code == 201 for answer in answers)
    row = await live_server.database.fetch_row(
        "SELECT count(*) AS n FROM subscription WHERE replaced_at IS NULL"
    )
    assert row is not None
    assert row["n"] == 1
    assert await broken_invariants_in(live_server.database) == []


async def test_a_plan_and_a_checkout_racing_for_the_last_naira_do_not_both_get_it(
    live_server: RunningApp,
) -> None:
    plan = await offer_plan(live_server, amount_kobo=100_000)
    scarf = await live_server.stock_product(price_kobo=100_000, stock=100)
    members = [await live_server.member(f"fan{number}") for number in range(6)]
    for member in members:
        await live_server.give(member, 1000)

    answers = await asyncio.gather(
        *(
            request
            for member in members
            for request in (
                subscribe(member, plan),
                member.post("/api/v1/products/checkout", cart((scarf, 1, 1000))),
            )
        )
    )

    for plan_answer, order_answer in zip(answers[::2], answers[1::2], strict=True):
        assert sorted((plan_answer.status_code, order_answer.status_code)) == [201, 402]
    assert [await live_server.balance(member) for member in members] == [0] * 6
    assert await broken_invariants_in(live_server.database) == []


async def test_a_bought_period_is_never_rewritten(app: RunningApp, member: SignedIn) -> None:
    plan = await offer_plan(app)
    await app.give(member, 1500)
    await subscribe(member, plan)

    for change in (
        "UPDATE subscription SET ends_at = ends_at + interval '1 year'",
        "UPDATE subscription SET replaced_at = now() + interval '1 day', amount_kobo = 1",
        "DELETE FROM subscription",
        "DELETE FROM plan",
    ):
        with pytest.raises((DatabaseRefusal, asyncpg.PostgresError)):
            async with app.database.transaction() as tx:
                await tx.execute(change)
