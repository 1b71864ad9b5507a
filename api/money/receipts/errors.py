from api.foundation.core.errors import DomainError


class NotPaidYetError(DomainError):
    status = 409
    code = "not_paid"
    message = "A receipt is available once this is paid."
