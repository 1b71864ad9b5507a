"""The Battle Zone on two workers: a phone may reconnect to either."""

import asyncio

import pytest

from tests.conftest import SignedIn, TwoWorkers
from tests.games.battle.conftest import phone, right_key
from tests.waiting import DEADLINE_SECONDS


@pytest.fixture
async def player(two_workers: TwoWorkers) -> SignedIn:
    await two_workers.one.open_season(seconds=3)
    await two_workers.one.add_questions(12)
    member = await two_workers.one.member("ada")
    await two_workers.one.subscribe(member)
    return member


async def test_a_phone_goes_on_with_the_other_worker(
    two_workers: TwoWorkers, player: SignedIn
) -> None:
    async with phone(two_workers.one, player) as held:
        await held.send("enter_battle_zone")
        question = await held.next("new_question")
    async with phone(two_workers.other, player) as again:
        await again.send("enter_battle_zone", {"resume": True})
        resumed = await again.next("new_question")
        assert resumed["question"] == question["question"]
        assert resumed["deadlineAt"] == question["deadlineAt"]
        key = await right_key(two_workers.one, player, question["question"]["id"])
        await again.send(
            "answer_question", {"questionId": question["question"]["id"], "answer": key}
        )
        assert (await again.next("answer_result"))["isCorrect"]


async def test_the_other_workers_phone_takes_the_seat_and_the_first_is_told(
    two_workers: TwoWorkers, player: SignedIn
) -> None:
    async with phone(two_workers.one, player) as first, phone(two_workers.other, player) as second:
        await first.send("enter_battle_zone")
        await first.next("new_question")
        await second.send("enter_battle_zone")
        await second.next("new_question")
        event = await first.next("session_taken_over")
        assert event["message"] == "You opened Battle Zone on another device"
        async with asyncio.timeout(DEADLINE_SECONDS):
            while first.client.namespaces:  # noqa: ASYNC110 the client has no such event
                await asyncio.sleep(0.01)


async def test_a_worker_ends_what_a_phone_of_the_other_left_open(
    two_workers: TwoWorkers, player: SignedIn
) -> None:
    async with phone(two_workers.one, player) as held:
        await held.send("enter_battle_zone")
        await held.next("new_question")
    async with asyncio.timeout(DEADLINE_SECONDS):
        while True:
            await two_workers.other.asgi.state.services.battle.arena.sweep()
            row = await two_workers.other.database.fetch_row("SELECT outcome FROM battle_attempt")
            assert row is not None
            if row["outcome"] == "timeout":
                break
            await asyncio.sleep(0.2)


async def test_two_answers_on_two_workers_at_once_have_one_result(
    two_workers: TwoWorkers, player: SignedIn
) -> None:
    async with phone(two_workers.one, player) as first:
        await first.send("enter_battle_zone")
        question = await first.next("new_question")
        question_id = question["question"]["id"]
        async with phone(two_workers.other, player) as second:
            await second.send("enter_battle_zone", {"resume": True})
            answers = await asyncio.gather(
                *(
                    held.send("answer_question", {"questionId": question_id, "answer": key})
                    for held in (first, second)
                    for key in ("A", "B", "C", "D")
                ),
                return_exceptions=True,
            )
            acks = [one for one in answers if isinstance(one, dict)]
            assert {one["status"] for one in acks} <= {200, 409}
            result = await second.next("answer_result")
    rows = await two_workers.one.database.fetch_rows("SELECT outcome, points FROM battle_attempt")
    assert len(rows) == 1
    assert rows[0]["outcome"] == ("right" if result["isCorrect"] else "wrong")
