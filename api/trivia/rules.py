"""Rules of the daily quest: its day, its keys, and what a submitted text may hold."""

import json
from collections.abc import Mapping
from datetime import date, datetime, timedelta
from typing import Any

from api.core.clock import lagos_day
from api.core.ids import parse_id
from api.questions.schemas import KEYS

POINTS_PER_QUESTION = 5  # spec 9
GRACE = timedelta(minutes=10)  # contract B-54
LONGEST_CHOICES = 8192  # characters; five honest choices are under 400
MOST_CHOICES = 100
UNREADABLE = "Your answers could not be read. Please try again."


def open_days(now: datetime) -> tuple[date, date]:
    """Return the oldest day whose attempts are still taken, and today."""
    return lagos_day(now - GRACE), lagos_day(now)


def read_choices(text: str) -> dict[str, str | None]:
    """Return question id → chosen key from the wire's JSON text of question and answer pairs.

    The first answer to a question counts. None stands for an answer that is no key: it is wrong.
    Ids that can be no question's are left out.

    Raises:
        ValueError: the text is not such a list, or too long.
    """
    try:
        pairs = json.loads(text)
    except (ValueError, RecursionError):
        raise ValueError(UNREADABLE) from None
    if not isinstance(pairs, list) or len(pairs) > MOST_CHOICES:
        raise ValueError(UNREADABLE)
    choices: dict[str, str | None] = {}
    for pair in pairs:
        question, answer = _read_pair(pair)
        found = parse_id(question)
        if found is not None and answer:
            choices.setdefault(str(found), answer if answer in set(KEYS) else None)
    return choices


def _read_pair(pair: Any) -> tuple[str, str]:  # noqa: ANN401 JSON has no static shape
    """Return question and answer of one pair; an answer that is null or absent is empty."""
    if not isinstance(pair, Mapping):
        raise ValueError(UNREADABLE)  # noqa: TRY004 pydantic reads ValueError
    question, answer = pair.get("question"), pair.get("answer") or ""
    if not isinstance(question, str) or not isinstance(answer, str):
        raise ValueError(UNREADABLE)  # noqa: TRY004 pydantic reads ValueError
    return question, answer
