from enum import StrEnum


class PredictionOutcome(StrEnum):
    """What a prediction came to."""

    PENDING = "pending"
    EXACT = "exact"
    RESULT = "result"
    WRONG = "wrong"
    VOID = "void"


class PredictionState(StrEnum):
    """Which predictions are listed: of matches that can be predicted, or the member's others."""

    OPEN = "open"
    CLOSED = "closed"


class PredictionPeriod(StrEnum):
    """What a board of predictions covers."""

    ROUND = "round"
    MONTH = "month"
    SEASON = "season"


class PredictState(StrEnum):
    """What a member can do with matches to be predicted."""

    OPEN = "open"
    DONE = "done"
    NONE = "none"
