"""Wire schemas of questions: the options (spec 3), and those of the back office."""

import json
from collections.abc import Sequence
from typing import Annotated, Any
from uuid import UUID

from pydantic import ConfigDict, Field, StringConstraints

from api.foundation.wire.results import Reason
from api.foundation.wire.schemas import ExistingId, Instant, SafeText, WireInput, WireModel
from api.games.questions.enums import QuestionFlag, QuestionKind

KEYS = "ABCD"
CELL = Annotated[SafeText, StringConstraints(max_length=400)]


def label_options(options: Sequence[str]) -> str:
    """Return options, in a member's order, as the wire's JSON text from key to label."""
    return json.dumps(dict(zip(KEYS, options, strict=True)), ensure_ascii=False)


class QuestionInput(WireInput):
    """A question, with the columns of an import; without a club it is for all clubs.

    ``replaces`` is the version that is corrected, which must be the live one of the slug. Without
    it, whichever version is live is replaced.
    """

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
    replaces: ExistingId | None = None

    def cells(self) -> dict[str, str]:
        """Return the equivalent row of an import."""
        cells = self.model_dump(mode="json", exclude={"replaces"})
        return {name: "" if cell is None else str(cell) for name, cell in cells.items()}


class RetireQuestion(WireInput):
    """Why a question is retired."""

    reason: Reason


class RankShare(WireModel):
    """How members of a rank answered a question; ``rightShare`` is 0 to 1."""

    rank: str = Field(examples=["rookie"])
    asked: int
    right_share: float | None


class AdminQuestion(WireModel):
    """A question with its answer statistics of the last 90 days, counted nightly.

    ``rightShare`` is the share of right answers, 0 to 1, or null if it was not asked.
    ``medianSeconds`` covers answers in the Battle Zone.
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
    """A question as a phone shows it, and the explanation of the right answer."""

    id: UUID
    question: str
    options: str = Field(examples=['{"A": "8.44 m", "B": "7.32 m", "C": "9.15 m", "D": "6.40 m"}'])
    explanation: str


class ImportProblem(WireModel):
    """A problem or near duplicate in a row; ``column`` null means the whole row."""

    row: int = Field(description="Counts from 1, including the header", examples=[3])
    column: str | None = Field(examples=["right"])
    reason: str = Field(examples=["The column right is empty."])


class ImportReview(WireModel):
    """The result of checking a file; at most a thousand ``problems`` and ``warnings`` each."""

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
    """The digest of the checked file."""

    digest: Annotated[SafeText, StringConstraints(min_length=1, max_length=64)]


class ImportApplied(WireModel):
    """The result of an import."""

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
"""The OpenAPI description of the body, which is streamed and not parsed by a model."""
