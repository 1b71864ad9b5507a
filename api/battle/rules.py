"""The words of a step, and the event that tells each; no database here."""

import secrets
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from itertools import permutations
from typing import Any, TypeAlias
from uuid import UUID

from api.battle.enums import AttemptOutcome, TodayState
from api.battle.schemas import (
    AnswerResult,
    AttemptedAll,
    EmptyQuestion,
    NewQuestion,
    NoMoreQuestions,
    ShownQuestion,
    Tally,
)
from api.questions.schemas import KEYS, label_options

ATTEMPTED_MESSAGE = "You have attempted all your questions for today. Come back tomorrow."
FINISHED_MESSAGE = "You have answered all your questions for today."
EMPTY_MESSAGE = "There is no question for you at the moment. Please check back later."
GRACE = timedelta(milliseconds=500)  # what a slow network may add to an answer
ANCHOR = timedelta(seconds=3)  # how late a question may appear and still get its full time
REST_DAYS = 30  # before a member meets a question again
ORDERS = tuple(permutations(range(len(KEYS))))
_dice = secrets.SystemRandom()

Step: TypeAlias = dict[str, Any]
"""What the database made of an event; ``kind`` is a ``StepKind``."""


@dataclass(frozen=True)
class PlayerSocket:
    """Who plays, from which socket."""

    user_id: UUID
    club_id: UUID
    sid: str


@dataclass(frozen=True)
class Draw:
    """What the next attempt would be made with: its ids and the order of its options."""

    attempt_id: UUID
    entry_id: UUID
    shown: list[int]
    day: date
    now: datetime


@dataclass(frozen=True)
class GivenAnswer:
    """An answer as it came; ``option`` is the key's place, None for an empty answer."""

    seat: PlayerSocket
    question_id: UUID
    option: int | None
    entry_id: UUID
    received_at: datetime


def draw_order() -> list[int]:
    """Return the bank's four options in the order a member will see them."""
    return list(_dice.choice(ORDERS))


def instant_of(milliseconds: int) -> datetime:
    """Return the instant that so many milliseconds of the epoch are."""
    return datetime.fromtimestamp(milliseconds / 1000, UTC)


def today_state(left: int, *, is_running: bool) -> TodayState:
    """Return what a member can do today."""
    if is_running:
        return TodayState.RUNNING
    return TodayState.OPEN if left else TodayState.DONE


def as_question(step: dict[str, Any], now: datetime) -> NewQuestion:
    """Return a running question as its member may see it."""
    deadline_at = instant_of(step["deadline_ms"])
    return NewQuestion(
        question=ShownQuestion(
            id=step["question_id"],
            question=step["question"],
            options=label_options(step["options"]),
        ),
        time_limit=step["time_limit"],
        remaining_time=max(0, round((deadline_at - now).total_seconds())),
        deadline_at=deadline_at,
        server_now=now,
        number=step["number"],
        total=step["total"],
        rank=step["rank"],
        resumed=step.get("resumed", False),
    )


def as_result(step: dict[str, Any]) -> AnswerResult:
    """Return how an attempt ended."""
    answer = step["answer"]
    return AnswerResult(
        question_id=step["question_id"],
        is_correct=step["outcome"] == AttemptOutcome.RIGHT,
        point_awarded=step["points_awarded"],
        timed_out=step["outcome"] == AttemptOutcome.TIMEOUT,
        answer=None if answer is None else KEYS[answer],
        right_answer=KEYS[step["right"]],
        explanation=step["explanation"],
        number=step["number"],
        total=step["total"],
        points=step["points"],
        battle_points=step["battle_points"],
        badge=step["badge"],
        promoted_to=step["promoted_to"],
        next_rank=step["next_rank"],
        points_to_next=step["points_to_next"],
    )


def as_finished(step: dict[str, Any], next_opens_at: datetime) -> NoMoreQuestions:
    """Return the end of a visit that used the day's last question."""
    return NoMoreQuestions(
        **_tally(step),
        today=Tally(**_tally(step["today"])),
        message=FINISHED_MESSAGE,
        next_opens_at=next_opens_at,
    )


def as_attempted(next_opens_at: datetime) -> AttemptedAll:
    """Return what a member meets whose questions of the day were all served before."""
    return AttemptedAll(message=ATTEMPTED_MESSAGE, next_opens_at=next_opens_at)


def as_empty() -> EmptyQuestion:
    """Return what a member meets for whom the bank has nothing."""
    return EmptyQuestion(message=EMPTY_MESSAGE)


def refusal_detail(step: dict[str, Any]) -> dict[str, str | None]:
    """Return what a refusal tells beside its code: a rank, and instants in ISO form."""
    detail: dict[str, str | None] = {}
    if "rank" in step:
        detail["rank"] = step["rank"]
    for name, key in (("opens_ms", "opensAt"), ("closed_ms", "closedAt")):
        if name in step:
            moment = step[name]
            detail[key] = None if moment is None else instant_of(moment).isoformat()
    return detail


def _tally(counts: dict[str, Any]) -> dict[str, int]:
    return {name: counts[name] for name in ("points", "cnt", "answered_correctly")}
