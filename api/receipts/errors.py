"""Refusals of receipts."""

from api.core.errors import DomainError


class NotPaidYetError(DomainError):
    """Nothing was paid, so that there is nothing to give a receipt for."""

    status = 409
    code = "not_paid"
    message = "There is a receipt as soon as this is paid."
