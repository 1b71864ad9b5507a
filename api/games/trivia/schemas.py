"""Wire schemas of the daily quest (spec 3, 7; contract B-53 to B-55)."""

from datetime import date
from typing import Annotated
from uuid import UUID

from pydantic import Field, Strict, StringConstraints

from api.foundation.wire.schemas import ExistingId, ExistingName, Id, Instant, WireInput, WireModel
from api.games.trivia import rules

OPTIONS_EXAMPLE = '{"A": "1980", "B": "1994", "C": "2013", "D": "1976"}'
CHOICES_EXAMPLE = '[{"question": "0190b5c2-7d3e-7a41-9c55-0f2b8d1e6a70", "answer": "B"}]'
Key = Annotated[str, Field(pattern="^[A-D]$", examples=["B"])]


class TriviaQuestion(WireModel):
    """A question as one member sees it; ``options`` is JSON text of labels by key (spec 3)."""

    id: UUID
    question: str = Field(examples=["When did Nigeria first win the Africa Cup of Nations?"])
    options: str = Field(examples=[OPTIONS_EXAMPLE])


class ReviewedQuestion(TriviaQuestion):
    """A question after the submit: the chosen key (null if none), and the right one."""

    chosen: Key | None
    right: Key
    explanation: str


class DailyAttempt(WireModel):
    """The member's attempt today; points, correct and total are null before the submit."""

    points: int | None
    point: int | None
    correct: int | None
    total: int | None
    day: date
    streak: int = Field(description="The member's streak, in days that counted", examples=[3])
    next_at: Instant
    server_now: Instant
    review: list[ReviewedQuestion]


class SubmitInput(WireInput):
    """The answers: ``choices`` is JSON text, a list of question and answer pairs (spec 3)."""

    user_id: ExistingId | None = None
    club_id: ExistingName | None = None
    choices: Annotated[str, Strict(), StringConstraints(max_length=rules.MAX_CHOICES_LENGTH)] = (
        Field(examples=[CHOICES_EXAMPLE])
    )


class SubmitAnswer(WireModel):
    """The result of an attempt; ``point`` and ``points`` are the same number (contract B-54)."""

    point: int = Field(examples=[20])
    points: int = Field(examples=[20])
    correct: int
    total: int
    review: list[ReviewedQuestion]
    streak: int


class ScheduleInput(WireInput):
    """The questions of a day, in order; an empty list means a random draw."""

    question_ids: Annotated[list[Id], Field(max_length=rules.MAX_SCHEDULED)]


class ScheduledQuestion(WireModel):
    """A question of a day; ``retired`` ones are skipped when the day is drawn."""

    id: UUID
    slug: str = Field(examples=["laws-goal-width"])
    question: str = Field(examples=["How wide is a goal?"])
    retired: bool


class ScheduledDay(WireModel):
    """The questions of a day, drawn (``frozen``) or scheduled; ``clubId`` null means all clubs."""

    day: date
    club_id: UUID | None
    question_ids: list[UUID]
    questions: list[ScheduledQuestion]
    frozen: bool


class ScheduleRow(ScheduledDay):
    """A scheduled day."""

    id: UUID
    club: str | None
