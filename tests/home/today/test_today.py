"""The home screen's call: every game in every state, the suggested action, and the position."""

import asyncio
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest
from api.foundation.core import clock
from api.foundation.database.database import Database
from api.foundation.security.members import Member
from api.foundation.security.rights import Role
from api.games.predictions.enums import PredictState
from api.games.predictions.ports import ToPredict
from api.home.today import rules
from api.home.today.ports import RunningClubBattle
from api.home.today.service import home

from tests.back_office import operator_client
from tests.conftest import RunningApp, SignedIn
from tests.games.battle.test_steps import Game
from tests.games.matches.matches import moved, written
from tests.games.trivia.conftest import Today, pair, questions, submit, today

TODAY = "/api/v1/today"
HOUR = timedelta(hours=1)
LARGEST = 6 * 1024
__all__ = ["today"]


async def read(member: SignedIn) -> dict[str, Any]:
    answer = await member.get(TODAY)
    assert answer.status_code == 200, answer.text
    assert len(answer.content) <= LARGEST
    data: dict[str, Any] = answer.json()["data"]
    return data


async def game_state(member: SignedIn, kind: str) -> dict[str, Any]:
    """Return a game's entry without its null fields."""
    [found] = [one for one in (await read(member))["doors"] if one["kind"] == kind]
    return {name: value for name, value in found.items() if value is not None and name != "kind"}


def wire(moment: datetime) -> str:
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


class GameByTheClock(Game):
    """A game that uses the application's frozen clock."""

    def __init__(self, app: RunningApp, member: SignedIn, today: Today) -> None:
        super().__init__(app, member)
        self.now = today.now


@pytest.fixture
def noon(today: Today) -> Today:
    today.at(12)
    return today


async def test_a_new_member_meets_empty_rooms_and_stands_at_nothing(
    noon: Today, app: RunningApp, member: SignedIn
) -> None:
    data = await read(member)

    assert (data["day"], data["serverNow"]) == (noon.day.isoformat(), wire(noon.now))
    assert data["nextDayAt"] == wire(clock.next_midnight(noon.now))
    assert [(one["kind"], one["state"]) for one in data["doors"]] == [
        ("quest", "none"),
        ("battle", "locked"),
        ("predict", "none"),
    ]
    assert data["action"] == {"kind": "done", "path": "/leaderboard", "until": data["nextDayAt"]}
    streak = data["me"].pop("streak")
    assert streak == {
        "days": 0,
        "best": 0,
        "doneToday": False,
        "freezesLeft": 1,
        "frozenOn": [],
        "ended": None,
    }
    assert data["me"] == {
        "points": 0,
        "sources": [],
        "battlePoints": 0,
        "badge": "rookie",
        "nextRank": None,
        "rankAt": None,
        "clubRank": None,
        "clubMembers": 1,
    }
    assert (data["nextMatch"], data["live"], data["celebrate"]) == (None, [], [])
    assert data["unread"] == {"chat": 0, "notifications": 0}
    assert data["tourSeen"] is False


async def test_the_quest_is_open_until_it_is_handed_in(
    noon: Today, app: RunningApp, member: SignedIn
) -> None:
    await app.add_questions(3, kind="trivia")
    before = await game_state(member, "quest")
    assert before == {"state": "open", "questions": 3, "pointsEach": 5}
    assert await app.database.fetch_value("SELECT count(*) FROM trivia_set") == 0
    first, *_ = await questions(member)
    assert await game_state(member, "quest") == before

    await submit(member, [pair(first)])

    assert await game_state(member, "quest") == {
        "state": "done",
        "points": 5,
        "correct": 1,
        "total": 3,
        "nextAt": wire(clock.next_midnight(noon.now)),
    }
    noon.at(0, days=1)
    assert (await game_state(member, "quest"))["state"] == "open"


async def test_the_battle_is_open_runs_and_is_done(
    noon: Today, app: RunningApp, member: SignedIn
) -> None:
    await app.open_season(quota=2)
    await app.subscribe(member)
    assert await game_state(member, "battle") == {"state": "empty"}
    await app.add_questions(9)
    game = GameByTheClock(app, member, noon)
    midnight = wire(clock.next_midnight(noon.now))
    assert await game_state(member, "battle") == {"state": "open", "left": 2, "of": 2}
    assert (await read(member))["action"]["until"] == midnight

    step = await game.enter()
    running = (await read(member))["action"]
    assert await game_state(member, "battle") == {"state": "running"}
    until = wire(noon.now + timedelta(seconds=15))
    assert running == {"kind": "battle", "path": "/battle-zone", "until": until}
    await game.answer_rightly(step)
    assert await game_state(member, "battle") == {"state": "open", "left": 1, "of": 2}
    await game.answer_rightly(await game.go_on())

    assert await game_state(member, "battle") == {"state": "done", "nextAt": midnight}


async def test_the_battle_says_what_is_in_its_way(
    noon: Today, app: RunningApp, member: SignedIn
) -> None:
    await app.add_questions(3)
    season = await app.open_season(starts_in=timedelta(days=2))
    assert await game_state(member, "battle") == {"state": "locked"}
    await app.subscribe(member)
    opens_at = wire(noon.now + timedelta(days=2))
    assert await game_state(member, "battle") == {"state": "upcoming", "opensAt": opens_at}

    async with app.database.transaction() as tx:
        await tx.execute("UPDATE season SET starts_at = $1", noon.now - HOUR)
        await tx.execute("UPDATE battle_rank SET starts_at = $1", noon.now + HOUR)
    closed = await game_state(member, "battle")
    assert closed == {"state": "rank_closed", "opensAt": wire(noon.now + HOUR)}
    async with app.database.transaction() as tx:
        await tx.execute("UPDATE battle_rank SET starts_at = NULL, ends_at = $1", noon.now - HOUR)
    assert await game_state(member, "battle") == {"state": "rank_closed"}
    async with app.database.transaction() as tx:
        await tx.execute("UPDATE season SET ends_at = $2 WHERE id = $1", season, noon.now)
    assert await game_state(member, "battle") == {"state": "over"}


class Games:
    """The predictor and the clubs' battles, as set by a test."""

    def __init__(self) -> None:
        self.predict = ToPredict(PredictState.NONE)
        self.battle: RunningClubBattle | None = None

    async def to_predict(self, _database: Database, _member: Member, _now: datetime) -> ToPredict:
        return self.predict

    async def running(
        self, _database: Database, _member: Member, _now: datetime
    ) -> RunningClubBattle | None:
        return self.battle


async def test_the_action_is_the_first_that_holds(
    noon: Today, app: RunningApp, member: SignedIn
) -> None:
    await app.open_season(quota=1)
    await app.subscribe(member)
    await app.add_questions(3)
    await app.add_questions(3, kind="trivia")
    games = Games()
    context = app.asgi.state.services.today
    context = replace(context, predictor=games, club_battles=games)
    who = Member(member.id, member.club_id, "Enyimba", member.id, clock.now())
    now = noon.now

    async def action() -> tuple[str, str]:
        found = await home.today(context, who, now)
        return found.action.kind.value, found.action.path

    soon = now + rules.PREDICT_SOON
    games.predict = ToPredict(PredictState.OPEN, 2, soon)
    games.battle = RunningClubBattle("/club-battle")
    game = GameByTheClock(app, member, noon)
    step = await game.enter()
    assert await action() == ("battle", "/battle-zone")
    await game.answer_rightly(step)
    assert await action() == ("club_battle", "/club-battle")
    tiles = (await home.today(context, who, now)).model_dump(mode="json", by_alias=True)["doors"]
    assert tiles[-1] == {"kind": "club_battle", "state": "open", "path": "/club-battle"}
    assert tiles[-2]["left"] == 2
    games.battle = None
    assert await action() == ("quest", "/trivia-questions")
    async with app.database.transaction() as tx:
        await tx.execute("UPDATE season SET questions_per_day = 2")
    first, *_ = await questions(member)
    await submit(member, [pair(first)])
    assert await action() == ("battle", "/battle-zone")
    await game.answer_rightly(await game.go_on())
    assert await action() == ("predict", "/predictions")
    games.predict = ToPredict(PredictState.OPEN, 2, soon + timedelta(seconds=1))
    assert await action() == ("done", "/leaderboard")
    games.predict = ToPredict(PredictState.DONE)
    assert await action() == ("done", "/leaderboard")


async def test_points_are_told_by_their_sources_and_the_way_to_the_next_rank(
    app: RunningApp, member: SignedIn, rival: SignedIn
) -> None:
    await app.open_season()
    for source, points in (("battle", 20), ("trivia", 15), ("battle", 10)):
        assert (await give(member, source, points)).status_code == 200
    await app.fold()

    me = (await read(member))["me"]

    assert me["points"] == 45
    assert me["sources"] == [
        {"source": "battle", "points": 30},
        {"source": "trivia", "points": 15},
    ]
    assert (me["battlePoints"], me["badge"]) == (30, "rookie")
    assert (me["nextRank"], me["rankAt"], me["clubRank"]) == ("super-fan", 50, 1)
    assert (await read(rival))["me"]["points"] == 0


async def give(member: SignedIn, source: object, points: object) -> Any:
    return await member.post("/api/v1/dev/points", {"source": source, "points": points})


async def test_a_promotion_is_celebrated_until_it_is_seen(
    app: RunningApp, member: SignedIn, rival: SignedIn
) -> None:
    await app.open_season()
    await give(member, "battle", 50)
    data = await read(member)
    [celebration] = data["celebrate"]
    assert (celebration["kind"], celebration["key"], data["me"]["badge"]) == (
        "promotion",
        "super-fan",
        "super-fan",
    )
    seen = f"/api/v1/celebrations/{celebration['id']}/seen"
    assert (await rival.post(seen)).status_code == 404
    assert (await member.post(f"/api/v1/celebrations/{member.id}/seen")).status_code == 404
    assert len((await read(member))["celebrate"]) == 1

    assert [(await member.post(seen)).status_code for _ in range(2)] == [200, 200]

    assert (await read(member))["celebrate"] == []
    await give(member, "battle", 70)
    data = await read(member)
    assert [one["key"] for one in data["celebrate"]] == ["king-of-fans"]
    assert (data["me"]["nextRank"], data["me"]["rankAt"]) == (None, None)


async def test_the_tour_is_seen_once_and_by_its_own_member(
    app: RunningApp, member: SignedIn, rival: SignedIn
) -> None:
    path = f"/api/v1/users/{member.id}/tour"
    call = member.client.put
    assert (await call(path, headers=rival.headers)).status_code == 404
    assert (await read(member))["tourSeen"] is False

    assert [(await call(path, headers=member.headers)).status_code for _ in range(2)] == [200, 200]

    assert (await read(member))["tourSeen"] is True
    assert (await read(rival))["tourSeen"] is False


async def test_the_clubs_next_match_and_the_one_that_runs_are_told(
    app: RunningApp, member: SignedIn, rival: SignedIn
) -> None:
    musa = await operator_client(app, "musa", Role.GAME_MASTER)
    now = clock.now()
    later = await written(musa, now + timedelta(days=9))
    sooner = await written(musa, now + timedelta(days=2))
    await written(musa, now - timedelta(days=9))
    running = await written(musa, now - HOUR / 2)
    await moved(musa, running, state="live", homeGoals=0, awayGoals=0)

    data = await read(member)

    assert data["nextMatch"]["id"] == sooner["id"] != later["id"]
    assert [one["id"] for one in data["live"]] == [running["id"]]
    others = await read(rival)
    assert (others["nextMatch"], others["live"]) == (None, [])


async def test_a_day_takes_few_statements(
    app: RunningApp, member: SignedIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    await app.open_season()
    await app.subscribe(member)
    await app.add_questions(3)
    await app.add_questions(3, kind="trivia")
    await read(member)
    asked = []
    run = Database._run

    async def counted(self: Database, method: str, text: str, arguments: Any) -> object:
        asked.append(text)
        return await run(self, method, text, arguments)

    monkeypatch.setattr(Database, "_run", counted)
    who = Member(member.id, member.club_id, "Enyimba", member.id, clock.now())
    await home.today(app.asgi.state.services.today, who, clock.now())

    # Position, streak, tour; the quest, three times until it is drawn; the battle, and whether it
    # has a question; matches, rooms, notifications.
    assert len(asked) <= 12


async def test_a_day_is_nobodys_without_a_token(app: RunningApp) -> None:
    assert (await app.client.get(TODAY)).status_code == 401


async def test_fifty_looks_at_once_say_the_same(app: RunningApp, member: SignedIn) -> None:
    await app.open_season()
    answers = await asyncio.gather(*(read(member) for _ in range(50)))

    for one in answers:
        del one["serverNow"]
    assert all(one == answers[0] for one in answers)
