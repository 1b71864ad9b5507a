"""Submitting: judged once by the server, awarded once, and no answer revealed before."""

import asyncio
import json
from typing import Any

import asyncpg
import pytest
from api.foundation.core.ids import new_id
from api.foundation.core.logs import set_up_logs
from api.foundation.database.errors import DatabaseRefusal
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from tests.conftest import RunningApp, SignedIn
from tests.games.trivia.conftest import (
    SUBMIT,
    Today,
    ask,
    attempt,
    key_of,
    pair,
    questions,
    submit,
)


async def found(app: RunningApp, query: str) -> Any:
    row = await app.database.fetch_row(f"SELECT {query} AS found")
    assert row is not None
    return row["found"]


async def test_a_whole_day_from_not_attempted_to_check_back_tomorrow(
    app: RunningApp, member: SignedIn, today: Today
) -> None:
    await app.open_season()
    await app.add_questions(5, kind="trivia")
    today.at(12, days=1)
    before = await attempt(member)
    asked = await questions(member)

    answer = await submit(
        member,
        [pair(asked[0]), pair(asked[1]), pair(asked[2]), pair(asked[3], "Wrong 1")],
    )

    assert before | {"nextAt": "", "serverNow": ""} == {
        "points": None,
        "point": None,
        "correct": None,
        "total": None,
        "day": today.day.isoformat(),
        "streak": 0,
        "nextAt": "",
        "serverNow": "",
        "review": [],
    }
    assert before["nextAt"] == f"{today.day}T23:00:00.000Z"
    assert before["serverNow"] == f"{today.day}T11:00:00.000Z"
    assert answer.status_code == 201
    assert answer.json()["message"] == (
        "Congratulations! You have attempted today daily quest question."
    )
    outcome = answer.json()["data"]
    assert (outcome["point"], outcome["points"]) == (15, 15)
    assert (outcome["correct"], outcome["total"], outcome["streak"]) == (3, 5, 1)
    assert outcome["review"] == [
        question
        | {
            "chosen": key_of(question, label) if label else None,
            "right": key_of(question, "Right"),
            "explanation": "Because it is right.",
        }
        for question, label in zip(asked, ["Right", "Right", "Right", "Wrong 1", ""], strict=True)
    ]
    after = await attempt(member)
    assert (after["points"], after["point"], after["correct"], after["total"]) == (15, 15, 3, 5)
    assert (after["review"], after["streak"]) == (outcome["review"], 1)
    again = await ask(member)
    assert (again.status_code, again.json()["data"]) == (200, [])
    assert again.json()["message"] == (
        "You have attempted today's daily quest. Please check back tomorrow."
    )


async def test_the_points_reach_ledger_and_dashboard_once_with_what_they_were_for(
    app: RunningApp, member: SignedIn, today: Today
) -> None:
    await app.open_season()
    await app.add_questions(5, kind="trivia")
    asked = await questions(member)

    await submit(member, [pair(asked[0]), pair(asked[1]), pair(asked[2], "Wrong 3")])

    rows = await app.database.fetch_rows("SELECT * FROM point_entry")
    assert [(row["source"], row["points"], row["detail"], row["day"]) for row in rows] == [
        ("trivia", 10, {"right": 2, "of": 5}, today.day)
    ]
    assert rows[0]["source_id"] == await found(app, "(SELECT id FROM trivia_attempt)")
    ranking = (await member.get(f"/api/v1/dashboard/statistics/{member.id}")).json()["data"][
        "ranking"
    ]
    assert (ranking["points"], ranking["battlePoints"], ranking["cnt"]) == (10, 0, 3)
    history = (await member.get(f"/api/v1/points/{member.id}")).json()["data"]
    assert [(row["source"], row["points"]) for row in history] == [("trivia", 10)]


async def test_nothing_right_is_an_attempt_without_an_entry(
    app: RunningApp, member: SignedIn, today: Today
) -> None:
    await app.add_questions(5, kind="trivia")
    asked = await questions(member)

    answer = await submit(member, [pair(question, "Wrong 2") for question in asked])

    assert (answer.status_code, answer.json()["data"]["points"]) == (201, 0)
    assert (await attempt(member))["points"] == 0
    assert await found(app, "(SELECT count(*) FROM point_entry)") == 0
    second = await submit(member, [pair(question) for question in asked])
    assert (second.status_code, second.json()["data"]) == (409, {"points": 0})


async def test_a_second_submit_is_refused_with_the_points_of_the_first(
    app: RunningApp, member: SignedIn, today: Today
) -> None:
    await app.add_questions(5, kind="trivia")
    asked = await questions(member)
    await submit(member, [pair(asked[0])])

    answer = await submit(member, [pair(question) for question in asked])
    assert answer.status_code == 409
    assert answer.json()["error"]["code"] == "already_attempted"
    assert answer.json()["data"] == {"points": 5}
    assert await found(app, "(SELECT sum(points) FROM point_entry)") == 5


async def test_twenty_submits_at_once_give_one(live_server: RunningApp) -> None:
    await live_server.open_season()
    await live_server.add_questions(5, kind="trivia")
    member = await live_server.member()
    choices = [pair(question) for question in await questions(member)]

    answers = await asyncio.gather(
        *(submit(member, choices[turn % 5 :], key=f"submit-{turn}") for turn in range(20))
    )

    assert sorted(answer.status_code for answer in answers) == [201] + [409] * 19
    (won,) = [answer.json()["data"]["points"] for answer in answers if answer.status_code == 201]
    assert [a.json()["data"] for a in answers if a.status_code == 409] == [{"points": won}] * 19
    assert await found(live_server, "(SELECT count(*) FROM trivia_attempt)") == 1
    assert await found(live_server, "(SELECT sum(points) FROM point_entry)") == won
    assert await found(live_server, "(SELECT answered FROM member_season)") == won // 5


async def test_submits_that_wait_for_each_other_give_one(
    live_server: RunningApp, owner: AsyncEngine
) -> None:
    await live_server.add_questions(5, kind="trivia")
    member = await live_server.member()
    choices = [pair(question) for question in await questions(member)]
    async with owner.begin() as connection:
        await connection.execute(text("SELECT 1 FROM trivia_attempt FOR UPDATE"))
        waiting = [asyncio.create_task(submit(member, choices)) for _ in range(3)]
        await asyncio.wait(waiting, timeout=0.5)
        assert not any(task.done() for task in waiting)

    answers = await asyncio.gather(*waiting)

    assert sorted(answer.status_code for answer in answers) == [201, 409, 409]
    assert await found(live_server, "(SELECT sum(points) FROM point_entry)") == 25


async def test_one_key_twenty_times_at_once_is_one_answer(live_server: RunningApp) -> None:
    await live_server.add_questions(5, kind="trivia")
    member = await live_server.member()
    choices = [pair(question) for question in await questions(member)]

    answers = await asyncio.gather(
        *(submit(member, choices, key="the-one-submit") for _ in range(20))
    )

    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.text for answer in answers}) == 1
    assert answers[0].json()["data"]["points"] == 25
    replayed = [answer.headers.get("Idempotent-Replayed") for answer in answers]
    assert sorted(map(str, replayed)) == ["None"] + ["true"] * 19
    assert await found(live_server, "(SELECT sum(points) FROM point_entry)") == 25


async def test_a_retry_after_the_day_is_over_still_gets_its_answer(
    app: RunningApp, member: SignedIn, today: Today
) -> None:
    await app.add_questions(5, kind="trivia")
    choices = [pair(question) for question in await questions(member)]
    first = await submit(member, choices, key="sent-at-noon")
    today.at(12, days=1)

    again = await submit(member, choices, key="sent-at-noon")

    assert again.json() == first.json()
    assert again.headers["Idempotent-Replayed"] == "true"
    changed = await submit(member, choices[:2], key="sent-at-noon")
    assert (changed.status_code, changed.json()["error"]["code"]) == (422, "idempotency_key_reused")


async def test_a_question_is_named_in_either_letter_case_and_left_open_in_any_way(
    app: RunningApp, member: SignedIn, today: Today
) -> None:
    await app.add_questions(5, kind="trivia")
    asked = await questions(member)
    choices = [
        {"question": asked[0]["id"].upper(), "answer": key_of(asked[0], "Right")},
        pair(asked[1], "Wrong 1"),
        {"question": asked[2]["id"], "answer": None},
        {"question": asked[3]["id"], "answer": ""},
    ]

    answer = await submit(member, choices)

    outcome = answer.json()["data"]
    assert (outcome["correct"], outcome["points"], outcome["total"]) == (1, 5, 5)
    assert [one["chosen"] for one in outcome["review"]] == [
        key_of(asked[0], "Right"),
        key_of(asked[1], "Wrong 1"),
        None,
        None,
        None,
    ]
    stored = await found(app, "(SELECT choices FROM trivia_attempt)")
    assert set(stored) == {asked[0]["id"], asked[1]["id"]}


@pytest.mark.parametrize("opened", ["none named", "null", "empty"])
async def test_a_sheet_without_any_answer_is_refused_and_uses_up_nothing(
    app: RunningApp, member: SignedIn, today: Today, opened: str
) -> None:
    await app.add_questions(5, kind="trivia")
    asked = await questions(member)
    ways: dict[str, list[str | None]] = {"none named": [], "null": [None] * 5, "empty": [""] * 5}
    sheet = [
        {"question": question["id"], "answer": answer}
        for question, answer in zip(asked, ways[opened], strict=False)
    ]

    answer = await submit(member, sheet, key="sent-at-noon")

    assert answer.status_code == 422
    assert answer.json()["error"]["fields"] == {"choices": "Please answer at least one question."}
    assert (await attempt(member))["points"] is None
    later = await submit(member, [pair(question) for question in asked], key="sent-at-noon")
    assert (later.status_code, later.json()["data"]["points"]) == (201, 25)


async def test_answers_that_do_not_fit_the_questions_use_up_nothing(
    app: RunningApp, member: SignedIn, rival: SignedIn, today: Today
) -> None:
    await app.add_questions(12, kind="trivia")
    (battle,) = await app.add_questions(1, kind="battle")
    asked = await questions(member)
    good = [pair(question) for question in asked]
    first = asked[0]["id"]
    malformed: list[list[Any]] = [
        *[[*good[1:], {"question": first, "answer": other}] for other in ("E", "a", "AB", "Right")],
        *[
            [*good[:4], {"question": other, "answer": "A"}]
            for other in (
                str(battle),
                str(new_id()),
                "no-id-at-all",
                "",
                f"urn:uuid:{first}",
                f"{{{first}}}",
                first.replace("-", ""),
                f"{first}\0",
                "\ud800",
            )
        ],
        [*good, good[0]],
        [*good, {"question": first.upper(), "answer": None}],
        [*good[1:], {"question": first}],
        [*good[1:], {"answer": "A"}],
        [*good[1:], {"question": first, "answer": "A", "points": 25}],
        [*good[1:], {}],
        [*good[1:], None],
        [{"question": "no-id-at-all", "answer": "A"}],
        [{"question": str(new_id()), "answer": ""}],
    ]

    for choices in malformed:
        answer = await submit(member, choices)
        assert answer.status_code == 422, choices
        assert len(answer.json()["error"]["fields"]["choices"]) > 10

    assert (await attempt(member))["points"] is None
    assert (await submit(member, good)).json()["data"]["points"] == 25


async def test_questions_that_were_not_served_submit_nothing(
    app: RunningApp, member: SignedIn, today: Today
) -> None:
    await app.add_questions(5, kind="trivia")
    await questions(member)

    answer = await submit(member, [{"question": str(new_id()), "answer": "A"}])

    assert (answer.status_code, answer.json()["error"]["code"]) == (422, "validation_failed")
    assert (await attempt(member))["points"] is None
    assert len(await questions(member)) == 5


async def test_a_submit_before_the_questions_were_seen_is_refused(
    app: RunningApp, member: SignedIn, rival: SignedIn, today: Today
) -> None:
    await app.add_questions(5, kind="trivia")
    seen_by_the_rival = [pair(question) for question in await questions(rival)]

    answer = await submit(member, seen_by_the_rival)

    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "no_daily_quest")


@pytest.mark.parametrize(
    "choices",
    [
        "",
        "x",
        "null",
        "{}",
        '"A"',
        "[1]",
        "[null]",
        '[["id", "A"]]',
        "[{}]",
        '[{"question": 7, "answer": "A"}]',
        '[{"question": "x", "answer": 7}]',
        '[{"question": "x", "answer": ["A"]}]',
        "[" * 4000,
        "[" * 4000 + "]" * 4000,
        json.dumps([{"question": "x", "answer": "A"}] * 101),
        json.dumps([{"question": "x" * 9000, "answer": "A"}]),
    ],
)
async def test_choices_that_cannot_be_read_are_refused_with_a_sentence_and_use_up_nothing(
    app: RunningApp, member: SignedIn, today: Today, choices: str
) -> None:
    await app.add_questions(5, kind="trivia")
    await questions(member)

    answer = await submit(member, choices)

    assert answer.status_code == 422
    assert len(answer.json()["error"]["fields"]["choices"]) > 10
    assert (await attempt(member))["points"] is None


async def test_payloads_that_do_not_fit_are_refused(
    app: RunningApp, member: SignedIn, rival: SignedIn, today: Today
) -> None:
    await app.add_questions(5, kind="trivia")
    asked = await questions(member)
    sheet = [pair(question) for question in asked]
    bad_payloads: list[Any] = [
        {},
        [],
        {"choices": []},
        {"choices": None},
        {"choices": json.dumps(sheet), "points": 25},
        {"choices": json.dumps(sheet), "userId": 7},
    ]
    for bad in bad_payloads:
        assert (await member.post(SUBMIT, bad)).status_code == 422, bad
    for foreign in (
        {"userId": str(rival.id)},
        {"clubId": str(rival.club_id)},
        {"clubId": "Arsenal"},
        {"clubId": str(new_id())},
    ):
        assert (await submit(member, sheet, **foreign)).status_code == 404, foreign
    assert (await attempt(member))["points"] is None
    assert (await submit(member, sheet, clubId="Enyimba")).status_code == 201


async def test_no_answer_leaves_before_the_submit_in_any_payload_or_log(
    app: RunningApp, member: SignedIn, today: Today, capsys: pytest.CaptureFixture[str]
) -> None:
    await app.open_season()
    await app.add_questions(5, kind="trivia")
    set_up_logs("DEBUG")
    try:
        asked = await ask(member)
        payloads = [
            asked.text,
            (await ask(member)).text,
            json.dumps(await attempt(member)),
            (await member.get(f"/api/v1/dashboard/statistics/{member.id}")).text,
            (await member.get(f"/api/v1/points/{member.id}")).text,
            (await submit(member, "x")).text,
            (await submit(member, [{"question": str(new_id()), "answer": "A"}])).text,
            (await submit(member, [], clubId="Arsenal")).text,
            (await submit(member, [], key="short")).text,
        ]
        before_submit = capsys.readouterr().out
        done = await submit(member, [pair(question) for question in asked.json()["data"]])
    finally:
        set_up_logs(app.settings.log_level)

    for payload in [*payloads, before_submit]:
        assert "Because it is right" not in payload
        for name in ("right_option", "rightOption", '"right"', "explanation", "IFAB"):
            assert name not in payload
    after_submit = capsys.readouterr().out
    assert "Because it is right" in done.text
    assert "Because it is right" not in after_submit


async def test_a_submitted_attempt_is_never_rewritten(
    app: RunningApp, member: SignedIn, today: Today
) -> None:
    await app.add_questions(5, kind="trivia")
    first, *_ = await questions(member)
    for early in ("UPDATE trivia_attempt SET day = day - 1", "DELETE FROM trivia_attempt"):
        with pytest.raises((DatabaseRefusal, asyncpg.PostgresError)):
            async with app.database.transaction() as tx:
                await tx.execute(early)
    await submit(member, [pair(first)])

    for late in (
        "UPDATE trivia_attempt SET points = 25",
        "UPDATE trivia_set SET question_ids = '{}'",
        "DELETE FROM trivia_set",
    ):
        with pytest.raises((DatabaseRefusal, asyncpg.PostgresError)):
            async with app.database.transaction() as tx:
                await tx.execute(late)
