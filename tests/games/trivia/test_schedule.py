"""The quest of a day scheduled at the back office."""

import asyncio
import json
from datetime import date, timedelta
from typing import Any
from uuid import UUID

import httpx
import pytest
from api.foundation.core import clock
from api.foundation.core.ids import new_id
from api.foundation.security.rights import Role
from api.games.trivia.service import quest as quest_service

from tests.back_office import ADMIN, OperatorClient, operator_client
from tests.conftest import CLUB_A, CLUB_B, RunningApp, SignedIn

SCHEDULE = f"{ADMIN}/trivia/schedule"


@pytest.fixture
async def musa(app: RunningApp) -> OperatorClient:
    return await operator_client(app, "musa", Role.GAME_MASTER)


def today() -> date:
    return clock.lagos_day(clock.now())


async def put(
    operator: OperatorClient, ids: list[UUID], *, day: date | None = None, club: object = "all"
) -> httpx.Response:
    body = {"questionIds": [str(one) for one in ids]}
    path = f"{SCHEDULE}/{day or today()}/{club}"
    return await operator.client.put(path, json=body, headers=operator.headers)


async def asked(member: SignedIn) -> list[str]:
    club = "Enyimba" if member.club_id == CLUB_A else "Arsenal"
    path = f"/api/v1/question/daily-trivial-question/{club}/{member.id}"
    return [one["id"] for one in (await member.get(path)).json()["data"]]


def refused(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["error"]["code"]


async def actions(app: RunningApp) -> list[str]:
    rows = await app.database.fetch_rows("SELECT action FROM audit_entry ORDER BY id")
    return [row["action"] for row in rows]


async def test_what_is_scheduled_is_asked_in_its_order_and_stands_once_it_was(
    app: RunningApp, musa: OperatorClient, member: SignedIn
) -> None:
    ids = await app.add_questions(12, kind="trivia")
    wanted = [ids[7], ids[2], ids[11]]

    answer = await put(musa, wanted)

    assert answer.status_code == 200, answer.text
    assert answer.json()["data"] == {
        "day": str(today()),
        "clubId": None,
        "questionIds": [str(one) for one in wanted],
        "questions": [
            {
                "id": str(ids[n]),
                "slug": str(ids[n]),
                "question": f"What is right? ({n + 1})",
                "retired": False,
            }
            for n in (7, 2, 11)
        ],
        "frozen": False,
    }
    (row,) = (await musa.get(SCHEDULE)).json()["data"]["rows"]
    assert [one["id"] for one in row["questions"]] == row["questionIds"]
    assert await asked(member) == [str(one) for one in wanted]
    for club in ("all", CLUB_A, "Enyimba"):
        assert refused(await put(musa, ids[:2], club=club)) == (409, "set_frozen")
    assert (await put(musa, ids[:2], club=CLUB_B)).status_code == 200
    read = (await musa.get(f"{SCHEDULE}/{today()}/enyimba")).json()["data"]
    assert (read["frozen"], read["questionIds"]) == (True, [str(one) for one in wanted])
    assert await actions(app) == ["schedule", "schedule"]


async def test_a_clubs_own_schedule_comes_before_that_of_all(
    app: RunningApp, musa: OperatorClient, member: SignedIn, rival: SignedIn
) -> None:
    ids = await app.add_questions(6, kind="trivia")
    (own,) = await app.add_questions(1, kind="trivia", club_id=CLUB_A)
    await put(musa, ids[:2])
    await put(musa, [own, ids[5]], club="Enyimba")

    assert await asked(member) == [str(own), str(ids[5])]
    assert await asked(rival) == [str(one) for one in ids[:2]]


async def test_only_what_the_club_may_be_asked_is_scheduled(
    app: RunningApp, musa: OperatorClient
) -> None:
    (quest,) = await app.add_questions(1, kind="trivia")
    (battle,) = await app.add_questions(1)
    (others,) = await app.add_questions(1, kind="trivia", club_id=CLUB_B)
    retired, *_ = await app.add_questions(1, kind="trivia")
    await musa.post(f"{ADMIN}/questions/{retired}/retire", {"reason": "Old"})

    for wrong in ([battle], [others], [retired], [new_id()], [quest, quest], [quest] * 21):
        assert (await put(musa, wrong, club=CLUB_A)).status_code == 422
    assert (await put(musa, [others])).status_code == 422
    assert (await put(musa, [quest], club="Nobody")).status_code == 404
    assert (await put(musa, [quest], club=new_id())).status_code == 404
    yesterday = today() - timedelta(days=1)
    assert refused(await put(musa, [quest], day=yesterday)) == (409, "set_frozen")
    odd = await musa.client.put(
        f"{SCHEDULE}/2026-02-30/all", json={"questionIds": []}, headers=musa.headers
    )
    assert odd.status_code == 422
    assert await actions(app) == ["retire"]


async def test_no_questions_leave_the_day_to_chance_again(
    app: RunningApp, musa: OperatorClient, member: SignedIn
) -> None:
    ids = await app.add_questions(9, kind="trivia")
    await put(musa, ids[:1])

    cleared = await put(musa, [])

    assert cleared.json()["data"]["questionIds"] == []
    assert len(await asked(member)) == 5


async def test_a_question_that_was_corrected_since_is_asked_as_it_is_now(
    app: RunningApp, musa: OperatorClient, member: SignedIn
) -> None:
    first, second, third = await app.add_questions(3, kind="trivia")
    await put(musa, [first, second, third])
    await musa.post(f"{ADMIN}/questions/{third}/retire", {"reason": "Wrong"})
    row = {
        "slug": str(first),
        "kind": "trivia",
        "topic": "laws",
        "question": "What is right now?",
        **{"right": "This", "wrong_1": "That", "wrong_2": "Those", "wrong_3": "None"},
        "explanation": "It is.",
        "source": "IFAB",
        "difficulty": 1,
    }
    corrected = (await musa.post(f"{ADMIN}/questions", row)).json()["data"]

    shown = (await musa.get(f"{SCHEDULE}/{today()}/all")).json()["data"]
    (listed,) = (await musa.get(SCHEDULE)).json()["data"]["rows"]
    assert [one["retired"] for one in shown["questions"]] == [False, False, True]
    assert listed["questions"] == shown["questions"]
    assert await asked(member) == [corrected["id"], str(second)]


async def test_when_all_that_was_scheduled_is_retired_the_day_is_drawn(
    app: RunningApp, musa: OperatorClient, member: SignedIn
) -> None:
    gone, *others = await app.add_questions(6, kind="trivia")
    await put(musa, [gone])
    await musa.post(f"{ADMIN}/questions/{gone}/retire", {"reason": "Wrong"})

    assert sorted(await asked(member)) == sorted(str(one) for one in others)


async def test_a_day_that_is_drawn_while_it_is_scheduled_asks_the_one_or_the_other(
    live_server: RunningApp,
) -> None:
    musa = await operator_client(live_server, "musa", Role.GAME_MASTER)
    ids = await live_server.add_questions(40, kind="trivia")
    outcomes = set()
    head_starts = [0.001 * tenth for tenth in range(11)] + [None]  # None: it finishes first
    for round_, head_start in enumerate(head_starts):
        day, wanted = today() + timedelta(days=round_), ids[round_ : round_ + 3]

        async def draw(day: date = day) -> None:
            async with live_server.database.transaction() as tx:
                await quest_service.freeze_set(tx, CLUB_A, day, 5)

        club = "all" if round_ % 2 else CLUB_A
        put_first = asyncio.create_task(put(musa, wanted, day=day, club=club))
        await asyncio.wait({put_first}, timeout=head_start)
        await asyncio.gather(put_first, *(draw() for _ in range(3)))

        answer = put_first.result()
        drawn = await live_server.database.fetch_value(
            "SELECT question_ids FROM trivia_set WHERE day = $1", day
        )
        kept = await live_server.database.fetch_value(
            "SELECT count(*) FROM trivia_schedule WHERE day = $1", day
        )
        outcomes.add(answer.status_code)
        if answer.status_code == 200:
            assert (drawn, kept) == (wanted, 1)
        else:
            assert refused(answer) == (409, "set_frozen")
            assert (len(drawn), kept) == (5, 0)
    assert 200 in outcomes


async def test_who_schedules_waits_for_who_draws_and_finds_the_day_frozen(
    app: RunningApp, musa: OperatorClient
) -> None:
    ids = await app.add_questions(9, kind="trivia")

    async with app.database.transaction() as tx:
        await quest_service.freeze_set(tx, CLUB_A, today(), 5)
        scheduling = asyncio.create_task(put(musa, ids[:1]))
        await asyncio.wait({scheduling}, timeout=0.5)
        assert not scheduling.done()

    assert refused(await scheduling) == (409, "set_frozen")


async def test_the_schedule_is_listed_by_day(app: RunningApp, musa: OperatorClient) -> None:
    ids = await app.add_questions(2, kind="trivia")
    for days in (0, 1, 3, 40):
        await put(musa, ids, day=today() + timedelta(days=days))
    await put(musa, ids[:1], day=today() + timedelta(days=1), club=CLUB_A)

    async def rows(query: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = (await musa.get(f"{SCHEDULE}?{query}")).json()["data"]["rows"]
        return found

    span = f"from={today()}&to={today() + timedelta(days=3)}"
    listed = await rows(span)
    assert [(row["day"], row["club"]) for row in listed[::3]] == [
        (str(today() + timedelta(days=3)), None),
        (str(today()), None),
    ]
    assert len(listed) == len(await rows("")) == 4
    assert {row["club"] for row in listed} == {None, "Enyimba"}
    page = (await musa.get(f"{SCHEDULE}?{span}&limit=3")).json()["data"]
    rest = await rows(f"{span}&limit=3&before={page['next']}")
    assert [*page["rows"], *rest] == listed
    backwards = await musa.get(f"{SCHEDULE}?from={today()}&to=2020-01-01")
    assert backwards.status_code == 422
    assert json.loads(backwards.text)["error"]["fields"].keys() == {"to"}
