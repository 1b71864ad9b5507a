"""Writes of the back office itself: operators, approvals, settings."""

from tests.backoffice.oversight.test_second_person import decision, propose
from tests.backoffice.oversight.writes import WHY, Sent, Stage, example


@example("POST operators")
async def propose_operator(stage: Stage) -> Sent:
    return Sent(body={"email": stage.member.email, "roles": ["shop"]} | WHY)


@example("PATCH operators/{operator_id}")
async def change_operator(stage: Stage) -> Sent:
    (bisi,) = (row for row in await stage.rows("operators") if row["id"] == str(stage.bisi.id))
    body = {"version": bisi["version"], "disabled": True} | WHY
    return Sent({"operator_id": stage.bisi.id}, body)


@example("POST approvals/{approval_id}/decide")
async def decide(stage: Stage) -> Sent:
    approval = await propose(stage.bisi, stage.member.email)
    return Sent({"approval_id": approval["id"]}, decision(approval))


@example("PATCH approvals/{approval_id}")
async def change_approval(stage: Stage) -> Sent:
    approval = await propose(stage.olu, stage.member.email)
    body = {"content": approval["content"] | {"roles": ["editor"]}} | WHY
    return Sent({"approval_id": approval["id"]}, body)


@example("PUT settings")
async def change_settings(_stage: Stage) -> Sent:
    return Sent(body={"version": 1, "giftLimit": 5})
