"""Steps of a member, and the socket events that they become; no database access."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any
from uuid import UUID

from api.games.battle.enums import AttemptOutcome, StepKind
from api.games.battle.rules.situation import (
    AskedQuestion,
    CurrentSeason,
    Draw,
    Ladder,
    LadderColumns,
    Situation,
    Step,
    refused,
)
from api.games.battle.schemas import (
    AnswerResult,
    AttemptedAll,
    DayTally,
    EmptyQuestion,
    NewQuestion,
    NoMoreQuestions,
    ShownQuestion,
)
from api.games.questions.schemas import KEYS, label_options

ATTEMPTED_MESSAGE = "You have attempted all your questions for today. Come back tomorrow."
FINISHED_MESSAGE = "You have answered all your questions for today."
EMPTY_MESSAGE = "There is no question for you at the moment. Please check back later."
RESULT_FIELDS = (
    *("question_id", "explanation", "number", "total", "points", "battle_points", "badge"),
    *("promoted_to", "next_rank", "points_to_next"),
)


@dataclass(frozen=True)
class DrawnQuestion:
    question_id: UUID
    question: str
    options: list[str]


@dataclass(frozen=True)
class JudgedAnswer(LadderColumns):
    """An ended attempt, or why there is none: then most columns are None.

    ``fresh`` is true only for the call that ended it.
    """

    refusal: str | None
    fresh: bool
    user_id: UUID | None
    question_id: UUID | None
    outcome: str | None
    day: date | None
    points_awarded: int | None
    answer: int | None
    shown: list[int] | None
    number: int | None
    promoted_to: str | None
    right_option: int | None
    explanation: str | None
    points: int | None
    battle_points: int | None
    badge: str | None
    total: int | None


def instant_of(milliseconds: int) -> datetime:
    """Return the time from milliseconds since the epoch."""
    return datetime.fromtimestamp(milliseconds / 1000, UTC)


def served_step(new: Draw, season: CurrentSeason, drawn: DrawnQuestion) -> Step:
    """Return the step that serves the drawn question, without the right option."""
    asked = AskedQuestion(
        question_id=drawn.question_id,
        question=drawn.question,
        options=drawn.options,
        shown=new.shown,
        deadline_at=new.deadline_at,
        time_limit=season.question_time_limit,
        number=new.number,
        total=season.questions_per_day,
        rank=new.rank,
    )
    return question_step(asked)


def question_step(asked: AskedQuestion) -> Step:
    """Return the step of a running question, without the right option."""
    return {
        "kind": StepKind.QUESTION,
        "question_id": str(asked.question_id),
        "question": asked.question,
        "options": [asked.options[place] for place in asked.shown],
        "deadline_ms": round(asked.deadline_at.timestamp() * 1000),
        "time_limit": asked.time_limit,
        "number": asked.number,
        "total": asked.total,
        "rank": asked.rank,
    }


def judged_step(row: JudgedAnswer) -> Step:
    """Return the step of an ended attempt, with the right option and the member's points.

    The row may be a refusal instead.
    """
    if row.refusal is not None:
        return refused(row.refusal)
    if row.shown is None or row.right_option is None or row.badge is None:
        raise ValueError("an answer without an attempt must be refused")
    next_rank, points_to_next = Ladder.of(row).next_goal(row.badge, row.battle_points or 0)
    step = {
        "kind": StepKind.RESULT,
        "user_id": str(row.user_id),
        "question_id": str(row.question_id),
        "outcome": row.outcome,
        "answer": row.answer,
        "right": row.shown.index(row.right_option),
        "explanation": row.explanation,
        "number": row.number,
        "total": row.total,
        "points_awarded": row.points_awarded,
        "points": row.points,
        "battle_points": row.battle_points,
        "badge": row.badge,
        "promoted_to": row.promoted_to,
        "next_rank": next_rank,
        "points_to_next": points_to_next,
    }
    return step | {"fresh": True} if row.fresh else step


def first_answers(rows: Sequence[JudgedAnswer]) -> list[tuple[UUID, date]]:
    """Return the member and day of each answer that ended its question in this call."""
    return [
        (row.user_id, row.day)
        for row in rows
        if row.refusal is None and row.fresh and row.answer is not None
        if row.user_id is not None and row.day is not None
    ]


def finished_step(found: Situation) -> Step:
    """Return the step that ends a visit, with the tallies of season and day."""
    return {
        "kind": StepKind.FINISHED,
        "points": found.points,
        "cnt": found.cnt,
        "answered_correctly": found.answered_correctly,
        "today": {
            "points": found.today_points,
            "cnt": found.today_cnt,
            "answered_correctly": found.today_answered_correctly,
            "served": found.served,
            "timed_out": found.served - found.today_cnt,
        },
    }


def as_question(step: dict[str, Any], now: datetime) -> NewQuestion:
    """Return the event of a running question, without the right option."""
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
    """Return the event of an ended attempt."""
    answer = step["answer"]
    return AnswerResult(
        is_correct=step["outcome"] == AttemptOutcome.RIGHT,
        point_awarded=step["points_awarded"],
        timed_out=step["outcome"] == AttemptOutcome.TIMEOUT,
        answer=None if answer is None else KEYS[answer],
        right_answer=KEYS[step["right"]],
        **{name: step[name] for name in RESULT_FIELDS},
    )


def as_finished(step: dict[str, Any], next_opens_at: datetime) -> NoMoreQuestions:
    """Return the event of a visit that used the day's last question."""
    return NoMoreQuestions(
        points=step["points"],
        cnt=step["cnt"],
        answered_correctly=step["answered_correctly"],
        today=DayTally(**step["today"]),
        message=FINISHED_MESSAGE,
        next_opens_at=next_opens_at,
    )


def as_attempted(next_opens_at: datetime) -> AttemptedAll:
    """Return the event for a member whose questions of the day were all served before."""
    return AttemptedAll(message=ATTEMPTED_MESSAGE, next_opens_at=next_opens_at)


def as_empty() -> EmptyQuestion:
    """Return the event for a member for whom the bank has no question."""
    return EmptyQuestion(message=EMPTY_MESSAGE)
