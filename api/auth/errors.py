"""Refusals of signing up and in. None of them is a 401: that status is for dead tokens."""

from api.core.errors import DomainError, TooManyRequestsError


class WrongCredentialsError(DomainError):
    """The e-mail and password do not belong together; which of them is wrong stays unsaid."""

    code = "wrong_credentials"
    message = "The email or password is not correct."


class NotActivatedError(DomainError):
    """The password is right, but the account waits for its code (contract B-12)."""

    status = 409
    code = "not_activated"
    message = "Please activate your account. We have sent you a new code."


class SuspendedError(DomainError):
    """Operators have suspended the account."""

    status = 409
    code = "suspended"
    message = "This account is suspended. Please contact your club."


class WrongCodeError(DomainError):
    """The code is wrong, expired, used or void."""

    code = "wrong_code"
    message = "The code is not correct or has expired."


class CodeTooSoonError(TooManyRequestsError):
    """A code was sent a moment ago, or too many were sent today."""

    code = "code_too_soon"
    message = "We have just sent you a code. Please wait before asking for another."


class WrongPasswordError(DomainError):
    """The password that was asked for again is not the member's; never 401 (contract B-4)."""

    code = "wrong_password"
    message = "This is not your password."
