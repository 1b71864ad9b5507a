from api.foundation.core.errors import DomainError


class PredictionClosedError(DomainError):
    status = 409
    code = "prediction_closed"
    message = "Predictions for this match are closed."


class PredictionChangedError(DomainError):
    """The save replaces another state than the stored one, which is in ``data``."""

    status = 409
    code = "prediction_changed"
    message = "Your prediction was changed on another screen."


class PredictionNotOpenError(DomainError):
    """The match is not scheduled, or too far ahead."""

    status = 409
    code = "not_open"
    message = "This match cannot be predicted yet."
