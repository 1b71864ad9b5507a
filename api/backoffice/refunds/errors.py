from api.foundation.core.errors import DomainError


class RefundTooMuchError(DomainError):
    """The request exceeds what is left of the purchase, other open cases included."""

    status = 409
    code = "refund_too_much"
    message = "This is more than is left to refund. Please look at the order again."


class NotPaidError(DomainError):
    status = 409
    code = "not_paid"
    message = "Nothing was paid for this, so there is nothing to refund."


class DecidedRefundError(DomainError):
    """The refund is already sent or refused; ``data.status`` says which."""

    status = 409
    code = "wrong_state"
    message = "This refund was decided before."
