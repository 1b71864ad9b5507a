from enum import StrEnum


class PredictionOutcome(StrEnum):
    """The outcome of a prediction."""

    PENDING = "pending"
    EXACT = "exact"
    RESULT = "result"
    WRONG = "wrong"
    VOID = "void"


class PredictionState(StrEnum):
    """Which predictions to list: of open matches, or the member's others."""

    OPEN = "open"
    CLOSED = "closed"


class PredictionPeriod(StrEnum):
    """The period of a board of predictions."""

    ROUND = "round"
    MONTH = "month"
    SEASON = "season"


class PredictState(StrEnum):
    """The state of the predictor for a member."""

    OPEN = "open"
    DONE = "done"
    NONE = "none"
