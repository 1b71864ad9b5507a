"""Updates of matches on screens: those of the member's club, and those they watch."""

import asyncio
from contextlib import AbstractAsyncContextManager
from typing import Any

import pytest
from api.foundation.core import clock
from api.foundation.core.ids import new_id
from api.foundation.security.rights import Role
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from tests.back_office import OperatorClient, operator_client
from tests.conftest import CLUB_A, CLUB_B, RunningApp, SignedIn, TwoWorkers
from tests.games.matches.matches import DAY, HOUR, MATCHES, moved, push, pushed, row, shown, written
from tests.phone import Phone, connected
from tests.waiting import DEADLINE_SECONDS, until

UPDATE = "fixture_update"
LOSE_LISTENER = (
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
    "WHERE query LIKE 'SELECT pg_postmaster_start_time%' OR query LIKE 'LISTEN%'"
)
FIELDS = {
    *("id", "version", "what", "state", "phaseStartedAt", "half"),
    *("goals", "kickOffAt", "serverNow"),
}


def screen(app: RunningApp, member: SignedIn) -> AbstractAsyncContextManager[Phone]:
    return connected(app, member, "/payment", (UPDATE,))


def caught_up_at(app: RunningApp) -> float:
    """Return when the process last emitted missed changes, in seconds since 1970, or 0."""
    registry = app.asgi.state.services.metrics.registry
    return registry.get_sample_value("job_last_success_seconds", {"job": "fixtures"}) or 0


@pytest.fixture
async def live_server(live_server: RunningApp) -> RunningApp:
    """The application with its listener up and missed changes emitted."""
    await until(lambda: caught_up_at(live_server) > 0)
    return live_server


@pytest.fixture
async def ada(live_server: RunningApp) -> SignedIn:
    return await live_server.member("ada", club_id=CLUB_A)


@pytest.fixture
async def bello(live_server: RunningApp) -> SignedIn:
    return await live_server.member("bello", club_id=CLUB_B)


@pytest.fixture
async def mina(live_server: RunningApp) -> OperatorClient:
    return await operator_client(live_server, "mina", Role.GAME_MASTER)


async def watch(phone: Phone, *ids: str) -> Any:
    return await phone.send("watch_fixtures", {"ids": ids})


async def quiet(*phones: Phone) -> None:
    """Wait, and require that no other event arrives."""
    counts = [phone.count(UPDATE) for phone in phones]
    await asyncio.sleep(0.7)
    assert [phone.count(UPDATE) for phone in phones] == counts


async def test_both_clubs_members_are_told_of_a_match_from_kick_off_to_correction(
    live_server: RunningApp, mina: OperatorClient, ada: SignedIn, bello: SignedIn
) -> None:
    fixture = await written(mina, clock.now() - HOUR, away="Arsenal")
    steps: list[tuple[str, dict[str, Any]]] = [
        ("kick_off", {"state": "live", "homeGoals": 0, "awayGoals": 0}),
        ("goal", {"homeGoals": 1}),
        ("goal", {"awayGoals": 1}),
        ("correction", {"homeGoals": 0}),
        ("half_time", {"state": "half_time"}),
        ("second_half", {"state": "live"}),
        ("full_time", {"state": "finished", "homeGoals": 2}),
        ("correction", {"homeGoals": 3}),
        ("off", {"state": "awarded", "homeGoals": 3, "awayGoals": 0}),
    ]
    async with screen(live_server, ada) as hers, screen(live_server, bello) as his:
        for what, changes in steps:
            fixture = await moved(mina, fixture, **changes)
            news = await hers.next(UPDATE)
            also = await his.next(UPDATE)

            assert set(news) == FIELDS
            assert also == news
            assert news["what"] == what
            for name in ("id", "version", "state", "phaseStartedAt", "kickOffAt"):
                assert news[name] == fixture[name]
            goals = {"home": fixture["homeGoals"], "away": fixture["awayGoals"]}
            assert news["goals"] == goals
        await quiet(hers, his)


@pytest.mark.parametrize(
    ("changes", "what"),
    [
        ({"kickOffAt": (clock.now() + 2 * DAY).isoformat()}, "moved"),
        ({"state": "postponed"}, "off"),
        ({"state": "cancelled"}, "off"),
        ({"venue": "Kano"}, None),
    ],
)
async def test_a_match_to_come_is_moved_or_off_and_its_place_is_not_told(
    live_server: RunningApp,
    mina: OperatorClient,
    ada: SignedIn,
    changes: dict[str, Any],
    what: str | None,
) -> None:
    fixture = await written(mina)
    async with screen(live_server, ada) as hers:
        fixture = await moved(mina, fixture, **changes)
        if what is None:
            await quiet(hers)
            return
        assert (await hers.next(UPDATE))["what"] == what
        if fixture["state"] == "postponed":
            await moved(mina, fixture, state="scheduled")
            assert (await hers.next(UPDATE))["what"] == "moved"


async def test_others_are_told_of_what_they_watch_and_each_screen_once(
    live_server: RunningApp, mina: OperatorClient, ada: SignedIn, bello: SignedIn
) -> None:
    first = await written(mina, clock.now() - HOUR)
    second = await written(mina, clock.now() - HOUR, away="Lobi Stars")
    async with screen(live_server, ada) as hers, screen(live_server, bello) as his:
        answer = await watch(his, first["id"], first["id"], str(new_id()))
        assert answer["status"] == 200
        assert answer["data"] == {"fixtures": [await shown(ada, f"{MATCHES}/{first['id']}")]}
        assert (await watch(hers, first["id"]))["status"] == 200

        live = {"state": "live", "homeGoals": 0, "awayGoals": 0}
        first = await moved(mina, first, **live)
        second = await moved(mina, second, **live)
        assert (await his.next(UPDATE))["id"] == first["id"]
        assert [(await hers.next(UPDATE))["id"] for _ in range(2)] == [
            first["id"],
            second["id"],
        ]
        await quiet(hers, his)

        await watch(his, second["id"])
        await moved(mina, first, homeGoals=1)
        await moved(mina, second, awayGoals=1)
        assert (await his.next(UPDATE))["id"] == second["id"]
        await quiet(his)


async def test_results_of_long_ago_are_noted_down_and_told_nobody(
    live_server: RunningApp, ada: SignedIn
) -> None:
    past = {"state": "finished", "home_goals": 2, "away_goals": 1}
    old = row("old", kick_off_at=(clock.now() - 7 * HOUR).isoformat(), **past)
    new = row("new", kick_off_at=(clock.now() - 3 * HOUR).isoformat(), **past)
    async with screen(live_server, ada) as hers:
        assert await pushed(live_server, old, new) == (2, 0, [])

        assert (await hers.next(UPDATE))["what"] == "full_time"
        await quiet(hers)


async def test_after_a_lost_connection_only_what_is_news_is_told_again(
    live_server: RunningApp, ada: SignedIn, owner: AsyncEngine
) -> None:
    kick_off = (clock.now() - HOUR).isoformat()
    past = {"kick_off_at": (clock.now() - 7 * HOUR).isoformat(), "state": "finished"}
    old = row("old", **past, home_goals=2, away_goals=1)
    live = row("live", kick_off_at=kick_off, state="live", home_goals=1, away_goals=0)
    async with screen(live_server, ada) as hers:
        assert await pushed(live_server, old, row("new"), live) == (3, 0, [])
        assert (await hers.next(UPDATE))["what"] == "kick_off"
        before = caught_up_at(live_server)

        async with owner.begin() as connection:
            await connection.execute(text(LOSE_LISTENER))
        await until(lambda: caught_up_at(live_server) > before)

        assert (await hers.next(UPDATE))["goals"] == {"home": 1, "away": 0}
        await quiet(hers)


async def test_who_watches_the_id_of_a_club_is_not_told_what_its_members_are(
    live_server: RunningApp, mina: OperatorClient, ada: SignedIn, bello: SignedIn
) -> None:
    fixture = await written(mina, clock.now() - HOUR, away="Lobi Stars")
    async with screen(live_server, ada) as hers, screen(live_server, bello) as his:
        await watch(his, str(ada.club_id))

        await moved(mina, fixture, state="live", homeGoals=0, awayGoals=0)

        assert (await hers.next(UPDATE))["id"] == fixture["id"]
        await quiet(his)


@pytest.mark.parametrize(
    "payload",
    [{}, {"ids": "one"}, {"ids": ["none"]}, {"ids": [str(new_id())] * 21}, {"ids": [], "more": 1}],
)
async def test_a_wish_to_watch_that_does_not_fit_is_refused(
    live_server: RunningApp, ada: SignedIn, payload: Any
) -> None:
    async with screen(live_server, ada) as hers:
        answer = await hers.send("watch_fixtures", payload)

        assert (answer["status"], answer["code"]) == (422, "validation_failed")
        assert (await watch(hers, *(str(new_id()) for _ in range(20))))["data"] == {"fixtures": []}
        assert (await hers.send("watch_nothing"))["status"] == 404


async def test_a_screen_that_is_gone_watches_nothing(
    live_server: RunningApp, mina: OperatorClient, bello: SignedIn
) -> None:
    fixture = await written(mina)
    namespace = live_server.asgi.state.services.member_channel
    async with screen(live_server, bello) as his:
        await watch(his, fixture["id"])
        assert len(namespace._watched) == 1
        assert len(namespace._watchers) == 1
    async with asyncio.timeout(DEADLINE_SECONDS):
        while namespace._watched or namespace._watchers or any(namespace._sids.values()):  # noqa: ASYNC110 no event
            await asyncio.sleep(0.01)


async def test_what_is_refused_or_taken_back_is_not_told(
    live_server: RunningApp, mina: OperatorClient, ada: SignedIn
) -> None:
    fixture = await written(mina, clock.now() - HOUR)
    async with screen(live_server, ada) as hers:
        stale = fixture | {"version": 9}
        with pytest.raises(AssertionError):
            await moved(mina, stale, state="live", homeGoals=0, awayGoals=0)
        with pytest.raises(AssertionError):
            await moved(mina, fixture, state="half_time", homeGoals=0, awayGoals=0)
        await quiet(hers)


async def test_a_pushed_goal_is_told_within_two_seconds_and_a_repeated_push_is_not(
    live_server: RunningApp, ada: SignedIn
) -> None:
    kick_off = (clock.now() - HOUR).replace(microsecond=0).isoformat()
    live: dict[str, Any] = {"state": "live", "home_goals": 0, "away_goals": 0}
    await pushed(live_server, row(kick_off_at=kick_off))
    async with screen(live_server, ada) as hers:
        await pushed(live_server, row(kick_off_at=kick_off, **live))
        assert (await hers.next(UPDATE))["what"] == "kick_off"
        goal = row(kick_off_at=kick_off, **live | {"away_goals": 1})
        await pushed(live_server, goal)
        news = await hers.next(UPDATE)
        assert (news["what"], news["goals"], news["version"]) == ("goal", {"home": 0, "away": 1}, 3)
        await pushed(live_server, goal)
        await quiet(hers)


async def test_the_versions_that_are_told_only_grow_however_many_write(
    live_server: RunningApp, ada: SignedIn
) -> None:
    kick_off = (clock.now() - HOUR).replace(microsecond=0).isoformat()
    await pushed(live_server, row(kick_off_at=kick_off))
    live: dict[str, Any] = {"state": "live", "home_goals": 0, "away_goals": 0}
    await pushed(live_server, row(kick_off_at=kick_off, **live))
    async with screen(live_server, ada) as hers:
        answers = await asyncio.gather(
            *(
                push(live_server, row(kick_off_at=kick_off, **live | {"home_goals": goals}))
                for goals in range(1, 11)
            )
        )
        # A push overtaken by a later one is stale.
        assert {answer.status_code for answer in answers} <= {200, 409}
        written = [answer.status_code for answer in answers].count(200)
        await hers.until(UPDATE, written)
        events = hers.payloads(UPDATE)

    assert [one["version"] for one in events] == list(range(3, 3 + written))


async def test_a_change_at_one_worker_is_told_by_both_once_each(two_workers: TwoWorkers) -> None:
    ada = await two_workers.one.member("ada", club_id=CLUB_A)
    bello = await two_workers.one.member("bello", club_id=CLUB_B)
    musa = await operator_client(two_workers.one, "musa", Role.GAME_MASTER)
    fixture = await written(musa, clock.now() - HOUR)
    async with (
        screen(two_workers.one, ada) as here,
        screen(two_workers.other, ada) as there,
        screen(two_workers.other, bello) as watching,
    ):
        await watch(watching, fixture["id"])
        await moved(musa, fixture, state="live", homeGoals=0, awayGoals=0)
        for phone in (here, there, watching):
            assert (await phone.next(UPDATE))["what"] == "kick_off"
        await quiet(here, there, watching)


async def test_what_was_not_heard_is_told_once_announcements_are_heard_again(
    live_server: RunningApp, mina: OperatorClient, ada: SignedIn
) -> None:
    teller = live_server.asgi.state.services.matches
    fixture = await written(mina, clock.now() - HOUR)
    async with screen(live_server, ada) as hers:
        teller.stop_listening()
        await live_server.database.execute(
            "UPDATE fixture SET state = 'live', half = 1, home_goals = 0, away_goals = 0, "
            "version = 2, updated_at = now()"
        )
        teller.start_listening()

        news = await hers.next(UPDATE)

        assert (news["id"], news["version"], news["state"]) == (fixture["id"], 2, "live")
        assert news["what"] == "correction"


async def test_a_thousand_sockets_of_a_room_share_one_frame(live_server: RunningApp) -> None:
    """The packet is encoded once, however many screens it goes to."""
    server = live_server.asgi.state.services.sockets
    encoded: list[str] = []
    by_library = server.packet_class

    class Counted(by_library):  # type: ignore[misc, valid-type] # a class found at run time
        def encode(self) -> Any:
            text = super().encode()
            encoded.append(str(text))
            return text

    members = [await live_server.member(f"fan{number}", club_id=CLUB_A) for number in range(4)]
    musa = await operator_client(live_server, "musa", Role.GAME_MASTER)
    fixture = await written(musa, clock.now() - HOUR)
    screens = [screen(live_server, one) for one in members]
    opened = [await one.__aenter__() for one in screens]
    server.packet_class = Counted
    try:
        await moved(musa, fixture, state="live", homeGoals=0, awayGoals=0)
        for phone in opened:
            await phone.next(UPDATE)
    finally:
        server.packet_class = by_library
        for one in screens:
            await one.__aexit__(None, None, None)

    assert len([text for text in encoded if UPDATE in text]) == 1
