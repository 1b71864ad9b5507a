"""The daily quest's rules: what is asked, what was earned, and when the next one opens.

No right answer leaves before the submit: the statement that opens a quest does not read it.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from api.core.clock import lagos_day, next_midnight
from api.core.errors import InvalidFieldError
from api.core.ids import new_id
from api.database.database import Database, DatabaseRefusal
from api.database.idempotency import KeyReusedError, fingerprint
from api.questions.schemas import label_options
from api.trivia import repository, rules
from api.trivia.errors import AlreadyAttemptedError, NoDailyQuestError
from api.trivia.schemas import (
    DailyAttempt,
    ReviewedQuestion,
    SubmitAnswer,
    SubmitInput,
    TriviaQuestion,
)


@dataclass(frozen=True)
class Quest:
    """What a member may answer now; no questions and not submitted: there is nothing to ask."""

    questions: list[TriviaQuestion]
    is_submitted: bool


@dataclass(frozen=True)
class Submitted:
    """A submit's outcome; ``replayed`` when an earlier call with the key had made it."""

    answer: SubmitAnswer
    replayed: bool


async def open_quest(
    database: Database, user_id: UUID, club_id: UUID, *, size: int, now: datetime
) -> Quest:
    """Return the questions of the Lagos day at ``now``; again returns the same, in the same order.

    The first request of a club freezes its set of up to ``size`` questions. An empty bank freezes
    nothing, so that questions which come later in the day are asked.
    """
    wish = repository.NewAttempt(new_id(), user_id, club_id, lagos_day(now), size, now)
    quest = await repository.open_trivia(database, wish)
    questions = [
        TriviaQuestion(
            id=UUID(one["id"]),
            question=one["question"],
            options=label_options(one["options"]),
        )
        for one in quest["questions"]
    ]
    return Quest(questions, quest["submitted"])


async def daily_attempt(database: Database, user_id: UUID, now: datetime) -> DailyAttempt:
    """Return what the member did with the quest of the Lagos day at ``now``."""
    day = lagos_day(now)
    row = await repository.read_attempt(database, user_id, day)
    return DailyAttempt(
        points=row["points"],
        point=row["points"],
        correct=row["correct"],
        total=row["total"],
        day=day,
        streak=row["streak"],
        next_at=next_midnight(now),
        server_now=now,
        review=[_reviewed(one) for one in row["review"] or []],
    )


async def submit(
    database: Database, user_id: UUID, form: SubmitInput, key: str | None, now: datetime
) -> Submitted:
    """Judge the member's answers and award the points, once per day.

    The attempt is the one whose questions the answers name, today's or, within the grace,
    yesterday's. Unanswered questions are wrong (contract B-54); a sheet that answers none is no
    attempt.

    Raises:
        InvalidFieldError: ``choices`` cannot be read, answer nothing, or answer other questions.
        AlreadyAttemptedError: it was submitted before.
        NoDailyQuestError: no questions were served, or the time of these is over.
        KeyReusedError: the idempotency key named other answers.
    """
    try:
        choices = rules.read_choices(form.choices)
    except ValueError as error:
        raise InvalidFieldError.of("choices", str(error)) from None
    oldest, today = rules.open_days(now)
    submission = repository.Submission(
        entry_id=new_id(),
        user_id=user_id,
        oldest=oldest,
        today=today,
        choices=choices,
        points_per_question=rules.POINTS_PER_QUESTION,
        now=now,
        key=key,
        fingerprint=fingerprint({"choices": choices}),
    )
    try:
        outcome = await repository.submit_trivia(database, submission)
    except DatabaseRefusal as refusal:
        raise _refused(refusal) from refusal
    return Submitted(_answer(outcome), outcome["replayed"])


def _refused(refusal: DatabaseRefusal) -> Exception:
    if refusal.code == "KF422":
        return KeyReusedError()
    if refusal.code == "KF441":
        return AlreadyAttemptedError(content={"points": refusal.detail["points"]})
    if refusal.code == "KF442":
        return NoDailyQuestError()
    if refusal.code == "KF443":
        return InvalidFieldError.of("choices", rules.OTHER_QUESTIONS)
    return refusal


def _answer(outcome: dict[str, Any]) -> SubmitAnswer:
    return SubmitAnswer(
        point=outcome["points"],
        points=outcome["points"],
        correct=outcome["correct"],
        total=outcome["total"],
        review=[_reviewed(one) for one in outcome["review"]],
        streak=outcome["streak"],
    )


def _reviewed(one: dict[str, Any]) -> ReviewedQuestion:
    return ReviewedQuestion(
        id=UUID(one["id"]),
        question=one["question"],
        options=label_options(one["options"]),
        chosen=one["chosen"],
        right=one["right"],
        explanation=one["explanation"],
    )
