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


class OperatorSuspensionError(DomainError):
    """Who works at the back office is disabled there, and not suspended."""

    status = 409
    code = "is_operator"
    message = "This member is an operator. Disable the operator instead."


class MemberStateError(DomainError):
    """The member is where this leads already; ``data.status`` says where."""

    status = 409
    code = "wrong_state"
    message = "The member has changed meanwhile. Please look at them again."
