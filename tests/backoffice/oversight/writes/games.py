"""Writes of questions, the quest's schedule, seasons and fixtures."""

from datetime import timedelta
from typing import Any

from api.foundation.core import clock

from tests.backoffice.oversight.writes import WHY, Sent, Stage, example
from tests.games.questions.sheets import ROW, bank_file

DAY = timedelta(days=1)
QUESTION = {**ROW, "difficulty": 1, "club": None}
SHEET = {"file": ("bank.csv", bank_file({}).content, "text/csv")}


def match(**changes: Any) -> dict[str, Any]:
    kick_off = clock.now() + DAY
    teams = {"home": {"name": "Enyimba"}, "away": {"name": "Kano Pillars"}}
    return {"competition": "NPFL", "kickOffAt": kick_off.isoformat()} | teams | changes


def season(**changes: Any) -> dict[str, Any]:
    starts = clock.now() + DAY
    return {
        "name": "2027",
        "startsAt": starts.isoformat(),
        "endsAt": (starts + 30 * DAY).isoformat(),
        "pointPerQuestion": 5,
        "questionTimeLimit": 15,
        "questionsPerDay": 10,
        "ranks": [{"rank": "rookie", "thresholdPoint": 50}],
    } | changes


async def made(stage: Stage, path: str, body: dict[str, Any]) -> dict[str, Any]:
    answer = await stage.olu.post(f"/api/v1/admin/{path}", body)
    assert answer.status_code == 201, answer.text
    data: dict[str, Any] = answer.json()["data"]
    return data


@example("POST questions")
async def add(_stage: Stage) -> Sent:
    return Sent(body=QUESTION)


@example("POST questions/imports")
async def check_import(_stage: Stage) -> Sent:
    return Sent(files=SHEET)


@example("POST questions/imports/{import_id}/apply")
async def apply(stage: Stage) -> Sent:
    answer = await stage.app.client.post(
        "/api/v1/admin/questions/imports", files=SHEET, headers=stage.olu.headers
    )
    review = answer.json()["data"]
    return Sent({"import_id": review["id"]}, {"digest": review["digest"]})


@example("POST questions/{question_id}/retire")
async def retire(stage: Stage) -> Sent:
    (question,) = await stage.app.add_questions(1)
    return Sent({"question_id": question}, WHY)


@example("PUT trivia/schedule/{day}/{club}")
async def schedule(stage: Stage) -> Sent:
    questions = await stage.app.add_questions(2, kind="trivia")
    day = clock.lagos_day(clock.now()) + DAY
    return Sent({"day": day, "club": "all"}, {"questionIds": [str(one) for one in questions]})


@example("POST seasons")
async def create_season(_stage: Stage) -> Sent:
    return Sent(body=season())


@example("PUT seasons/{season_id}")
async def change_season(stage: Stage) -> Sent:
    created = await made(stage, "seasons", season())
    return Sent({"season_id": created["id"]}, season(name="Harmattan"))


@example("POST fixtures")
async def create_fixture(_stage: Stage) -> Sent:
    return Sent(body=match())


@example("PUT fixtures/{fixture_id}")
async def change_fixture(stage: Stage) -> Sent:
    created = await made(stage, "fixtures", match())
    return Sent({"fixture_id": created["id"]}, match(version=created["version"], round="7"))


@example("POST fixtures/imports")
async def import_fixtures(stage: Stage) -> Sent:
    kick_off = (clock.now() + DAY).isoformat()
    sheet = (
        f"ref,competition,season,home,away,kick_off_at\n1,NPFL,2027,Enyimba,Arsenal,{kick_off}\n"
    )
    files = {"file": ("fixtures.csv", sheet.encode(), "text/csv")}
    preview = await stage.app.client.post(
        "/api/v1/admin/fixtures/imports", files=files, headers=stage.olu.headers
    )
    digest = preview.json()["data"]["digest"]
    return Sent(files=files | {"digest": (None, digest)})


@example("PUT competitions/{competition_id}")
async def change_competition(stage: Stage) -> Sent:
    await made(stage, "fixtures", match())
    listed = await stage.app.client.get("/api/v1/admin/competitions", headers=stage.olu.headers)
    (created,) = listed.json()["data"]["rows"]
    wish = {"name": "League", "season": "2027", "table": True, "version": created["version"]}
    return Sent({"competition_id": created["id"]}, wish)
