from api.foundation.core.errors import DomainError
from api.foundation.core.money import naira_from_kobo


class InsufficientFundsError(DomainError):
    """``data.shortfall`` is what the wallet lacks, in naira."""

    status = 402
    code = "insufficient_funds"
    message = "Insufficient wallet balance. Fund your wallet to continue."

    @classmethod
    def short_of(cls, *, needed_kobo: int, held_kobo: int) -> "InsufficientFundsError":
        """Return the error with the missing amount."""
        return cls(content={"shortfall": naira_from_kobo(needed_kobo - held_kobo)})


class ReferenceReusedError(DomainError):
    """The reference already names a transfer with other content."""

    status = 409
    code = "reference_reused"
    message = "This reference already names another transfer."


class IllegalTransferError(DomainError):
    """The transfer follows no legal flow: a refund without its original, or beyond it."""

    status = 409
    code = "illegal_transfer"
    message = "This transfer is not possible."


class DecidedCaseError(DomainError):
    """The case is already decided; ``data.status`` says how."""

    status = 409
    code = "wrong_state"
    message = "This case has already been decided."


class NotCreditableError(DomainError):
    status = 409
    code = "not_creditable"
    message = (
        "This is money of another mode, or it has paid for something else. It can only be refused."
    )
