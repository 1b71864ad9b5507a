"""Plans on offer, the current plan and its end, as used by access checks."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from api.foundation.core import clock
from api.foundation.core.ids import new_id
from api.foundation.database.database import Database
from api.games.battle import repository as battle
from api.money.subscriptions.service import member_plans
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncEngine

from tests.conftest import RunningApp, SignedIn
from tests.money.subscriptions.place import offer_plan, subscribe, subscribe_at

NOBODYS_PLAN = {
    "isBattleZonePlan": False,
    "subscriptionId": None,
    "plan": None,
    "startsAt": None,
    "endsAt": None,
    "state": "none",
    "renews": False,
    "graceEndsAt": None,
    "gift": False,
    "nextAmount": None,
    "priceChange": None,
}


async def allows_battle(database: Database, user_id: UUID, now: datetime) -> bool:
    """Run the Battle Zone's own access query."""
    async with database.transaction() as tx:
        situation = await battle.read_situation(tx, user_id, now.date(), now)
    return situation.allows_battle


async def test_the_plans_on_offer_come_in_the_order_of_their_cards(
    app: RunningApp, member: SignedIn
) -> None:
    battle = await offer_plan(app, position=2)
    terrace = await offer_plan(
        app, "Terrace", amount_kobo=50_050, duration=3, period="week", battle_zone=False
    )
    await offer_plan(app, "Withdrawn", hidden=True)

    answer = await member.get("/api/v1/subscription")

    assert answer.status_code == 200
    assert answer.json()["data"] == [
        {
            "id": str(terrace),
            "plan": "Terrace",
            "amount": 500.5,
            "duration": 3,
            "period": "week",
            "benefits": "Daily Quest,Battle Zone",
            "battleZone": False,
        },
        {
            "id": str(battle),
            "plan": "Battle Pass",
            "amount": 1500,
            "duration": 1,
            "period": "month",
            "benefits": "Daily Quest,Battle Zone",
            "battleZone": True,
        },
    ]


async def test_no_call_about_plans_is_answered_without_a_token(app: RunningApp) -> None:
    answers = [
        await app.client.get("/api/v1/subscription"),
        await app.client.get(f"/api/v1/users/plan/validate/{new_id()}"),
        await app.client.post("/api/v1/users/subscription", json={"subscriptionId": "x"}),
    ]

    assert [answer.status_code for answer in answers] == [401] * 3
    assert {answer.json()["message"] for answer in answers} == {"User token is required."}


async def test_a_member_without_a_plan_is_told_so(app: RunningApp, member: SignedIn) -> None:
    answer = await member.get(f"/api/v1/users/plan/validate/{member.id}")

    assert answer.json()["data"] == NOBODYS_PLAN


async def test_somebody_elses_plan_is_not_found(
    app: RunningApp, member: SignedIn, rival: SignedIn
) -> None:
    for other_id in (rival.id, new_id(), "me"):
        answer = await member.get(f"/api/v1/users/plan/validate/{other_id}")
        assert answer.status_code == 404, other_id


async def test_the_current_plan_shows_in_validation_sign_in_and_profile(
    app: RunningApp, member: SignedIn
) -> None:
    plan = await offer_plan(app)
    await app.give(member, 1500)

    bought = (await subscribe(member, plan)).json()["data"]

    validated = (await member.get(f"/api/v1/users/plan/validate/{member.id}")).json()["data"]
    assert validated == {
        "isBattleZonePlan": True,
        "subscriptionId": str(plan),
        "plan": "Battle Pass",
        "startsAt": bought["startsAt"],
        "endsAt": bought["endsAt"],
        "state": "active",
        "renews": False,
        "graceEndsAt": None,
        "gift": False,
        "nextAmount": 1500,
        "priceChange": None,
    }
    signed_in = (await app.sign_in(member.email)).json()["data"]["user"]
    profile = (await member.get(f"/api/v1/users/{member.id}")).json()["data"]
    assert signed_in["subscriptionId"] == profile["subscriptionId"] == str(plan)


async def test_a_plan_without_battle_zone_does_not_open_it(
    app: RunningApp, member: SignedIn
) -> None:
    plan = await offer_plan(app, "Terrace", amount_kobo=0, battle_zone=False)
    await subscribe(member, plan)

    validated = (await member.get(f"/api/v1/users/plan/validate/{member.id}")).json()["data"]

    assert (validated["isBattleZonePlan"], validated["subscriptionId"]) == (False, str(plan))
    assert not await allows_battle(app.database, member.id, clock.now())


async def test_a_plan_ends_at_the_very_instant_and_nothing_has_to_run(
    app: RunningApp, member: SignedIn
) -> None:
    plan = await offer_plan(app, duration=1, period="day")
    await app.give(member, 1500)
    noon = datetime(2026, 5, 1, 12, tzinfo=UTC)

    bought = await subscribe_at(app, member, plan, noon)

    assert bought.ends_at == noon + timedelta(days=1)
    last_instant = bought.ends_at - timedelta(microseconds=1)
    current = await member_plans.current_plan(app.database, member.id, last_instant)
    assert (current.subscription_id, current.is_battle_zone_plan) == (plan, True)
    assert await allows_battle(app.database, member.id, last_instant)
    over = await member_plans.current_plan(app.database, member.id, bought.ends_at)
    assert over.model_dump(by_alias=True) == NOBODYS_PLAN
    assert not await allows_battle(app.database, member.id, bought.ends_at)


@pytest.mark.parametrize(
    ("start", "duration", "period", "end"),
    [
        ("2026-01-31T12:00Z", 1, "month", "2026-02-28T12:00Z"),
        ("2028-01-31T12:00Z", 1, "month", "2028-02-29T12:00Z"),
        ("2026-02-28T12:00Z", 1, "month", "2026-03-28T12:00Z"),
        ("2026-08-31T12:00Z", 3, "month", "2026-11-30T12:00Z"),
        ("2028-02-29T12:00Z", 1, "year", "2029-02-28T12:00Z"),
        ("2026-12-31T12:00Z", 2, "week", "2027-01-14T12:00Z"),
        ("2026-12-31T12:00Z", 10, "day", "2027-01-10T12:00Z"),
        # 00:30 on the 31st in Lagos is still the 30th in UTC, and the months are Lagos'.
        ("2026-01-30T23:30Z", 1, "month", "2026-02-27T23:30Z"),
        ("2026-02-28T23:30Z", 1, "month", "2026-03-31T23:30Z"),
    ],
)
async def test_periods_are_counted_in_the_calendar_of_lagos(
    app: RunningApp, member: SignedIn, start: str, duration: int, period: str, end: str
) -> None:
    plan = await offer_plan(app, amount_kobo=0, duration=duration, period=period)

    bought = await subscribe_at(app, member, plan, datetime.fromisoformat(start))

    assert bought.starts_at == datetime.fromisoformat(start)
    assert bought.ends_at == datetime.fromisoformat(end)


async def test_a_benefit_never_holds_the_comma_that_separates_benefits(
    app: RunningApp, owner: AsyncEngine
) -> None:
    plan = await offer_plan(app)
    for benefits in ("ARRAY['₦1,000 off']", "ARRAY['Fine', NULL]"):
        with pytest.raises(IntegrityError, match="benefits_without_commas"):
            async with owner.begin() as connection:
                await connection.execute(
                    text(f"UPDATE plan SET benefits = {benefits} WHERE id = :id"), {"id": plan}
                )
