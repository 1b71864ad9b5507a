from api.foundation.core.errors import DomainError


class NotPaidYetError(DomainError):
    status = 409
    code = "not_paid"
    message = "There is a receipt as soon as this is paid."
