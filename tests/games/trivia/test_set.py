"""The day's set: the same for a club, shuffled options per member, frozen, not repeated soon."""

import asyncio
import json
from collections import Counter
from datetime import timedelta
from uuid import UUID

import pytest
from api.foundation.core import clock
from api.foundation.core.config import Settings
from api.foundation.core.ids import new_id
from api.games.trivia.service import quest as quest_service
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from tests.conftest import CLUB_A, CLUB_B, RunningApp, SignedIn, open_running_app
from tests.games.trivia.conftest import RIGHT, Today, ask, key_of, pair, questions, submit


async def ids(member: SignedIn) -> list[str]:
    return [question["id"] for question in await questions(member)]


async def test_five_questions_a_day_each_with_four_options_by_key(
    app: RunningApp, member: SignedIn, today: Today
) -> None:
    bank = await app.add_questions(8, kind="trivia")

    asked = await questions(member)

    assert len(asked) == 5
    assert {UUID(question["id"]) for question in asked} < set(bank)
    for question in asked:
        assert set(question) == {"id", "question", "options"}
        assert question["question"].startswith("What is right?")
        options = json.loads(question["options"])
        assert list(options) == ["A", "B", "C", "D"]
        assert set(options.values()) == {"Right", "Wrong 1", "Wrong 2", "Wrong 3"}


async def test_a_club_gets_one_set_a_day_and_every_member_an_own_order_of_options(
    app: RunningApp, today: Today
) -> None:
    await app.add_questions(30, kind="trivia")
    members = [await app.member(f"fan{number}") for number in range(20)]

    shown = [await questions(member) for member in members]

    assert len({tuple(question["id"] for question in quest) for quest in shown}) == 1
    keys = Counter(key_of(question, RIGHT) for quest in shown for question in quest)
    assert set(keys) == {"A", "B", "C", "D"}
    orders = {tuple(question["options"] for question in quest) for quest in shown}
    assert len(orders) >= 18
    within = [len({question["options"] for question in quest}) for quest in shown]
    assert max(within) >= 3
    assert [await questions(member) for member in members] == shown


async def test_fifty_first_requests_at_once_freeze_one_set_and_one_order_each(
    live_server: RunningApp,
) -> None:
    await live_server.add_questions(40, kind="trivia")
    members = [await live_server.member(f"fan{number}") for number in range(10)]

    answers = await asyncio.gather(*(ask(member) for _ in range(5) for member in members))

    assert {answer.status_code for answer in answers} == {200}
    shown = [answer.json()["data"] for answer in answers]
    assert {len(quest) for quest in shown} == {5}
    assert len({tuple(question["id"] for question in quest) for quest in shown}) == 1
    for number in range(10):
        assert len({json.dumps(quest) for quest in shown[number::10]}) == 1


async def test_first_requests_that_wait_for_each_other_freeze_one_set(
    live_server: RunningApp, owner: AsyncEngine
) -> None:
    await live_server.add_questions(40, kind="trivia")
    members = [await live_server.member(f"fan{number}") for number in range(2)]
    async with owner.begin() as connection:
        # Inserting a set locks its club, so the first one waits here and the others wait for it.
        await connection.execute(text("SELECT 1 FROM club FOR UPDATE"))
        waiting = [asyncio.create_task(ask(member)) for _ in range(4) for member in members]
        await asyncio.wait(waiting, timeout=0.5)
        assert not any(task.done() for task in waiting)

    answers = await asyncio.gather(*waiting)

    assert {answer.status_code for answer in answers} == {200}
    shown = [answer.json()["data"] for answer in answers]
    assert len({tuple(question["id"] for question in quest) for quest in shown}) == 1
    assert len({json.dumps(quest) for quest in shown}) == 2


async def test_a_clubs_own_questions_come_first_then_those_for_all_clubs(
    app: RunningApp, member: SignedIn, rival: SignedIn, today: Today
) -> None:
    own = await app.add_questions(3, kind="trivia", club_id=CLUB_A)
    shared = await app.add_questions(10, kind="trivia")
    await app.add_questions(10, kind="battle")

    asked = {UUID(one) for one in await ids(member)}
    rivals = {UUID(one) for one in await ids(rival)}

    assert set(own) < asked
    assert asked <= set(own) | set(shared)
    assert len(asked) == len(rivals) == 5
    assert rivals <= set(shared)


async def test_the_easy_questions_of_a_set_come_before_the_hard(
    app: RunningApp, member: SignedIn, today: Today
) -> None:
    hard = await app.add_questions(2, kind="trivia", difficulty=3)
    easy = await app.add_questions(3, kind="trivia", difficulty=1)

    asked = [UUID(one) for one in await ids(member)]

    assert (set(asked[:3]), set(asked[3:])) == (set(easy), set(hard))


async def test_retired_questions_and_other_clubs_questions_are_not_asked(
    app: RunningApp, owner: AsyncEngine, member: SignedIn, today: Today
) -> None:
    (kept,) = await app.add_questions(1, kind="trivia")
    (retired,) = await app.add_questions(1, kind="trivia")
    await app.add_questions(3, kind="trivia", club_id=CLUB_B)
    async with owner.begin() as connection:
        await connection.execute(
            text("UPDATE question SET retired_at = now() WHERE id = :id"), {"id": retired}
        )

    assert await ids(member) == [str(kept)]


async def test_a_question_that_is_retired_during_the_day_is_still_asked_and_judged(
    app: RunningApp, owner: AsyncEngine, member: SignedIn, rival: SignedIn, today: Today
) -> None:
    await app.add_questions(5, kind="trivia", club_id=CLUB_A)
    before = await questions(member)
    async with owner.begin() as connection:
        await connection.execute(text("UPDATE question SET retired_at = now()"))
    late = await app.member("late")

    assert [one["id"] for one in await questions(late)] == [one["id"] for one in before]
    answer = await submit(
        member, [{"question": one["id"], "answer": key_of(one, RIGHT)} for one in before]
    )
    assert answer.json()["data"]["points"] == 25
    assert await questions(rival) == []


async def test_questions_rest_and_come_back_the_longest_rested_first(
    app: RunningApp, today: Today
) -> None:
    own = await app.add_questions(6, kind="trivia", club_id=CLUB_A)
    shared = await app.add_questions(6, kind="trivia")
    days = []
    for reader in ("ada", "chidi", "emeka", "ngozi"):  # sessions expire after three idle days
        days.append({UUID(one) for one in await ids(await app.member(reader))})
        today.now += timedelta(days=1)

    assert days[0] < set(own)
    assert set(own) - days[0] < days[1]
    assert len(days[1] & set(shared)) == 4
    # Two questions were never asked; then the first day's come back, not the second's.
    assert set(shared) - days[1] < days[2]
    assert len(days[2] & days[0]) == 3
    assert not days[2] & days[1]
    assert days[0] - days[2] < days[3]


async def test_after_four_weeks_the_clubs_own_questions_come_first_again(
    app: RunningApp, member: SignedIn, today: Today
) -> None:
    own = {str(one) for one in await app.add_questions(5, kind="trivia", club_id=CLUB_A)}
    await app.add_questions(40, kind="trivia")
    assert set(await ids(member)) == own
    async with app.database.transaction() as tx:
        for days, comes_back in ((27, False), (28, True)):
            day = clock.lagos_day(today.now) + timedelta(days=days)
            await quest_service.freeze_set(tx, CLUB_A, day, 5)
            frozen = await tx.fetch_value(
                "SELECT question_ids FROM trivia_set ORDER BY day DESC LIMIT 1"
            )
            assert ({str(one) for one in frozen} == own) is comes_back


async def test_a_small_bank_asks_what_there_is(
    app: RunningApp, member: SignedIn, today: Today
) -> None:
    await app.add_questions(2, kind="trivia")

    asked = await questions(member)
    answer = await submit(member, [pair(asked[0])])

    assert len(asked) == 2
    assert answer.json()["data"]["total"] == 2


async def test_an_empty_bank_apologises_and_later_questions_are_asked_the_same_day(
    app: RunningApp, member: SignedIn, today: Today
) -> None:
    await app.add_questions(5, kind="trivia", club_id=CLUB_B)

    empty = await ask(member)

    assert empty.status_code == 200
    assert empty.json()["data"] == []
    assert empty.json()["message"] == (
        "Apologies! No daily quest question for your club at the moment"
    )
    refused = await submit(member, [{"question": str(new_id()), "answer": "A"}])
    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "no_daily_quest")
    await app.add_questions(5, kind="trivia")
    assert len(await questions(member)) == 5


async def test_the_clubs_id_and_exact_name_open_the_quest_and_no_other_does(
    app: RunningApp, member: SignedIn, rival: SignedIn, today: Today
) -> None:
    await app.add_questions(5, kind="trivia")

    by_id, by_name = await ask(member), await ask(member, club="Enyimba")

    assert by_id.json() == by_name.json()
    for club in (CLUB_B, "Arsenal", "enyimba", "Public", new_id(), "%00", "x" * 65):
        for call in ("daily", "attempted-daily"):
            answer = await member.get(
                f"/api/v1/question/{call}-trivial-question/{club}/{member.id}"
            )
            assert answer.status_code in {404, 422}, club
    for other_id in (rival.id, new_id()):
        for call in ("daily", "attempted-daily"):
            path = f"/api/v1/question/{call}-trivial-question/{CLUB_A}/{other_id}"
            assert (await member.get(path)).status_code == 404


async def test_no_call_of_the_quest_is_answered_without_a_token(app: RunningApp) -> None:
    answers = [
        await app.client.get(f"/api/v1/question/daily-trivial-question/{CLUB_A}/{new_id()}"),
        await app.client.get(f"/api/v1/question/attempted-daily-trivial-question/x/{new_id()}"),
        await app.client.post("/api/v1/question/submit-trivia-question", json={"choices": "[]"}),
    ]

    assert [answer.status_code for answer in answers] == [401] * 3


@pytest.mark.usefixtures("_empty_tables")
async def test_the_house_decides_how_many_questions_a_set_has(settings: Settings) -> None:
    fewer = settings.model_copy(update={"trivia_questions_per_day": 3})
    async with open_running_app(fewer) as app:
        await app.add_questions(10, kind="trivia")

        assert len(await questions(await app.member())) == 3


@pytest.mark.parametrize("size", [0, 21])
def test_a_set_of_no_or_too_many_questions_is_refused_at_the_start(size: int) -> None:
    with pytest.raises(ValueError, match="trivia_questions_per_day"):
        Settings(trivia_questions_per_day=size)
