"""Writes of plans."""

from tests.backoffice.oversight.writes import WHY, Sent, Stage, example
from tests.money.subscriptions.place import offer_plan

PLAN = {
    **{"plan": "Season Pass", "amount": 2500, "duration": 1, "period": "month"},
    "benefits": ["Songs"],
}


@example("POST plans")
async def create(_stage: Stage) -> Sent:
    return Sent(body=PLAN)


@example("PATCH plans/{plan_id}")
async def change(stage: Stage) -> Sent:
    return Sent({"plan_id": await offer_plan(stage.app)}, {"version": 1, "hidden": True})


@example("POST plans/{plan_id}/gifts")
async def give_all(stage: Stage) -> Sent:
    body = {"userIds": [str(stage.member.id)], "periods": 1} | WHY
    return Sent({"plan_id": await offer_plan(stage.app)}, body)


@example("POST members/{user_id}/gift")
async def give(stage: Stage) -> Sent:
    body = {"planId": str(await offer_plan(stage.app)), "periods": 1} | WHY
    return Sent({"user_id": stage.member.id}, body)
