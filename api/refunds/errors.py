"""Refusals of refunds."""

from api.core.errors import DomainError


class RefundTooMuchError(DomainError):
    """More than was bought and is left of it, what other cases ask for included."""

    status = 409
    code = "refund_too_much"
    message = "This is more than is left to refund. Please look at the order again."


class NotPaidError(DomainError):
    """Nothing was paid, so that nothing can go back."""

    status = 409
    code = "not_paid"
    message = "Nothing was paid for this, so there is nothing to refund."


class DecidedRefundError(DomainError):
    """The refund was sent or refused; ``data.status`` says which."""

    status = 409
    code = "wrong_state"
    message = "This refund was decided before."
