from typing import Annotated
from uuid import UUID

from pydantic import Field, WithJsonSchema

from api.foundation.wire.schemas import Instant, Moment, WireInput, WireModel
from api.games.matches.schemas.members import FixtureAnswer
from api.games.predictions.enums import PredictionOutcome
from api.games.predictions.rules import MAX_GOALS

PredictedGoals = Annotated[int, Field(ge=0, le=MAX_GOALS)]
SavedAt = Annotated[Moment, WithJsonSchema({"type": "string", "format": "date-time"})]


class PredictionInput(WireInput):
    """The predicted score; `base`: the `savedAt` it replaces, null for none, else any."""

    home: PredictedGoals
    away: PredictedGoals
    base: SavedAt | None = None


class SavedPrediction(WireModel):
    """A saved prediction; ``home``, ``away`` and ``savedAt`` are null once it is removed."""

    fixture_id: UUID
    home: int | None
    away: int | None
    saved_at: Instant | None
    closes_at: Instant


class PredictionRow(WireModel):
    """A match with the member's prediction; ``home`` and ``away`` are null if there is none."""

    fixture: FixtureAnswer
    home: int | None
    away: int | None
    points: int | None
    outcome: PredictionOutcome


class PredictorRow(WireModel):
    """A row of the predictor's board; ``results`` counts right results that are not exact."""

    rank: int
    firstname: str
    lastname: str
    avatar: str | None
    points: int
    exact: int
    results: int
    me: bool


class PredictorBoard(WireModel):
    """A page of the predictor's board; ``me`` is null if the member has no points on it."""

    rows: list[PredictorRow]
    me: PredictorRow | None
