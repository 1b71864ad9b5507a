"""Helpers: predictions saved, scored, and their results."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar
from uuid import UUID

import httpx
from api.foundation.core import clock
from api.games.matches.schemas.common import to_milliseconds
from api.games.predictions.jobs import ScoringWork
from api.games.predictions.service.settling import PredictionScorer

from tests.back_office import OperatorClient
from tests.conftest import RunningApp, SignedIn
from tests.games.matches.matches import HOUR, MATCHES, moved, pushed, row, shown, written

PREDICTIONS = "/api/v1/predictions"
T = TypeVar("T")


async def predict(
    member: SignedIn, fixture: dict[str, Any], *score: int, **order: str | None
) -> httpx.Response:
    """Save a score; ``base`` names the prediction that it replaces."""
    home, away = score
    return await member.client.put(
        f"{PREDICTIONS}/{fixture['id']}",
        json={"home": home, "away": away, **order},
        headers=member.headers,
    )


async def predicted(
    member: SignedIn, fixture: dict[str, Any], *score: int, **order: str | None
) -> dict[str, Any]:
    answer = await predict(member, fixture, *score, **order)
    assert answer.status_code == 200, answer.text
    data: dict[str, Any] = answer.json()["data"]
    return data


async def remove(member: SignedIn, fixture: dict[str, Any]) -> httpx.Response:
    return await member.client.delete(f"{PREDICTIONS}/{fixture['id']}", headers=member.headers)


async def kicked_off(
    app: RunningApp,
    operator: OperatorClient,
    fixture: dict[str, Any],
    state: str = "live",
    *goals: int,
) -> dict[str, Any]:
    """Move a match's kick-off an hour back, after its predictions, and set its state."""
    fixture_id, kick_off = UUID(fixture["id"]), to_milliseconds(clock.now() - 2 * HOUR)
    await app.database.execute(
        "UPDATE prediction SET saved_at = $2 WHERE fixture_id = $1", fixture_id, kick_off - HOUR
    )
    await app.database.execute(
        "UPDATE fixture SET kick_off_at = $2 WHERE id = $1", fixture_id, kick_off
    )
    home, away = goals or (0, 0)
    then = fixture | {"kickOffAt": kick_off.isoformat()}
    return await moved(operator, then, state=state, homeGoals=home, awayGoals=away)


async def settle(app: RunningApp, fixture: dict[str, Any], *, batch: int = 500) -> None:
    """Score a match's predictions like the worker."""
    settler = PredictionScorer(app.database, batch=batch)
    await settler.settle(ScoringWork(fixture_id=UUID(fixture["id"])))


async def finished(
    app: RunningApp, operator: OperatorClient, fixture: dict[str, Any], *goals: int
) -> dict[str, Any]:
    """Finish a match and settle its predictions."""
    done = await kicked_off(app, operator, fixture, "finished", *goals)
    await settle(app, done)
    return done


async def alone(work: Coroutine[Any, Any, T]) -> T:
    """Run something in a separate task: the test's holds a transaction."""
    return await asyncio.create_task(work)


async def points(member: SignedIn) -> list[tuple[int, str]]:
    answer = await member.get(f"/api/v1/points/{member.id}")
    assert answer.status_code == 200, answer.text
    return [(row["points"], row["title"]) for row in answer.json()["data"]]


async def match(operator: OperatorClient, **changes: Any) -> dict[str, Any]:
    return await written(operator, **{"away": "Arsenal", "round": "Round 1"} | changes)


async def push_state(app: RunningApp, fixture: dict[str, Any], **changes: Any) -> None:
    """Push the state of a match as the feed, which needs no session that could expire."""
    kick_off = {"kick_off_at": fixture["kickOffAt"], **changes}
    assert await pushed(app, row("m1", **kick_off)) == (1, 0, [])


async def pushed_match(app: RunningApp, member: SignedIn) -> dict[str, Any]:
    """Return a match pushed by the feed."""
    assert await pushed(app, row("m1")) == (1, 0, [])
    (found,) = await shown(member, MATCHES)
    fixture: dict[str, Any] = found
    return fixture
