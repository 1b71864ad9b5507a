"""The question for visitors: judged at once, and points for those who join."""

import asyncio
from datetime import timedelta
from typing import Any
from uuid import UUID

import httpx
import pytest
import time_machine
from api.foundation.core import clock
from api.home.public import rules
from api.home.public.rules import Claim, read_claim, write_claim

from tests.conftest import RunningApp
from tests.people.auth.letters import FORM, codes

PUBLIC = "/api/v1/public"
KEY = "a key of the tests"
PHONES = iter(range(10_000))


@pytest.fixture
async def question(app: RunningApp) -> str:
    """The id of the only question for visitors; its right answer is B."""
    await app.open_season()
    return str((await app.add_questions(1, kind="visitor"))[0])


async def answered(app: RunningApp, question: str, key: str) -> dict[str, Any]:
    answer = await app.client.post(f"{PUBLIC}/question/{question}/answer", json={"answer": key})
    assert answer.status_code == 200, answer.text
    data: dict[str, Any] = answer.json()["data"]
    return data


async def signed_up(app: RunningApp, name: str, **more: Any) -> UUID:
    form = FORM | {"email": f"{name}@example.com", "phone": f"+23480555{next(PHONES):05d}"}
    answer = await app.client.post("/api/v1/signup", json=form | more)
    assert answer.status_code == 201, answer.text
    await app.settle()
    return UUID(answer.json()["data"]["id"])


async def activated(app: RunningApp, name: str, user_id: UUID) -> httpx.Response:
    code = codes(app, f"{name}@example.com")[-1]
    entered = {"userId": str(user_id), "code": code}
    return await app.client.post("/api/v1/signup/validate-token", json=entered)


async def won(app: RunningApp, user_id: UUID) -> list[int]:
    return await app.database.fetch_column(
        "SELECT points FROM point_entry WHERE user_id = $1 AND source = 'welcome'", user_id
    )


async def test_a_wrong_answer_is_told_with_the_right_one_and_no_claim(
    app: RunningApp, question: str
) -> None:
    result = await answered(app, question, "A")

    assert result["correct"] is False
    assert result["rightAnswer"] == "B"
    assert (result["claim"], result["claimUntil"], result["points"]) == (None, None, 0)


async def test_a_right_answer_becomes_the_first_five_points_of_the_account(
    app: RunningApp, question: str
) -> None:
    result = await answered(app, question, "B")
    user_id = await signed_up(app, "tolu", claim=result["claim"])
    assert await won(app, user_id) == []

    first = await activated(app, "tolu", user_id)
    again = await activated(app, "tolu", user_id)

    assert (first.status_code, again.status_code) == (200, 200)
    assert await won(app, user_id) == [5]
    # A repeated call awards nothing, and says so.
    assert [answer.json()["data"]["points"] for answer in (first, again)] == [5, 0]


async def test_one_claim_is_for_one_account_even_at_once(app: RunningApp, question: str) -> None:
    claim = (await answered(app, question, "B"))["claim"]
    users = [(name, await signed_up(app, name, claim=claim)) for name in ("tolu", "uche")]

    answers = await asyncio.gather(*(activated(app, *user) for user in users))

    assert [answer.status_code for answer in answers] == [200, 200]
    points = [await won(app, user_id) for _, user_id in users]
    assert sorted(points) == [[], [5]]
    totals = [answer.json()["data"]["points"] for answer in answers]
    assert totals == [sum(each) for each in points]


async def test_a_second_account_of_a_browser_starts_without_points(
    app: RunningApp, question: str
) -> None:
    first = await signed_up(app, "tolu", claim=(await answered(app, question, "B"))["claim"])
    await activated(app, "tolu", first)
    second = await signed_up(app, "uche", claim=(await answered(app, question, "B"))["claim"])
    await app.database.execute(
        "UPDATE sign_up_attempt SET browser = 'the same' WHERE id = $1", second
    )
    await app.database.execute(
        "INSERT INTO known_browser (user_id, browser, seen_at) VALUES ($1, 'the same', now())",
        first,
    )

    assert (await activated(app, "uche", second)).status_code == 200
    assert await won(app, second) == []


@pytest.mark.parametrize("claim", ["", "nonsense", "x" * 5000, 7, None, {"a": 1}, "a.b.c", "é.1.2"])
async def test_an_invalid_claim_is_ignored(app: RunningApp, question: str, claim: object) -> None:
    user_id = await signed_up(app, "tolu", claim=claim)

    assert (await activated(app, "tolu", user_id)).status_code == 200
    assert await won(app, user_id) == []


async def test_a_claim_ends_a_day_after_the_answer(app: RunningApp, question: str) -> None:
    now = clock.now()
    claim = write_claim(KEY, Claim(UUID(question), now + rules.CLAIM_LIFE))

    assert read_claim(KEY, claim, now) is not None
    assert read_claim(KEY, claim, now + rules.CLAIM_LIFE + timedelta(seconds=1)) is None
    assert read_claim("another key", claim, now) is None
    name, moment, digest = claim.split(".")
    assert read_claim(KEY, f"{name}.{int(moment) + 60}.{digest}", now) is None


async def test_answers_of_the_games_cannot_be_read_here(app: RunningApp) -> None:
    for kind in ("trivia", "battle"):
        hidden = (await app.add_questions(1, kind=kind))[0]
        answer = await app.client.post(f"{PUBLIC}/question/{hidden}/answer", json={"answer": "B"})
        assert answer.status_code == 404, kind


@pytest.mark.parametrize("answer", ["E", "b", "", None, 1, ["B"]])
async def test_an_answer_is_one_of_the_keys(app: RunningApp, question: str, answer: object) -> None:
    sent = await app.client.post(f"{PUBLIC}/question/{question}/answer", json={"answer": answer})

    assert sent.status_code == 422
    assert list(sent.json()["error"]["fields"]) == ["answer"]


async def test_no_game_draws_the_question_of_visitors(app: RunningApp, question: str) -> None:
    member = await app.member("ada")

    quest = await member.get(f"/api/v1/trivia/{member.id}")

    assert question not in quest.text
    with time_machine.travel(clock.now() + timedelta(days=1), tick=True):
        assert question not in (await member.get("/api/v1/today")).text
