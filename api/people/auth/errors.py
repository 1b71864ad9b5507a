"""Errors of signing up and in. None is a 401: that status is reserved for invalid tokens."""

from api.foundation.core.errors import DomainError, TooManyRequestsError
from api.foundation.database.rate_limit import WrongGuessError


class WrongCredentialsError(WrongGuessError):
    """The email and password do not match; the message does not say which is wrong."""

    code = "wrong_credentials"
    message = "The email or password is not correct."


class NotActivatedError(DomainError):
    """The password is right, but the account is not activated yet (contract B-12).

    ``data.id`` identifies the sign-up; ``data.retryAfter`` is as in a sign-up's response.
    """

    status = 409
    code = "not_activated"
    message = "Please activate your account. We have sent you a new code."
    message_without_code = "Please activate your account with the code we sent you."


class SuspendedError(DomainError):
    status = 409
    code = "suspended"
    message = "This account is suspended. Please contact your club."


class WrongCodeError(DomainError):
    """The code is wrong, expired, used or void."""

    code = "wrong_code"
    message = "The code is not correct or has expired."


class CodeTooSoonError(TooManyRequestsError):
    """A code was just sent, or too many today; ``data.retryAfter`` says when to retry."""

    code = "code_too_soon"
    message = "You cannot ask for another code yet."


class InvalidReportError(DomainError):
    """A delivery report has no valid signature, or cannot be read."""

    status = 400
    code = "invalid_signature"
    message = "The report's signature is not valid."


class WrongPasswordError(WrongGuessError):
    """The member's re-entered password is wrong; never a 401 (contract B-4)."""

    code = "wrong_password"
    message = "This is not your password."


class EmailContestedError(DomainError):
    """A code by SMS proves no email, and another person who signs up with it may prove theirs."""

    status = 409
    code = "email_contested"
    message = (
        "Someone else is signing up with this email too. "
        "Please get your code by email to show that it is yours."
    )
