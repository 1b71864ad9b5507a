"""Wire schemas of questions: the options (spec 3), and those of the back office."""

import json
from collections.abc import Sequence
from typing import Annotated, Any
from uuid import UUID

from pydantic import ConfigDict, Field, StringConstraints

from api.foundation.wire.results import Reason
from api.foundation.wire.schemas import Instant, SafeText, WireInput, WireModel
from api.games.questions.enums import QuestionFlag, QuestionKind

KEYS = "ABCD"
CELL = Annotated[SafeText, StringConstraints(max_length=400)]


def label_options(options: Sequence[str]) -> str:
    """Return options, in a member's order, as the wire's JSON text from key to label."""
    return json.dumps(dict(zip(KEYS, options, strict=True)), ensure_ascii=False)


class QuestionInput(WireInput):
    """One question, by the columns of an import; without a club it is for all clubs."""

    model_config = ConfigDict(alias_generator=None)

    slug: CELL = Field(examples=["laws-goal-width"])
    kind: QuestionKind = Field(strict=False)
    club: CELL | None = Field(default=None, description="A club's name", examples=[None])
    topic: CELL = Field(examples=["laws"])
    question: CELL = Field(examples=["How wide is a goal?"])
    right: CELL = Field(examples=["7.32 m"])
    wrong_1: CELL = Field(examples=["8.44 m"])
    wrong_2: CELL = Field(examples=["6.40 m"])
    wrong_3: CELL = Field(examples=["9.15 m"])
    explanation: CELL = Field(examples=["The crossbar is 2.44 m above the ground."])
    source: CELL = Field(examples=["IFAB Laws of the Game, Law 1"])
    difficulty: Annotated[int, Field(ge=1, le=3)] = Field(examples=[1])

    def cells(self) -> dict[str, str]:
        """Return the equivalent row of an import."""
        cells = self.model_dump(mode="json")
        return {name: "" if cell is None else str(cell) for name, cell in cells.items()}


class RetireQuestion(WireInput):
    """Why a question is taken out of the games."""

    reason: Reason


class RankShare(WireModel):
    """How a rank answered a question; ``rightShare`` is 0 to 1."""

    rank: str = Field(examples=["rookie"])
    asked: int
    right_share: float | None


class AdminQuestion(WireModel):
    """A question with how it was answered in the last 90 days, as counted last night.

    ``rightShare`` is 0 to 1, of those who were asked; it is null before anybody was.
    ``medianSeconds`` is of the Battle Zone's answers.
    """

    id: UUID
    slug: str = Field(examples=["laws-goal-width"])
    kind: QuestionKind
    club: str | None
    club_id: UUID | None
    topic: str
    question: str
    right: str
    wrong: list[str]
    explanation: str
    source: str
    difficulty: int
    created_at: Instant
    retired_at: Instant | None
    asked: int
    right_share: float | None
    by_rank: list[RankShare]
    median_seconds: float | None
    flags: list[QuestionFlag]


class QuestionPreview(WireModel):
    """A question as a phone shows it, then why the right answer is right."""

    id: UUID
    question: str
    options: str = Field(examples=['{"A": "8.44 m", "B": "7.32 m", "C": "9.15 m", "D": "6.40 m"}'])
    explanation: str


class ImportProblem(WireModel):
    """What is wrong in a row, or nearly said already; ``column`` null is the whole row."""

    row: int = Field(description="From 1, the header included", examples=[3])
    column: str | None = Field(examples=["right"])
    reason: str = Field(examples=["The column right is empty."])


class ImportReview(WireModel):
    """What would come of a file. ``problems`` and ``warnings`` are the first thousand of each."""

    id: UUID
    digest: str
    rows: int
    new: int
    changed: int
    same: int
    bad: int
    problems: list[ImportProblem]
    warnings: list[ImportProblem]


class ApplyImport(WireInput):
    """The digest of the file that was looked at."""

    digest: Annotated[SafeText, StringConstraints(min_length=1, max_length=64)]


class ImportApplied(WireModel):
    """What an import has written."""

    id: UUID
    new: int
    changed: int
    same: int


IMPORT_FORM: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "required": ["file"],
                    "properties": {"file": {"type": "string", "format": "binary"}},
                }
            }
        },
    }
}
"""The body in OpenAPI's words: it is streamed, so no model parses it."""
