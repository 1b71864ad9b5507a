"""Refusals of signing up and in. None of them is a 401: that status is for dead tokens."""

from api.core.errors import DomainError, TooManyRequestsError
from api.database.rate_limit import WrongGuessError


class WrongCredentialsError(WrongGuessError):
    """The e-mail and password do not belong together; which of them is wrong stays unsaid."""

    code = "wrong_credentials"
    message = "The email or password is not correct."


class NotActivatedError(DomainError):
    """The password is right, but the account waits for its code (contract B-12).

    ``data.id`` names the sign-up, ``data.retryAfter`` is as a sign-up's.
    """

    status = 409
    code = "not_activated"
    message = "Please activate your account. We have sent you a new code."
    message_without_code = "Please activate your account with the code we sent you."


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
    """The e-mail was sent a code a moment ago, or too many today; ``data.retryAfter`` tells."""

    code = "code_too_soon"
    message = "You cannot ask for another code yet."


class WrongPasswordError(WrongGuessError):
    """The password that was asked for again is not the member's; never 401 (contract B-4)."""

    code = "wrong_password"
    message = "This is not your password."
