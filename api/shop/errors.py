from api.foundation.core.errors import DomainError, NotFoundError


class ProductNotFoundError(NotFoundError):
    message = "Product not found"  # spec 2


class ProductUnavailableError(DomainError):
    """Something in the cart is sold out, hidden or unknown; ``data.lines`` lists it."""

    status = 409
    code = "product_unavailable"
    message = "Something in your cart is no longer available. We have updated your cart."


class PriceChangedError(DomainError):
    """A price changed since the cart was filled; ``data.lines`` has the current prices."""

    status = 409
    code = "price_changed"
    message = "A price has changed. Please check your cart again before you order."


class TooManyOpenOrdersError(DomainError):
    """The maximum of the member's orders wait for a bank transfer; ``data.orders`` lists them."""

    status = 409
    code = "too_many_open_orders"
    message = (
        "Three of your orders are waiting for your bank transfer. "
        "Please pay for one of them, or let it expire, before you order again."
    )


class TooMuchUnpaidError(DomainError):
    """With this order, too much would wait for bank transfers.

    ``data`` is what waits already, without this order: ``{units, value, orders}``, in naira.
    """

    status = 409
    code = "too_much_unpaid"
    message = (
        "Your unpaid orders hold too many items. Please pay for one of them before you order again."
    )


class BankReferenceUsedError(DomainError):
    status = 409
    code = "bank_reference_used"
    message = "This bank reference was confirmed before. Please check the bank statement."


class AmountUnlikelyError(DomainError):
    """More than twice the order's total was confirmed; repeat it as ``confirmAmount``."""

    status = 422
    code = "amount_unlikely"
    message = (
        "This is more than twice the order's total. Please check the amount and enter it again."
    )


class StatementChangedError(DomainError):
    """The digest is of another file, or of another column mapping."""

    status = 409
    code = "stale"
    message = "This is not the statement that was checked. Please upload it again."


class StatementProblemsError(DomainError):
    """A statement is not imported while any row cannot be read; ``data`` is its review."""

    status = 409
    code = "import_has_problems"
    message = "Some rows cannot be read. Please correct the file and upload it again."


class AlreadyMatchedError(DomainError):
    """The line has a transfer, or the transfer has a line; ``data.status`` says which."""

    status = 409
    code = "wrong_state"
    message = "The line or the order's transfer is already matched."


class OwnTransferError(DomainError):
    """Raised if an operator matches a transfer of their own order."""

    status = 409
    code = "own_proposal"
    message = "Another operator must decide: it is your own order."


class TransferNotOfferedError(DomainError):
    status = 409
    code = "transfer_not_offered"
    message = "Bank transfer is not available at the moment. Please pay from your wallet."


class WrongStateError(DomainError):
    """Its ``data.status`` is the order's status."""

    status = 409
    code = "wrong_state"
    message = "This is no longer possible for the order. Please check it again."


class ProofWaitingError(DomainError):
    """A proof of payment is under review: the money may have arrived already."""

    status = 409
    code = "proof_waiting"
    message = "Your receipt is under review. You can cancel the order once we have decided."


class TooManyProofsError(DomainError):
    status = 409
    code = "too_many_proofs"
    message = "You have uploaded three proofs for this order. Please contact your club."


class StockAllocatedError(DomainError):
    """Stock would drop below what is allocated to orders; ``data`` has the figures."""

    status = 409
    code = "stock_allocated"
    message = "These units belong to orders that have not been shipped yet."


class SizeTakenError(DomainError):
    status = 409
    code = "size_taken"
    message = "This product already has a size with that name."


class DefaultSizeError(DomainError):
    """An order without a size gets the default: there is always one, and it is visible."""

    status = 409
    code = "default_size"
    message = "This is the default size, or would be. Please show it, or make another one default."


class NotAProofError(DomainError):
    """The file is not a JPEG, PNG, WebP or PDF."""

    status = 415
    code = "not_a_proof"
    message = "Please choose a JPEG, PNG or WebP picture, or a PDF."
