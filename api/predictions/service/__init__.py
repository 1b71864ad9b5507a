"""The predictor: saving, scoring and reading predictions."""

from api.predictions.service.context import PredictionContext
from api.predictions.service.queries import (
    OpenMatches,
    list_predictions,
    read_board,
)
from api.predictions.service.saving import remove, save
from api.predictions.service.settling import MatchDecisions, PredictionScorer

__all__ = [
    "MatchDecisions",
    "OpenMatches",
    "PredictionContext",
    "PredictionScorer",
    "list_predictions",
    "read_board",
    "remove",
    "save",
]
