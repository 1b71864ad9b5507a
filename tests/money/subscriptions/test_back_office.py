"""Plans changed and given at the back office, and the effect of a new price on renewals."""

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import httpx
import pytest
from api.foundation.core import clock
from api.foundation.core.ids import new_id
from api.foundation.security.rights import Role
from api.money.ledger_audit.repository.audit_run import broken_invariants_in
from api.money.subscriptions.repository import subscriptions
from api.money.subscriptions.service import member_plans
from api.money.subscriptions.service import renewing as renewing_service
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from tests.back_office import ADMIN, OperatorClient, operator_client
from tests.conftest import RunningApp, SignedIn
from tests.money.subscriptions.place import offer_plan, subscribe, subscribe_at, transfers

PLANS = f"{ADMIN}/plans"
WISH = {
    "plan": "Season Pass",
    "amount": 2500.5,
    "duration": 1,
    "period": "month",
    "benefits": ["Battle Zone every day", "A scarf"],
    "battleZone": True,
}
# Ahead of the scheduled jobs, which find nothing to do.
STARTS = datetime(2031, 3, 1, 11, tzinfo=UTC)
ENDS = datetime(2031, 4, 1, 11, tzinfo=UTC)
DAY = timedelta(days=1)


@pytest.fixture
async def olu(app: RunningApp) -> OperatorClient:
    return await operator_client(app, "olu", Role.OWNER)


@pytest.fixture
async def fola(app: RunningApp) -> OperatorClient:
    return await operator_client(app, "fola", Role.FINANCE)


def reason_of(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["error"]["code"]


async def gift(
    operator: OperatorClient, member: SignedIn, plan_id: object, **changes: Any
) -> httpx.Response:
    body = {"planId": str(plan_id), "periods": 1, "reason": "A prize"} | changes
    return await operator.post(f"{ADMIN}/members/{member.id}/gift", body)


async def gifts(operator: OperatorClient, plan_id: object, user_ids: list[UUID]) -> httpx.Response:
    body = {"userIds": [str(one) for one in user_ids], "periods": 2, "reason": "The youth team"}
    return await operator.post(f"{PLANS}/{plan_id}/gifts", body)


async def notifications(member: SignedIn) -> list[tuple[str, dict[str, Any]]]:
    rows = (await member.get("/api/v1/notifications")).json()["data"]["rows"]
    return [(row["kind"], row["data"]) for row in reversed(rows)]


async def actions(app: RunningApp) -> list[str]:
    rows = await app.database.fetch_rows("SELECT action FROM audit_entry ORDER BY id")
    return [row["action"] for row in rows]


async def test_a_new_plan_is_on_offer_behind_the_others(
    app: RunningApp, fola: OperatorClient, member: SignedIn
) -> None:
    await offer_plan(app, position=4)

    answer = await fola.post(PLANS, WISH)

    assert answer.status_code == 201, answer.text
    made = answer.json()["data"]
    assert made | {"id": ""} == WISH | {"id": "", "hidden": False, "position": 5, "version": 1}
    cards = (await member.get("/api/v1/subscription")).json()["data"]
    assert [card["plan"] for card in cards] == ["Battle Pass", "Season Pass"]
    assert cards[1]["benefits"] == "Battle Zone every day,A scarf"
    assert await actions(app) == ["create"]
    again = await fola.post(PLANS, WISH)
    assert reason_of(again) == (409, "name_taken")


async def test_a_plan_is_changed_by_who_has_read_it_as_it_is(
    app: RunningApp, fola: OperatorClient, member: SignedIn
) -> None:
    plan = await offer_plan(app)
    await offer_plan(app, "Terrace", position=2)
    path = f"{PLANS}/{plan}"

    changed = await fola.patch(path, {"version": 1, "hidden": True, "benefits": ["Songs"]})
    stale = await fola.patch(path, {"version": 1, "plan": "Other"})
    taken = await fola.patch(path, {"version": 2, "plan": "Terrace"})
    unknown = await fola.patch(f"{PLANS}/{new_id()}", {"version": 1})

    assert changed.status_code == 200, changed.text
    data = changed.json()["data"]
    assert (data["version"], data["hidden"], data["benefits"]) == (2, True, ["Songs"])
    assert (data["plan"], data["amount"]) == ("Battle Pass", 1500)
    assert reason_of(stale) == (409, "stale")
    assert reason_of(taken) == (409, "name_taken")
    assert unknown.status_code == 404
    rows = (await fola.get(PLANS)).json()["data"]["rows"]
    assert {row["plan"]: row["version"] for row in rows} == {"Battle Pass": 2, "Terrace": 1}
    assert await actions(app) == ["change"]


async def test_of_twenty_changes_at_once_one_is_made(live_server: RunningApp) -> None:
    fola = await operator_client(live_server, "fola", Role.FINANCE)
    path = f"{PLANS}/{await offer_plan(live_server)}"

    answers = await asyncio.gather(
        *(fola.patch(path, {"version": 1, "amount": 2000 + n}) for n in range(20))
    )

    assert sorted(answer.status_code for answer in answers) == [200] + [409] * 19
    assert await live_server.database.fetch_value("SELECT count(*) FROM plan_price_change") == 1


@pytest.mark.parametrize(
    "change",
    [
        {"amount": -1},
        {"amount": 10.001},
        {"duration": 0},
        {"period": "decade"},
        {"benefits": []},
        {"benefits": ["Naira, and more"]},
        {"benefits": ["x" * 81]},
        {"benefits": [f"Song {number}" for number in range(13)]},
        {"plan": ""},
        {"battleZone": "yes"},
        {"version": 1},
    ],
)
async def test_a_plan_that_does_not_fit_is_refused(
    app: RunningApp, fola: OperatorClient, change: dict[str, Any]
) -> None:
    answer = await fola.post(PLANS, WISH | change)

    assert answer.status_code == 422, answer.text
    assert await app.database.fetch_row("SELECT FROM plan") is None


async def renewing(app: RunningApp, member: SignedIn, plan_id: UUID) -> None:
    """Subscribe a funded member to a plan that renews at ``ENDS``."""
    await app.give(member, 20_000)
    await subscribe_at(app, member, plan_id, STARTS)
    await renewing_service.set_renewal(app.database, member.id, renews=True, now=STARTS)


async def change_price(
    app: RunningApp,
    operator: OperatorClient,
    plan_id: UUID,
    naira: int,
    at: datetime,
    *,
    version: int = 1,
) -> None:
    """Change a plan's price at a chosen time."""
    answer = await operator.patch(f"{PLANS}/{plan_id}", {"version": version, "amount": naira})
    assert answer.status_code == 200, answer.text
    await app.database.execute(
        "UPDATE plan_price_change SET changed_at = $1 WHERE changed_at < '2030-01-01'", at
    )


@pytest.fixture
async def writable_prices(app: RunningApp, owner: AsyncEngine) -> AsyncIterator[None]:
    """Allow the tests to backdate a price change."""
    async with owner.begin() as connection:
        await connection.execute(text("GRANT UPDATE ON plan_price_change TO fans_runtime"))
    yield
    async with owner.begin() as connection:
        await connection.execute(text("REVOKE UPDATE ON plan_price_change FROM fans_runtime"))


@pytest.mark.usefixtures("writable_prices")
@pytest.mark.parametrize(
    ("changed_at", "charged"),
    [
        (ENDS - 14 * DAY, [2000, 2000]),
        (ENDS - 14 * DAY + timedelta(seconds=1), [1500, 2000]),
        (ENDS - DAY, [1500, 2000]),
    ],
)
async def test_a_new_price_counts_when_it_was_known_for_fourteen_days(
    app: RunningApp,
    fola: OperatorClient,
    member: SignedIn,
    changed_at: datetime,
    charged: list[int],
) -> None:
    plan = await offer_plan(app)
    await renewing(app, member, plan)
    await change_price(app, fola, plan, 2000, changed_at)

    current = await member_plans.current_plan(app.database, member.id, STARTS)
    for months in range(2):
        await renewing_service.renew_due(app.database, ENDS.replace(month=4 + months))

    moved = [-kobo // 100 for kind, kobo in await transfers(app, member) if kobo < 0]
    assert moved == [1500, *charged]
    assert current.next_amount == charged[0] * 100
    assert current.price_change is not None
    assert current.price_change.amount == 200_000
    first = ENDS if charged[0] == 2000 else ENDS.replace(month=5)
    assert current.price_change.from_ == first


@pytest.mark.usefixtures("writable_prices")
async def test_of_two_changes_each_waits_its_own_fourteen_days(
    app: RunningApp, fola: OperatorClient, member: SignedIn
) -> None:
    plan = await offer_plan(app)
    await renewing(app, member, plan)
    await change_price(app, fola, plan, 2000, ENDS - 20 * DAY)
    await change_price(app, fola, plan, 3000, ENDS - 2 * DAY, version=2)

    for months in range(2):
        await renewing_service.renew_due(app.database, ENDS.replace(month=4 + months))

    moved = [-kobo // 100 for kind, kobo in await transfers(app, member) if kobo < 0]
    assert moved == [1500, 2000, 3000]


async def test_members_who_renew_are_told_of_a_new_price_and_others_are_not(
    app: RunningApp, fola: OperatorClient, member: SignedIn, rival: SignedIn
) -> None:
    plan, now = await offer_plan(app), clock.now()
    for one in (member, rival):
        await app.give(one, 1500)
    await subscribe_at(app, rival, plan, now - DAY)
    bought = await subscribe_at(app, member, plan, now - DAY)
    await renewing_service.set_renewal(app.database, member.id, renews=True, now=now)

    await fola.patch(f"{PLANS}/{plan}", {"version": 1, "amount": 2000})

    assert await notifications(rival) == []
    changes_at = bought.ends_at.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    facts = {"plan": "Battle Pass", "amount": 2000, "changesAt": changes_at}
    assert await notifications(member) == [("plan_price_changed", facts)]


async def test_a_gift_costs_and_credits_nothing_and_its_member_is_told(
    app: RunningApp, fola: OperatorClient, member: SignedIn
) -> None:
    plan = await offer_plan(app)
    terrace = await offer_plan(app, "Terrace", amount_kobo=50_000, position=2)

    answer = await gift(fola, member, plan, periods=2)

    assert answer.status_code == 201, answer.text
    given = answer.json()["data"]
    assert set(given) == {"id", "startsAt", "endsAt"}
    current = (await member.get(f"/api/v1/users/plan/validate/{member.id}")).json()["data"]
    assert (current["plan"], current["gift"], current["renews"]) == ("Battle Pass", True, False)
    assert current["endsAt"] == given["endsAt"]
    assert [kind for kind, _ in await notifications(member)] == ["plan_gift"]
    assert await actions(app) == ["gift"]
    await app.give(member, 500)
    switched = await subscribe(member, terrace)
    assert (switched.status_code, switched.json()["data"]["credited"]) == (201, 0)
    assert await app.balance(member) == 0
    assert await broken_invariants_in(app.database) == []


async def test_a_gift_is_refused_where_the_plan_runs_or_another_was_paid_for(
    app: RunningApp, fola: OperatorClient, member: SignedIn
) -> None:
    plan = await offer_plan(app)
    terrace = await offer_plan(app, "Terrace", amount_kobo=50_000, position=2)
    await app.give(member, 500)
    await subscribe(member, terrace)

    running = await gift(fola, member, plan)
    same = await gift(fola, member, terrace)
    replaced = await gift(fola, member, plan, replace=True)
    twice = await gift(fola, member, plan, replace=True)

    assert reason_of(running) == (409, "plan_running")
    assert reason_of(same) == (409, "already_subscribed")
    assert replaced.status_code == 201
    assert reason_of(twice) == (409, "already_subscribed")
    assert 450 < await app.balance(member) < 500  # the unused whole days of the paid one
    assert await actions(app) == ["gift"]


@pytest.mark.parametrize("change", [{"periods": 0}, {"periods": 13}, {"reason": ""}, {"x": 1}])
async def test_a_gift_that_does_not_fit_is_refused(
    app: RunningApp, fola: OperatorClient, member: SignedIn, change: dict[str, Any]
) -> None:
    answer = await gift(fola, member, await offer_plan(app), **change)

    assert answer.status_code == 422


async def test_gifts_to_nobody_or_of_nothing_are_not_found(
    app: RunningApp, fola: OperatorClient, member: SignedIn
) -> None:
    plan = await offer_plan(app)
    unknown_id = await fola.post(
        f"{ADMIN}/members/{new_id()}/gift", {"planId": str(plan), "periods": 1, "reason": "A prize"}
    )

    assert unknown_id.status_code == 404
    assert (await gift(fola, member, new_id())).status_code == 404
    assert (await gifts(fola, new_id(), [member.id])).status_code == 404
    assert await actions(app) == []


async def test_twenty_gifts_at_once_of_one_plan_give_it_once(live_server: RunningApp) -> None:
    fola = await operator_client(live_server, "fola", Role.FINANCE)
    ada, plan = await live_server.member("ada"), await offer_plan(live_server)

    answers = await asyncio.gather(*(gift(fola, ada, plan) for _ in range(20)))

    assert sorted(answer.status_code for answer in answers) == [201] + [409] * 19
    assert await live_server.database.fetch_value("SELECT count(*) FROM subscription") == 1


async def test_a_gift_waits_for_whoever_changes_the_members_plans(
    app: RunningApp, fola: OperatorClient, member: SignedIn
) -> None:
    plan = await offer_plan(app)

    async with app.database.transaction() as tx:
        await subscriptions.lock_member(tx, member.id)
        given = asyncio.create_task(gift(fola, member, plan))
        await asyncio.wait({given}, timeout=0.5)
        assert not given.done()

    assert (await given).status_code == 201


async def test_gifts_to_several_name_who_was_left_out(
    app: RunningApp, fola: OperatorClient, member: SignedIn, rival: SignedIn
) -> None:
    plan = await offer_plan(app)
    await app.give(rival, 1500)
    await subscribe(rival, plan)
    unknown_id = new_id()

    answer = await gifts(fola, plan, [member.id, member.id, rival.id, unknown_id])

    assert answer.status_code == 201, answer.text
    data = answer.json()["data"]
    assert data["given"] == 1
    assert {one["userId"]: one["code"] for one in data["skipped"]} == {
        str(rival.id): "already_subscribed",
        str(unknown_id): "not_found",
    }
    assert [kind for kind, _ in await notifications(member)] == ["plan_gift"]
    assert await actions(app) == ["gifts"]


async def test_more_than_twenty_gifts_wait_for_a_second_person_and_are_given_once(
    app: RunningApp, olu: OperatorClient, fola: OperatorClient, member: SignedIn
) -> None:
    plan = await offer_plan(app)
    wanted = [member.id, *(new_id() for _ in range(20))]

    proposed = await gifts(fola, plan, wanted)

    assert proposed.status_code == 202, proposed.text
    assert await notifications(member) == []
    approval = proposed.json()["data"]["approval"]
    decision = {"digest": approval["digest"], "decision": "approve", "reason": "Well earned"}
    decided = await olu.post(f"{ADMIN}/approvals/{approval['id']}/decide", decision)
    assert decided.status_code == 200, decided.text
    assert decided.json()["data"]["result"]["given"] == 1
    again = await olu.post(f"{ADMIN}/approvals/{approval['id']}/decide", decision)
    assert reason_of(again) == (409, "wrong_state")
    assert [kind for kind, _ in await notifications(member)] == ["plan_gift"]


async def test_plans_are_not_written_without_the_right_or_a_fresh_code(
    app: RunningApp, member: SignedIn
) -> None:
    shop = await operator_client(app, "shop", Role.SHOP)
    fola = await operator_client(app, "fola", Role.FINANCE)
    await app.database.execute(
        "UPDATE admin_session SET code_at = $1", clock.now() - timedelta(seconds=301)
    )

    assert (await shop.post(PLANS, WISH)).status_code == 404
    assert (await member.post(PLANS, WISH)).status_code == 404
    assert reason_of(await fola.post(PLANS, WISH)) == (409, "fresh_code_needed")
    assert reason_of(await gift(fola, member, new_id())) == (409, "fresh_code_needed")
