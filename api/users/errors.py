"""Refusals of the member record."""

from api.core.errors import DomainError


class AccountExistsError(DomainError):
    """An activated account has this e-mail or phone."""

    status = 409
    code = "account_exists"
    message = "An account with this email already exists."


class PhoneTakenError(AccountExistsError):
    """An activated account has this phone."""

    message = "An account with this phone number already exists."
