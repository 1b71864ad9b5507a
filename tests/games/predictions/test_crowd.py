"""All predictions of a match: shown from the kick-off on, and counted once for all callers."""

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest
from api.foundation.core.errors import DatabaseUnavailableError
from api.foundation.database.database import Database
from api.games.predictions import live
from api.games.predictions.repository import predictions

from tests.back_office import OperatorClient
from tests.conftest import RunningApp, SignedIn
from tests.games.matches.matches import MATCHES, shown
from tests.games.predictions.predicting import kicked_off, match, predicted

COUNTING = "count(p.id)"


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the statements that count a crowd, as they are sent."""
    sent: list[str] = []
    run = Database._run

    async def noted(self: Database, method: str, text: str, arguments: Sequence[Any]) -> object:
        if COUNTING in text:
            sent.append(text)
        return await run(self, method, text, arguments)

    monkeypatch.setattr(Database, "_run", noted)
    return sent


async def just_started(app: RunningApp, operator: OperatorClient, fixture: dict[str, Any]) -> None:
    """Move a match's kick-off back by so little that its counts are not stored yet."""
    await kicked_off(app, operator, fixture)
    await app.database.execute("UPDATE fixture SET kick_off_at = now() - interval '1 second'")


async def test_the_crowd_is_told_after_the_kick_off_and_never_as_scores(
    app: RunningApp, musa: OperatorClient, member: SignedIn, rival: SignedIn
) -> None:
    fixture, third = await match(musa), await app.member("chi")
    await predicted(member, fixture, 2, 1)
    await predicted(rival, fixture, 3, 0)
    await predicted(third, fixture, 1, 1)

    before = await shown(member, f"{MATCHES}/{fixture['id']}")
    await kicked_off(app, musa, fixture)
    first = await shown(member, f"{MATCHES}/{fixture['id']}")
    again = await shown(rival, f"{MATCHES}/{fixture['id']}")

    assert before["crowd"] is None
    crowd = {"home": 67, "draw": 33, "away": 0, "count": 3}
    assert first["crowd"] == again["crowd"] == crowd
    assert (again["prediction"]["home"], again["prediction"]["away"]) == (3, 0)


async def test_all_who_look_at_the_kick_off_share_one_count(
    app: RunningApp, musa: OperatorClient, member: SignedIn, rival: SignedIn, counted: list[str]
) -> None:
    fixture = await match(musa)
    await predicted(member, fixture, 2, 1)
    await just_started(app, musa, fixture)
    path = f"{MATCHES}/{fixture['id']}"

    reads = [shown(one, path) for one in (member, rival) for _ in range(10)]
    homes = [shown(member, "/api/v1/today") for _ in range(5)]
    seen = await asyncio.gather(*reads)
    live_matches = [home["live"] for home in await asyncio.gather(*homes)]

    crowds = [one["crowd"] for one in [*seen, *(one for (one,) in live_matches)]]
    assert crowds == [{"home": 100, "draw": 0, "away": 0, "count": 1}] * 25
    assert len(counted) == 1


async def test_after_a_few_seconds_a_crowd_is_counted_anew(
    app: RunningApp,
    musa: OperatorClient,
    member: SignedIn,
    counted: list[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(live, "FRESH_SECONDS", 0.2)
    fixture = await match(musa)
    await just_started(app, musa, fixture)
    path = f"{MATCHES}/{fixture['id']}"

    first = await shown(member, path)
    await app.database.execute(
        "INSERT INTO prediction (id, fixture_id, user_id, club_id, home, away, saved_at) "
        "SELECT gen_random_uuid(), f.id, u.id, u.club_id, 0, 0, now() - interval '1 hour' "
        "FROM fixture f, user_account u WHERE u.id = $1",
        member.id,
    )
    await asyncio.sleep(0.3)
    second = await shown(member, path)

    assert first["crowd"] is None
    assert second["crowd"] == {"home": 0, "draw": 100, "away": 0, "count": 1}
    assert len(counted) == 2


async def test_a_count_that_fails_is_tried_anew_by_who_comes_next(
    app: RunningApp, musa: OperatorClient, member: SignedIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    fixture = await match(musa)
    await just_started(app, musa, fixture)
    path = f"{MATCHES}/{fixture['id']}"

    async def unavailable(*_: Any) -> None:
        await asyncio.sleep(0.1)
        raise DatabaseUnavailableError

    with monkeypatch.context() as broken:
        broken.setattr(predictions, "count_crowd", unavailable)
        answers = await asyncio.gather(*(member.get(path) for _ in range(3)))

    assert {answer.status_code for answer in answers} == {503}
    assert (await member.get(path)).status_code == 200
