from api.foundation.core.errors import DomainError


class PredictionClosedError(DomainError):
    status = 409
    code = "prediction_closed"
    message = "Predictions for this match are closed."


class PredictionNotOpenError(DomainError):
    """The match is not scheduled, or too far ahead."""

    status = 409
    code = "not_open"
    message = "This match cannot be predicted yet."
