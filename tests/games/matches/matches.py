"""Helpers that write matches at the back office and push them as a feed."""

import hmac
import itertools
import json
from datetime import datetime, timedelta
from typing import Any

import httpx
from api.foundation.core import clock

from tests.back_office import ADMIN, OperatorClient
from tests.conftest import RunningApp, SignedIn

FIXTURES = f"{ADMIN}/fixtures"
IMPORTS = f"{FIXTURES}/imports"
MATCHES = "/api/v1/fixtures"
PUSH = f"{MATCHES}/feed/push"
CALENDAR = "/api/v1/calendar"
HOUR = timedelta(hours=1)
SEQUENCES = itertools.count(1)
DAY = timedelta(days=1)


def wish(kick_off: datetime | None = None, **changes: Any) -> dict[str, Any]:
    return {
        "competition": "NPFL",
        "home": "Enyimba",
        "away": {"name": "Kano Pillars"},
        "kickOffAt": (kick_off or clock.now() + DAY).isoformat(),
    } | changes


async def written(operator: OperatorClient, *arguments: Any, **changes: Any) -> dict[str, Any]:
    answer = await operator.post(FIXTURES, wish(*arguments, **changes))
    assert answer.status_code == 201, answer.text
    data: dict[str, Any] = answer.json()["data"]
    return data


async def change(
    operator: OperatorClient, fixture: dict[str, Any], **changes: Any
) -> httpx.Response:
    body = {
        "competition": fixture["competition"],
        "round": fixture["round"],
        "home": fixture["home"]["name"],
        "away": fixture["away"]["name"],
        "kickOffAt": fixture["kickOffAt"],
        "state": fixture["state"],
        "homeGoals": fixture["homeGoals"],
        "awayGoals": fixture["awayGoals"],
        "version": fixture["version"],
    }
    return await operator.client.put(
        f"{FIXTURES}/{fixture['id']}", json=body | changes, headers=operator.headers
    )


def refused(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["error"]["code"]


async def moved(
    operator: OperatorClient, fixture: dict[str, Any], **changes: Any
) -> dict[str, Any]:
    """Change a match, require success, and return it."""
    answer = await change(operator, fixture, **changes)
    assert answer.status_code == 200, answer.text
    data: dict[str, Any] = answer.json()["data"]
    return data


async def shown(member: SignedIn, path: str) -> Any:
    """Return the data of a member's response."""
    answer = await member.get(path)
    assert answer.status_code == 200, answer.text
    return answer.json()["data"]


def row(ref: str = "m1", **changes: Any) -> dict[str, Any]:
    """Return a row of a feed."""
    return {
        "ref": ref,
        "competition": "NPFL",
        "season": "2026/27",
        "round": "Round 1",
        "home": "Enyimba",
        "away": "Arsenal",
        "kick_off_at": (clock.now() + DAY).replace(microsecond=0).isoformat(),
        "venue": "Aba",
        "state": "scheduled",
        "home_goals": None,
        "away_goals": None,
        "scored": None,
    } | changes


def signed(
    app: RunningApp, raw: bytes, *, sequence: object = None, time: object = None, key: str = ""
) -> dict[str, str]:
    """Return the headers that the feed sends with a body, with an increasing sequence."""
    key = key or app.settings.fixture_feed_key.get_secret_value()
    place = next(SEQUENCES) if sequence is None else sequence
    seconds = int(clock.now().timestamp()) if time is None else time
    content = f"{seconds}.{place}.".encode() + raw
    return {
        "Content-Type": "application/json",
        "X-Feed-Time": str(seconds),
        "X-Feed-Sequence": str(place),
        "X-Feed-Signature": hmac.new(key.encode(), content, "sha256").hexdigest(),
    }


async def push(
    app: RunningApp, *rows: Any, body: bytes | None = None, **signing: Any
) -> httpx.Response:
    """Push rows as the feed does."""
    raw = json.dumps({"rows": rows}).encode() if body is None else body
    return await app.client.post(PUSH, content=raw, headers=signed(app, raw, **signing))


async def pushed(app: RunningApp, *rows: Any) -> tuple[int, int, list[tuple[int, str | None, str]]]:
    """Return how many pushed rows were accepted and unchanged, and which were refused."""
    answer = await push(app, *rows)
    assert answer.status_code == 200, answer.text
    data = answer.json()["data"]
    refusals = [(one["row"], one["column"], one["reason"]) for one in data["refused"]]
    return data["accepted"], data["unchanged"], refusals
