"""The data the home screen reads from the predictor."""

from dataclasses import dataclass
from datetime import datetime

from api.games.predictions.enums import PredictState


@dataclass(frozen=True)
class ToPredict:
    """How many open matches a member has not predicted; ``closes_at`` is the first deadline."""

    state: PredictState
    left: int = 0
    closes_at: datetime | None = None
