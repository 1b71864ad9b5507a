"""Rules of the daily quest: its day, its option keys, and the format of submitted answers."""

import json
import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any, TypeVar
from uuid import UUID

from api.foundation.core.clock import lagos_day, midnight
from api.foundation.core.ids import parse_id
from api.games.questions.schemas import KEYS

POINTS_PER_QUESTION = 5  # spec 9
GRACE = timedelta(minutes=10)  # contract B-54
REST_DAYS = 28  # before a club is asked a question again, unless nothing else is left
MAX_CHOICES_LENGTH = 8192  # characters; five honest choices are under 400
MAX_CHOICES = 100
MAX_SCHEDULED = 20  # questions of a day
ThingT = TypeVar("ThingT")
UNREADABLE = "Your answers could not be read. Please try again."
ANSWERED_TWICE = "Please answer each question once."
NOTHING_ANSWERED = "Please answer at least one question."
_dice = secrets.SystemRandom()
OTHER_QUESTIONS = "These answers do not match your questions. Please open today's questions again."


@dataclass(frozen=True)
class Candidate:
    """A question a club can be asked; ``asked_on`` is the day it was last asked, or None."""

    id: UUID
    difficulty: int
    is_own: bool
    asked_on: date | None


def draw_set(candidates: Iterable[Candidate], day: date, size: int) -> list[UUID]:
    """Return up to ``size`` questions for a club's day, the easy ones first.

    The club's own questions come first, then those for all clubs; among both, those never asked, in
    random order. Questions asked in the last weeks come last, the least recently asked first.
    """

    def turn(one: Candidate) -> tuple[bool, bool, date]:
        asked_on = one.asked_on or date.min
        rests = asked_on > day - timedelta(days=REST_DAYS)
        return rests, not rests and not one.is_own, asked_on

    picked = sorted(_shuffled(candidates), key=turn)[:size]
    return [one.id for one in sorted(_shuffled(picked), key=lambda one: one.difficulty)]


def draw_order(questions: Iterable[UUID]) -> list[dict[str, Any]]:
    """Return what a member is shown of each question, with its options shuffled."""
    return [
        {"question": str(question), "order": _shuffled(range(len(KEYS)))} for question in questions
    ]


def _shuffled(things: Iterable[ThingT]) -> list[ThingT]:
    shuffled = list(things)
    _dice.shuffle(shuffled)
    return shuffled


def right_key(order: Sequence[int], right_option: int) -> str:
    """Return the key under which the right option was shown to a member."""
    return KEYS[order.index(right_option)]


def named_questions(shown: Iterable[Mapping[str, Any]], choices: Mapping[str, Any]) -> int:
    """Return how many of the shown questions are answered."""
    return sum(item["question"] in choices for item in shown)


def scored_at(day: date, now: datetime) -> datetime:
    """Return the time that decides a day's season, also for answers in the grace period."""
    last_moment = midnight(day + timedelta(days=1)) - timedelta(microseconds=1)
    return min(now, last_moment)


def open_days(now: datetime) -> tuple[date, date]:
    """Return the oldest day whose attempts are still accepted, and today."""
    return lagos_day(now - GRACE), lagos_day(now)


def read_choices(text: str) -> dict[str, str | None]:
    """Return question id → chosen key, from the JSON list of question and answer pairs.

    None means the question was left open: its answer is null or empty.

    Raises:
        ValueError: not such a list, too long, no answer or two answers to a question, or an invalid
            id or key.
    """
    try:
        pairs = json.loads(text)
    except (ValueError, RecursionError):
        raise ValueError(UNREADABLE) from None
    if not isinstance(pairs, list) or len(pairs) > MAX_CHOICES:
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
