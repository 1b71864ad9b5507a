"""Expected errors: every error a member can see has a status, a stable code and a sentence.

``DomainError`` is the root; domains subclass it in their ``errors.py``. A status of 401 only means
an invalid token, and 403 is not used: both sign the member out (spec 4).
"""

from typing import Any, ClassVar


class DomainError(Exception):
    """An error that is sent in the envelope; the transaction it is raised in rolls back."""

    status: ClassVar[int] = 400
    code: ClassVar[str] = "refused"
    message: ClassVar[str] = "The request was refused."

    def __init__(
        self,
        message: str | None = None,
        *,
        fields: dict[str, str] | None = None,
        content: Any = None,
        retry_after_seconds: int | None = None,
    ) -> None:
        self.sentence = message or self.message
        self.fields = fields or {}
        self.content = content
        self.retry_after_seconds = retry_after_seconds
        super().__init__(self.sentence)


class NotFoundError(DomainError):
    """The record does not exist or is not visible to the caller; both look the same."""

    status = 404
    code = "not_found"
    message = "We could not find what you asked for."


class TokenError(DomainError):
    """The bearer token is missing, invalid, expired or revoked."""

    status = 401
    code = "token_invalid"
    message = "Your session has ended. Please sign in again."


class TokenMissingError(TokenError):
    code = "token_missing"
    message = "User token is required."  # spec 5


class InvalidFieldError(DomainError):
    """A field's value is invalid; ``fields`` names it."""

    status = 422
    code = "validation_failed"

    @classmethod
    def of(cls, field: str, sentence: str) -> "InvalidFieldError":
        """Return an error for one field with one sentence."""
        return cls(sentence, fields={field: sentence})


class TooManyRequestsError(DomainError):
    """A limit is reached; ``retry_after_seconds`` is when it resets."""

    status = 429
    code = "too_many_requests"
    message = "Too many attempts. Please wait a little and try again."


class UnavailableError(DomainError):
    """A service we depend on is unavailable; the same request may succeed later."""

    status = 503
    code = "unavailable"
    message = "We are having trouble right now. Please try again in a moment."

    def __init__(self, message: str | None = None, *, retry_after_seconds: int = 2) -> None:
        super().__init__(message, retry_after_seconds=retry_after_seconds)


class DatabaseUnavailableError(UnavailableError):
    """The database did not respond in time, or could not accept the write."""

    code = "database_unavailable"
