from api.foundation.core.errors import DomainError, NotFoundError


class ClubNotFoundError(NotFoundError):
    """There is no such club."""


class ClubNameTakenError(DomainError):
    """Another club has the name, ignoring case."""

    status = 409
    code = "name_taken"
    message = "Another club has this name."
