"""Errors of payments.

``GatewayUnavailableError`` may be retried; ``GatewayRejectedError`` may not.
"""

from api.foundation.core.errors import DomainError, UnavailableError


class GatewayUnavailableError(UnavailableError):
    """The provider gave no usable answer."""

    code = "gateway_unavailable"
    message = "The payment provider is not answering right now. Please try again in a moment."

    def __init__(self) -> None:
        super().__init__(retry_after_seconds=5)


class GatewayRejectedError(DomainError):
    """The provider refused; its message is passed on to the member, its code is not."""

    code = "gateway_rejected"
    message = "The payment provider refused this payment."

    def __init__(self, message: str | None = None, *, gateway_code: str | None = None) -> None:
        super().__init__(message)
        self.gateway_code = gateway_code


class ReferenceUsedError(GatewayRejectedError):
    """The provider has already opened a checkout under this reference."""

    code = "reference_used"


class FundingDecidedError(DomainError):
    """The funding is decided and cannot be cancelled; ``data.status`` says how it ended."""

    status = 409
    code = "wrong_state"
    message = "This payment is complete already."


class ReportClosedError(DomainError):
    """The report can no longer be replayed or ignored; ``data.status`` says why."""

    status = 409
    code = "wrong_state"
    message = "Nothing more can be done with this report."


class NotCreditedError(DomainError):
    status = 409
    code = "wrong_state"
    message = "This funding was not credited."


class CaseUsedError(DomainError):
    status = 409
    code = "case_used"
    message = "This case was charged back before."


class ChargebackTooMuchError(DomainError):
    """The chargeback exceeds the funding; ``data.left`` is what is left of it, in naira."""

    status = 409
    code = "chargeback_too_much"
    message = "More cannot be charged back than was funded."


class DebtSettledError(DomainError):
    """The debt is collected, written off or has changed; ``data.status`` says which."""

    status = 409
    code = "wrong_state"
    message = "This debt has changed. Please check it again."


class InvalidSignatureError(DomainError):
    """A webhook's signature is missing or wrong; nothing in it is trusted or stored."""

    code = "invalid_signature"
    message = "The signature does not match."


class WebhookTooLargeError(DomainError):
    status = 413
    code = "too_large"
    message = "The request is too large."
