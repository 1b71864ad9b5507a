"""The predictor's rules: saving, settling, and what is shown of it."""

from api.predictions.service.context import PredictionContext
from api.predictions.service.queries import (
    OpenMatches,
    list_predictions,
    read_board,
)
from api.predictions.service.saving import remove, save
from api.predictions.service.settling import Decider, Settler

__all__ = [
    "Decider",
    "OpenMatches",
    "PredictionContext",
    "Settler",
    "list_predictions",
    "read_board",
    "remove",
    "save",
]
