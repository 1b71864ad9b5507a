"""Refusals of the ranking."""

from api.core.errors import DomainError


class SeasonRefusedError(DomainError):
    """A season cannot be written like that; the message says why."""

    status = 409
    code = "season_refused"
