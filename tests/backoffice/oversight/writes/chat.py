"""Writes of the chat's moderation."""

from tests.backoffice.oversight.writes import WHY, Sent, Stage, example
from tests.community.chat.conftest import fill, history, join


@example("POST chat/messages/{message_id}/{deed}")
async def moderate(stage: Stage) -> Sent:
    await join(stage.app, stage.member)
    await fill(stage.app, stage.member, 1)
    (message,) = await history(stage.app, stage.member)
    return Sent({"message_id": message["id"], "deed": "hide"})


@example("POST chat/mutes")
async def mute(stage: Stage) -> Sent:
    return Sent(body={"userId": str(stage.member.id), "minutes": 5} | WHY)


@example("DELETE chat/mutes/{user_id}")
async def unmute(stage: Stage) -> Sent:
    await stage.olu.post(
        "/api/v1/admin/chat/mutes", {"userId": str(stage.member.id), "minutes": 5} | WHY
    )
    return Sent({"user_id": stage.member.id})


@example("POST chat/bans")
async def ban(stage: Stage) -> Sent:
    return Sent(body={"userId": str(stage.member.id)} | WHY)


@example("DELETE chat/bans/{user_id}")
async def unban(stage: Stage) -> Sent:
    await stage.olu.post("/api/v1/admin/chat/bans", {"userId": str(stage.member.id)} | WHY)
    return Sent({"user_id": stage.member.id})
