from api.foundation.core.errors import DomainError
from api.foundation.database.rate_limit import WrongGuessError


class WrongSignInError(WrongGuessError):
    """The sign-in failed; the error does not say which part was wrong."""

    code = "wrong_credentials"
    message = "The email, password or code is not correct."


class WrongOneTimeCodeError(WrongGuessError):
    """The code is wrong or was used before."""

    code = "wrong_code"
    message = "The code is not correct. Please wait for the next one."


class LastOwnerError(DomainError):
    status = 409
    code = "last_owner"
    message = "This is the last owner. Make another operator an owner first."


class NotDisabledError(DomainError):
    """The operator is not disabled; ``data.status`` says so."""

    status = 409
    code = "wrong_state"
    message = "This operator is not disabled."


class AlreadyOperatorError(DomainError):
    status = 409
    code = "already_operator"
    message = "This member is an operator already."
