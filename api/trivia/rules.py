"""Rules of the daily quest: its day, its keys, and what a submitted text may hold."""

import json
from datetime import date, datetime, timedelta
from typing import Any

from api.core.clock import lagos_day
from api.core.ids import parse_id
from api.questions.schemas import KEYS

POINTS_PER_QUESTION = 5  # spec 9
GRACE = timedelta(minutes=10)  # contract B-54
REST_DAYS = 28  # of a question in its club, unless nothing else is left to ask
LONGEST_CHOICES = 8192  # characters; five honest choices are under 400
MOST_CHOICES = 100
UNREADABLE = "Your answers could not be read. Please try again."
ANSWERED_TWICE = "Please answer each question once."
NOTHING_ANSWERED = "Please answer at least one question."
OTHER_QUESTIONS = "These answers are not to your questions. Please open today's questions again."


def open_days(now: datetime) -> tuple[date, date]:
    """Return the oldest day whose attempts are still taken, and today."""
    return lagos_day(now - GRACE), lagos_day(now)


def read_choices(text: str) -> dict[str, str | None]:
    """Return question id → chosen key from the wire's JSON text of question and answer pairs.

    None stands for a question that was left open: its answer is null or empty.

    Raises:
        ValueError: the text is no such list, is too long, answers a question twice or none at all,
            or holds what is no id or no key.
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
        if question in choices:
            raise ValueError(ANSWERED_TWICE)
        choices[question] = answer
    if not any(choices.values()):
        raise ValueError(NOTHING_ANSWERED)
    return choices


def _read_pair(pair: Any) -> tuple[str, str | None]:  # noqa: ANN401 JSON has no static shape
    """Return the canonical id and the key of one pair."""
    if not isinstance(pair, dict) or pair.keys() != {"question", "answer"}:
        raise ValueError(UNREADABLE)
    question, answer = pair["question"], pair["answer"]
    found = parse_id(question) if isinstance(question, str) else None
    if found is None or not (answer is None or isinstance(answer, str)):
        raise ValueError(UNREADABLE)
    if answer and answer not in set(KEYS):
        raise ValueError(UNREADABLE)
    return str(found), answer or None
