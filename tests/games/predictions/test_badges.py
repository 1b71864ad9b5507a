"""Right predictions earn badges, and a correction revokes none."""

import asyncio
import itertools
from typing import Any

import pytest
from api.foundation.core import clock
from api.games.achievements.service import badges

from tests.back_office import OperatorClient
from tests.conftest import RunningApp, SignedIn
from tests.games.matches.matches import HOUR, moved, shown
from tests.games.predictions.predicting import (
    PREDICTIONS,
    finished,
    kicked_off,
    match,
    predicted,
    settle,
)


async def earned(member: SignedIn) -> set[str]:
    found = await shown(member, f"/api/v1/badges/{member.id}")
    return {one["key"] for one in found if one["earnedAt"] is not None}


async def exact_progress(member: SignedIn) -> dict[str, int]:
    found = await shown(member, f"/api/v1/badges/{member.id}")
    progress: dict[str, int] = next(o["progress"] for o in found if o["key"] == "five-exact")
    return progress


async def test_the_first_and_the_fifth_exact_result_give_a_badge_that_stays(
    app: RunningApp, musa: OperatorClient, member: SignedIn, rival: SignedIn
) -> None:
    await app.open_season()
    matches = []
    for number in range(4):
        fixture = await match(musa, round=f"Round {number}", away=f"Team {number}")
        await predicted(member, fixture, 2, 1)
        await predicted(rival, fixture, 1, 0)
        matches.append(await finished(app, musa, fixture, 2, 1))
        assert "first-exact" in await earned(member)
    assert "five-exact" not in await earned(member)
    assert await exact_progress(member) == {"now": 4, "of": 5}

    fifth = await match(musa, round="Round 5", away="Fifth")
    await predicted(member, fifth, 0, 0)
    await finished(app, musa, fifth, 0, 0)

    assert {"first-exact", "five-exact"} <= await earned(member)
    assert "first-exact" not in await earned(rival)
    corrected = await moved(musa, matches[-1], state="finished", homeGoals=3, awayGoals=1)
    await settle(app, corrected)
    assert {"first-exact", "five-exact"} <= await earned(member)


async def test_who_predicted_every_match_of_a_round_has_a_badge_once_it_is_over(
    app: RunningApp, musa: OperatorClient, member: SignedIn, rival: SignedIn
) -> None:
    matches = [await match(musa, away=away) for away in ("Arsenal", "Remo Stars", "Off")]
    for fixture in matches[:2]:
        await predicted(member, fixture, 0, 3)
    await predicted(rival, matches[1], 2, 1)
    await moved(musa, matches[2], state="cancelled")  # not needed for the full round

    await finished(app, musa, matches[0], 2, 1)
    assert "full-round" not in await earned(member)
    await finished(app, musa, matches[1], 2, 1)

    assert "full-round" in await earned(member)
    assert "full-round" not in await earned(rival)


async def test_a_round_that_ends_with_a_match_that_is_called_off_is_full_without_it(
    app: RunningApp, musa: OperatorClient, member: SignedIn, rival: SignedIn
) -> None:
    played, off = await match(musa, away="Arsenal"), await match(musa, away="Remo Stars")
    await predicted(member, played, 1, 1)
    await predicted(rival, off, 1, 1)
    await finished(app, musa, played, 1, 1)
    assert "full-round" not in await earned(member)

    await settle(app, await moved(musa, off, state="cancelled"))

    assert "full-round" in await earned(member)
    assert "full-round" not in await earned(rival)


async def test_a_round_is_full_when_the_match_that_was_not_predicted_moves_to_another(
    app: RunningApp, musa: OperatorClient, member: SignedIn
) -> None:
    played, later = await match(musa, away="Arsenal"), await match(musa, away="Remo Stars")
    await predicted(member, played, 1, 1)
    await finished(app, musa, played, 1, 1)
    assert "full-round" not in await earned(member)

    await moved(musa, later, round="Round 2")

    assert "full-round" in await earned(member)


async def test_matches_that_are_settled_at_the_same_moment_fill_their_round(
    app: RunningApp, musa: OperatorClient, member: SignedIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    matches = [await match(musa, away=away) for away in ("Arsenal", "Remo Stars")]
    for fixture in matches:
        await predicted(member, fixture, 5, 0)
    for fixture in matches:
        await finished(app, musa, fixture, 0, 1)
    await app.database.execute(
        "UPDATE prediction SET settled_version = 0, outcome = 'pending', points = NULL"
    )
    await app.database.execute("DELETE FROM earned_badge")
    both, turns, earn = asyncio.Barrier(2), itertools.count(1), badges.earn

    async def earn_together(*arguments: Any) -> None:
        await earn(*arguments)
        if next(turns) <= both.parties:  # both have scored, and neither sees the other's results
            await both.wait()

    monkeypatch.setattr(badges, "earn", earn_together)
    await asyncio.gather(*(settle(app, fixture) for fixture in matches))

    assert "full-round" in await earned(member)


async def test_a_match_that_was_abandoned_is_none_of_its_round(
    app: RunningApp, musa: OperatorClient, member: SignedIn
) -> None:
    first, second = await match(musa, away="Arsenal"), await match(musa, away="Remo Stars")
    for fixture in (first, second):
        await predicted(member, fixture, 1, 1)
    started = await kicked_off(app, musa, first)
    await settle(app, await moved(musa, started, state="abandoned"))

    await finished(app, musa, second, 1, 1)

    assert {"first-exact", "full-round"} <= await earned(member)


async def test_whoever_predicted_a_match_after_its_kick_off_has_not_predicted_the_full_round(
    app: RunningApp, musa: OperatorClient, member: SignedIn, rival: SignedIn
) -> None:
    first, second = await match(musa, away="Arsenal"), await match(musa, away="Remo Stars")
    for fixture in (first, second):
        await predicted(member, fixture, 1, 1)
        await predicted(rival, fixture, 1, 1)
    await app.database.execute(
        "UPDATE prediction SET saved_at = saved_at - interval '2 hours' WHERE user_id = $1",
        rival.id,
    )
    started = {"kickOffAt": (clock.now() - HOUR).isoformat(), "homeGoals": 1, "awayGoals": 1}
    await settle(app, await moved(musa, first, state="finished", **started))

    await finished(app, musa, second, 1, 1)

    outcomes = {one["outcome"] for one in await shown(member, f"{PREDICTIONS}?state=closed")}
    assert outcomes == {"void", "exact"}
    assert "full-round" not in await earned(member)
    assert "full-round" in await earned(rival)
