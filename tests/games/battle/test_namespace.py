"""The Battle Zone over a real socket: which events are sent, when, and to whom."""

import asyncio
import json
import re
from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest
import socketio
from api.foundation.core import clock
from api.foundation.core.ids import new_id
from api.main import create_app
from socketio.exceptions import ConnectionError as RefusedError
from structlog.testing import capture_logs

from tests.conftest import CLUB_B, RunningApp, SignedIn, served
from tests.games.battle.conftest import another_key, phone, right_key
from tests.phone import Phone
from tests.waiting import DEADLINE_SECONDS


@pytest.fixture
async def player(live_server: RunningApp) -> SignedIn:
    """Return a member with a plan, in a season of three-second questions."""
    await live_server.open_season(seconds=3)
    await live_server.add_questions(12)
    member = await live_server.member("ada")
    await live_server.subscribe(member)
    return member


async def answer(app: RunningApp, who: SignedIn, held: Phone, question: Any, *, right: bool) -> Any:
    question_id = question["question"]["id"]
    key = await right_key(app, who, question_id)
    await held.send(
        "answer_question",
        {
            "questionId": question_id,
            "userId": str(who.id),
            "clubId": str(who.club_id),
            "answer": key if right else another_key(key),
            "timeLeft": 99_999,
        },
    )
    return await held.next("answer_result")


async def test_five_questions_are_played_to_the_end(
    live_server: RunningApp, player: SignedIn
) -> None:
    async with phone(live_server, player) as held:
        ack = await held.send("enter_battle_zone", {"userId": str(player.id)})
        assert ack["data"] == {"state": "question"}
        for number in range(1, 6):
            question = await held.next("new_question")
            assert (question["number"], question["total"]) == (number, 5)
            assert question["timeLimit"] == 3
            assert list(json.loads(question["question"]["options"])) == ["A", "B", "C", "D"]
            result = await answer(live_server, player, held, question, right=number != 2)
            assert result["isCorrect"] is (number != 2)
            assert result["pointAwarded"] == (10 if number != 2 else 0)
            labels = json.loads(question["question"]["options"])
            assert labels[result["rightAnswer"]] == "Right"
            await held.send("next_question")
        ended = await held.next("no_more_questions")
        assert (ended["points"], ended["cnt"], ended["answeredCorrectly"]) == (40, 5, 4)
        assert ended["today"] == {
            "points": 40,
            "cnt": 5,
            "answeredCorrectly": 4,
            "served": 5,
            "timedOut": 0,
        }
        assert datetime.fromisoformat(ended["nextOpensAt"]) > clock.now()
        assert (await held.send("next_question"))["data"] == {"state": "ended"}
        assert (await held.next("attempted_all_question"))["message"]


async def test_the_time_runs_out_on_the_servers_clock_whatever_the_phone_says(
    live_server: RunningApp, player: SignedIn
) -> None:
    async with phone(live_server, player) as held:
        await held.send("enter_battle_zone")
        question = await held.next("new_question")
        deadline_at = datetime.fromisoformat(question["deadlineAt"])
        assert (deadline_at - datetime.fromisoformat(question["serverNow"])).total_seconds() <= 3
        up = await held.next("time_up")
        assert clock.now() >= deadline_at
        ticks = [tick["remainingTime"] for event, tick in held.received if event == "time_update"]
        assert ticks[-2:] == [2, 1]
        assert set(ticks) <= {3, 2, 1}
        assert up["questionId"] == question["question"]["id"]
        result = await held.next("answer_result")
        assert (result["isCorrect"], result["timedOut"], result["answer"]) == (False, True, None)
        late = await held.send(
            "answer_question",
            {"questionId": up["questionId"], "answer": "", "timeLeft": 3},
        )
        assert late["status"] == 200
        assert (await held.next("answer_result"))["timedOut"]
        row = await live_server.database.fetch_row(
            "SELECT count(*) AS attempts, min(outcome) AS outcome FROM battle_attempt"
        )
        assert row is not None
        assert (row["attempts"], row["outcome"]) == (1, "timeout")


async def test_withholding_the_timer_event_does_not_stop_the_clock(
    live_server: RunningApp, player: SignedIn
) -> None:
    async with phone(live_server, player) as held:
        await held.send("enter_battle_zone")
        question = await held.next("new_question")
        first = await held.send("start_timer", question["question"])
        assert datetime.fromisoformat(first["data"]["deadlineAt"]) >= datetime.fromisoformat(
            question["deadlineAt"]
        )
        again = await held.send("start_timer", {"questionId": question["question"]["id"]})
        assert again["data"]["deadlineAt"] is None
        await held.next("time_up")


async def test_a_dropped_phone_comes_back_to_the_same_question_with_less_time(
    live_server: RunningApp, player: SignedIn
) -> None:
    async with phone(live_server, player) as held:
        await held.send("enter_battle_zone")
        first = await held.next("new_question")
    await asyncio.sleep(1)
    async with phone(live_server, player) as again:
        assert (await again.send("enter_battle_zone", {"resume": True}))["data"] == {
            "state": "question"
        }
        resumed = await again.next("new_question")
        assert resumed["question"] == first["question"]
        assert resumed["deadlineAt"] == first["deadlineAt"]
        assert resumed["resumed"]
        assert resumed["remainingTime"] <= 2
        assert (await answer(live_server, player, again, resumed, right=True))["isCorrect"]


async def test_a_phone_that_stays_away_finds_its_time_out_recorded(
    live_server: RunningApp, player: SignedIn
) -> None:
    async with phone(live_server, player) as held:
        await held.send("enter_battle_zone")
        await held.next("new_question")
    arena = live_server.asgi.state.services.battle.arena
    async with asyncio.timeout(DEADLINE_SECONDS):
        while True:
            await arena.sweep()
            row = await live_server.database.fetch_row("SELECT outcome FROM battle_attempt")
            assert row is not None
            if row["outcome"] is not None:
                break
            await asyncio.sleep(0.2)
    assert row["outcome"] == "timeout"
    async with phone(live_server, player) as again:
        ack = await again.send("enter_battle_zone", {"resume": True})
        assert ack["data"] == {"state": "result"}
        assert (await again.next("answer_result"))["timedOut"]


async def test_the_second_phone_goes_on_and_the_first_is_told_and_closed(
    live_server: RunningApp, player: SignedIn
) -> None:
    async with phone(live_server, player) as first, phone(live_server, player) as second:
        await first.send("enter_battle_zone")
        question = await first.next("new_question")
        await second.send("enter_battle_zone")
        assert (await second.next("new_question"))["question"] == question["question"]
        ack = await first.next("session_taken_over")
        assert ack == {"message": "You opened Battle Zone on another device"}
        async with asyncio.timeout(DEADLINE_SECONDS):
            while first.client.namespaces:  # noqa: ASYNC110 the client has no such event
                await asyncio.sleep(0.01)
        assert (await answer(live_server, player, second, question, right=True))["isCorrect"]
        assert first.count("answer_result") == 0


async def test_the_challengers_are_sent_on_enter_and_when_they_change(
    live_server: RunningApp, player: SignedIn
) -> None:
    rival = await live_server.member("bello", club_id=CLUB_B)
    await live_server.subscribe(rival)
    async with phone(live_server, player) as mine, phone(live_server, rival) as theirs:
        await mine.send("enter_battle_zone")
        myself = {
            "rank": None,
            "firstname": "Ada",
            "lastname": "Obi",
            "points": 0,
            "me": True,
            "name": "Enyimba",
            "emblem": f"/media/crests/{player.club_id}.svg",
            "avatar": None,
        }
        assert await mine.next("challengers_list") == {"data": [myself]}
        await theirs.send("enter_battle_zone")
        question = await theirs.next("new_question")
        await answer(live_server, rival, theirs, question, right=True)
        seen = await mine.next("challengers_list")
        assert seen["data"] == [
            {
                "rank": 1,
                "firstname": "Bello",
                "lastname": "Obi",
                "points": 10,
                "me": False,
                "name": "Arsenal",
                "emblem": f"/media/crests/{CLUB_B}.svg",
                "avatar": None,
            },
            myself,
        ]
        await mine.send("next_question")
        question = await mine.next("new_question")
        await answer(live_server, player, mine, question, right=True)
        seen = await mine.next("challengers_list")
        assert {(row["rank"], row["firstname"], row["me"]) for row in seen["data"]} == {
            (1, "Bello", False),
            (1, "Ada", True),
        }
        quiet_from = mine.count("challengers_list")
        await asyncio.sleep(2.5)
        assert mine.count("challengers_list") == quiet_from


async def test_a_challenger_below_the_best_ten_sees_the_own_row_after_them(
    live_server: RunningApp, player: SignedIn
) -> None:
    row = await live_server.database.fetch_row("SELECT id FROM season")
    assert row is not None
    async with live_server.database.transaction() as tx:
        for number in range(12):
            fan = new_id()
            await tx.execute(
                "INSERT INTO user_account (id, club_id, first_name, last_name, email, phone, "
                "terms_accepted_at, activated_at) VALUES ($1, $2, 'Bello', 'Obi', $3, "
                "$4, now(), now())",
                fan,
                CLUB_B,
                f"fan{number}@example.com",
                f"+23480{number:08d}",
            )
            for who, points in ((fan, 100 + number), (player.id, 5)):
                await tx.execute(
                    "SELECT award_points($1, $2, $3, $4, 'battle', $1, NULL, "
                    "$5, 1, 1, 0, '{}', current_date, now())",
                    new_id(),
                    who,
                    CLUB_B,
                    row["id"],
                    points,
                )
    await live_server.fold()
    async with phone(live_server, player) as held:
        await held.send("enter_battle_zone")
        rows = (await held.next("challengers_list"))["data"]
    assert len(rows) == 11
    assert rows[0]["points"] == 111
    assert (rows[-1]["rank"], rows[-1]["points"], rows[-1]["me"]) == (13, 60, True)
    assert (rows[-1]["name"], rows[-1]["firstname"]) == ("Enyimba", "Ada")


async def test_refusals_are_told_by_the_acknowledgement_and_nothing_is_sent(
    live_server: RunningApp,
) -> None:
    member = await live_server.member("ada")
    await live_server.open_season()
    async with phone(live_server, member) as held:
        for event in ("enter_battle_zone", "next_question"):
            ack = await held.send(event)
            assert (ack["status"], ack["code"]) == (402, "plan_required")
            assert ack["message"] == "Upgrade to a plan that include battle zone by subscribing."
        assert held.count("new_question") == 0


@pytest.mark.parametrize(
    ("event", "payload", "status"),
    [
        ("enter_battle_zone", {"userId": str(new_id())}, 404),
        ("enter_battle_zone", {"clubId": str(CLUB_B)}, 404),
        ("enter_battle_zone", {"resume": "yes"}, 422),
        ("answer_question", {"questionId": str(new_id()), "answer": "A"}, 404),
        ("answer_question", {"questionId": "1 OR 1=1", "answer": "A"}, 422),
        ("answer_question", {"questionId": str(new_id()), "answer": "E"}, 422),
        ("answer_question", {"questionId": str(new_id()), "answer": ["A"]}, 422),
        ("answer_question", {"questionId": str(new_id())}, 422),
        ("answer_question", "A", 422),
        ("start_timer", {"question": {"id": 7}}, 422),
        ("next_question", {"userId": str(new_id())}, 404),
        ("give_me_points", {"points": 1000}, 404),
    ],
)
async def test_bad_input_gets_a_clear_word_and_changes_nothing(
    live_server: RunningApp, player: SignedIn, event: str, payload: Any, status: int
) -> None:
    async with phone(live_server, player) as held:
        await held.send("enter_battle_zone")
        question = await held.next("new_question")
        ack = await held.send(event, payload)
        assert ack["status"] == status
        assert ack["message"]
        assert "Value error" not in ack["message"]
        assert (await answer(live_server, player, held, question, right=True))["isCorrect"]


async def test_an_answer_from_another_members_phone_is_not_theirs_to_give(
    live_server: RunningApp, player: SignedIn
) -> None:
    rival = await live_server.member("bello", club_id=CLUB_B)
    await live_server.subscribe(rival)
    async with phone(live_server, player) as mine, phone(live_server, rival) as theirs:
        await mine.send("enter_battle_zone")
        question = await mine.next("new_question")
        await theirs.send("enter_battle_zone")
        other = await theirs.next("new_question")
        if other["question"]["id"] != question["question"]["id"]:
            stolen = await theirs.send(
                "answer_question", {"questionId": question["question"]["id"], "answer": "A"}
            )
            assert stolen["status"] == 404
        forged = await theirs.send(
            "answer_question",
            {
                "questionId": question["question"]["id"],
                "answer": "A",
                "userId": str(player.id),
            },
        )
        assert forged["status"] == 404
        assert (await answer(live_server, player, mine, question, right=True))["isCorrect"]


@pytest.mark.parametrize("query", ["userId=someone", f"clubId={CLUB_B}"])
async def test_a_handshake_with_anothers_id_is_refused(
    live_server: RunningApp, player: SignedIn, query: str
) -> None:
    client = socketio.AsyncClient(reconnection=False)
    with pytest.raises(RefusedError):
        await client.connect(
            f"{live_server.base_url}?{query}",
            auth={"token": player.token},
            namespaces=["/battle-ground"],
            transports=["websocket"],
        )


async def test_the_right_answer_is_in_no_payload_and_no_log_before_the_result(
    live_server: RunningApp, player: SignedIn
) -> None:
    with capture_logs() as logs:
        async with phone(live_server, player) as held:
            await held.send("enter_battle_zone")
            question = await held.next("new_question")
            await held.send("start_timer", question["question"])
            await held.send("answer_question", {"questionId": str(new_id()), "answer": "A"})
            await held.next("time_update")
            before = json.dumps(held.received)
            key = await right_key(live_server, player, question["question"]["id"])
            assert "Because it is right." not in before
            assert not re.search(r"right_?(answer|option)", before, re.IGNORECASE)
            assert before.count('\\"Right\\"') == 1, "the label itself is among the options, once"
            assert json.loads(question["question"]["options"])[key] == "Right"
    assert "Right" not in json.dumps(logs, default=str)


async def test_a_restarted_server_resumes_the_running_question(
    live_server: RunningApp, player: SignedIn
) -> None:
    async with phone(live_server, player) as held:
        await held.send("enter_battle_zone")
        question = await held.next("new_question")
    async with (
        served(create_app(live_server.settings)) as base_url,
        phone(replace(live_server, base_url=base_url), player) as again,
    ):
        await again.send("enter_battle_zone", {"resume": True})
        resumed = await again.next("new_question")
        assert resumed["question"] == question["question"]
        assert resumed["deadlineAt"] == question["deadlineAt"]
        await again.next("time_up")
        assert (await again.next("answer_result"))["timedOut"]
