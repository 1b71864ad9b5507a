from api.foundation.core.errors import DomainError


class SeasonRefusedError(DomainError):
    """The season is invalid; the message says why."""

    status = 409
    code = "season_refused"
