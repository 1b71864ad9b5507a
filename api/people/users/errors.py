from api.foundation.core.errors import DomainError


class AccountExistsError(DomainError):
    """An activated account has this email or phone."""

    status = 409
    code = "account_exists"
    message = "An account with this email already exists."


class PhoneTakenError(AccountExistsError):
    message = "An account with this phone number already exists."


class OperatorSuspensionError(DomainError):
    status = 409
    code = "is_operator"
    message = "This member is an operator. Disable the operator instead."


class MemberStateError(DomainError):
    """The member already has the requested state; ``data.status`` says which."""

    status = 409
    code = "wrong_state"
    message = "The member has changed in the meantime. Please check them again."
