"""A day chosen by the tests, and members who read, answer and submit over HTTP."""

import json
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

import httpx
import pytest
from api.foundation.core import clock

from tests.conftest import SignedIn

SUBMIT = "/api/v1/question/submit-trivia-question"
RIGHT = "Right"


@dataclass
class Today:
    """The product's clock; ``now`` is frozen until a test moves it."""

    now: datetime

    def at(self, hour: int, minute: int = 0, *, second: int = 0, days: int = 0) -> None:
        """Set a Lagos time of day, ``days`` after the current day; sessions live for a week."""
        day = self.day + timedelta(days=days)
        self.now = datetime.combine(day, time(hour, minute, second), clock.LAGOS).astimezone(UTC)

    @property
    def day(self) -> date:
        """The current day in Lagos."""
        return clock.lagos_day(self.now)


@pytest.fixture
def today(monkeypatch: pytest.MonkeyPatch) -> Today:
    """Freeze the product's clock, so that no test meets midnight by chance."""
    today = Today(clock.now())
    monkeypatch.setattr(clock, "now", lambda: today.now)
    return today


async def ask(member: SignedIn, *, club: object = None) -> httpx.Response:
    """Ask for today's questions."""
    club = member.club_id if club is None else club
    return await member.get(f"/api/v1/question/daily-trivial-question/{club}/{member.id}")


async def questions(member: SignedIn) -> list[dict[str, Any]]:
    """Return today's questions."""
    answer = await ask(member)
    assert answer.status_code == 200, answer.text
    found: list[dict[str, Any]] = answer.json()["data"]
    return found


async def attempt(member: SignedIn) -> dict[str, Any]:
    """Return the member's attempt of today."""
    answer = await member.get(
        f"/api/v1/question/attempted-daily-trivial-question/{member.club_id}/{member.id}"
    )
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()["data"]
    return found


def key_of(question: dict[str, Any], label: str) -> str:
    """Return the key under which this member sees an option."""
    options: dict[str, str] = json.loads(question["options"])
    return next(key for key, shown in options.items() if shown == label)


def pair(question: dict[str, Any], label: str = RIGHT) -> dict[str, str]:
    """Answer a question by its option's label."""
    return {"question": question["id"], "answer": key_of(question, label)}


async def submit(
    member: SignedIn, choices: object, *, key: str | None = None, **changes: Any
) -> httpx.Response:
    """Submit answers: pairs, or any other text."""
    text = choices if isinstance(choices, str) else json.dumps(choices)
    body = {"userId": str(member.id), "clubId": str(member.club_id), "choices": text} | changes
    return await member.post(SUBMIT, body, key=key)
