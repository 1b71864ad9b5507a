"""Writes of articles."""

from tests.backoffice.oversight.writes import Sent, Stage, example
from tests.community.moments.forms import picture

DRAFT = {"title": "Derby on Saturday", "body": "Gates open at **three**."}


async def drafted(stage: Stage) -> dict[str, str]:
    answer = await stage.olu.post("/api/v1/admin/articles", DRAFT)
    return {"article_id": answer.json()["data"]["id"]}


@example("POST articles")
async def create(_stage: Stage) -> Sent:
    return Sent(body=DRAFT)


@example("PATCH articles/{article_id}")
async def change(stage: Stage) -> Sent:
    return Sent(await drafted(stage), {"version": 1, "title": "Derby on Sunday"})


@example("POST articles/{article_id}/picture")
async def change_picture(stage: Stage) -> Sent:
    files = {"file": ("a.png", picture("PNG"), "image/png")}
    return Sent(await drafted(stage), files=files)


@example("POST articles/{article_id}/publish")
async def publish(stage: Stage) -> Sent:
    return Sent(await drafted(stage), {})


@example("POST articles/{article_id}/withdraw")
async def withdraw(stage: Stage) -> Sent:
    names = await drafted(stage)
    await stage.olu.post(f"/api/v1/admin/articles/{names['article_id']}/publish", {})
    return Sent(names)
