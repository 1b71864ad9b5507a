"""Errors of receipts."""

from api.foundation.core.errors import DomainError


class NotPaidYetError(DomainError):
    """Nothing was paid, so there is no receipt."""

    status = 409
    code = "not_paid"
    message = "There is a receipt as soon as this is paid."
