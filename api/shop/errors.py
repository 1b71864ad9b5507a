"""Refusals of the shop."""

from api.core.errors import DomainError, NotFoundError


class ProductNotFoundError(NotFoundError):
    """There is no such product in the shop."""

    message = "Product not found"  # spec 2


class ProductUnavailableError(DomainError):
    """Something in the cart is sold out, hidden or unknown; ``data.lines`` says what is."""

    status = 409
    code = "product_unavailable"
    message = "Something in your cart is not available any more. We have updated your cart."


class PriceChangedError(DomainError):
    """A price moved since the cart was filled; ``data.lines`` has today's."""

    status = 409
    code = "price_changed"
    message = "A price has changed. Please look at your cart again before you order."


class TooManyOpenOrdersError(DomainError):
    """As many orders as one member may have wait for a bank transfer; ``data.orders`` are they."""

    status = 409
    code = "too_many_open_orders"
    message = (
        "Three of your orders are waiting for your bank transfer. "
        "Please pay for one of them, or let it expire, before you order again."
    )


class TooMuchUnpaidError(DomainError):
    """With this order too much would wait for bank transfers.

    ``data`` says what waits already, without the order: ``{units, value, orders}``, in naira.
    """

    status = 409
    code = "too_much_unpaid"
    message = "Your unpaid orders hold too much. Please pay for one of them before you order again."


class BankReferenceUsedError(DomainError):
    """The bank's reference was confirmed before, for this order or another."""

    status = 409
    code = "bank_reference_used"
    message = "This bank reference was confirmed before. Please check the bank statement."


class AmountUnlikelyError(DomainError):
    """More than twice what the order costs was confirmed; ``confirmAmount`` says it again."""

    status = 422
    code = "amount_unlikely"
    message = (
        "This is more than twice the order's total. Please check the amount and enter it again."
    )


class StatementChangedError(DomainError):
    """The digest is of another file, or of another mapping of its columns."""

    status = 409
    code = "stale"
    message = "This is not the statement that was checked. Please upload it again."


class StatementProblemsError(DomainError):
    """Nothing of a statement is imported while a row cannot be read; ``data`` is its review."""

    status = 409
    code = "import_has_problems"
    message = "Some rows cannot be read. Please correct the file and upload it again."


class AlreadyMatchedError(DomainError):
    """A line has a transfer, or the transfer has a line; ``data.status`` says so."""

    status = 409
    code = "wrong_state"
    message = "The line or the order's transfer is matched already."


class OwnTransferError(DomainError):
    """Raised if an operator matches a transfer of their own order."""

    status = 409
    code = "own_proposal"
    message = "Somebody else has to decide: it is your own order."


class TransferNotOfferedError(DomainError):
    """The shop takes no bank transfers at the moment."""

    status = 409
    code = "transfer_not_offered"
    message = "Bank transfer is not available at the moment. Please pay from your wallet."


class WrongStateError(DomainError):
    """The order is in a state in which this cannot be done; ``data.status`` is that state."""

    status = 409
    code = "wrong_state"
    message = "This is not possible for the order any more. Please look at it again."


class ProofWaitingError(DomainError):
    """A proof of payment waits to be looked at: the money may be there already."""

    status = 409
    code = "proof_waiting"
    message = (
        "We are looking at your proof of payment. You can cancel the order when we have decided."
    )


class TooManyProofsError(DomainError):
    """As many proofs as may be were uploaded for the order."""

    status = 409
    code = "too_many_proofs"
    message = "You have uploaded three proofs for this order. Please write to your club."


class StockAllocatedError(DomainError):
    """Less would be on the shelf than belongs to orders; ``data`` says what there is of it."""

    status = 409
    code = "stock_allocated"
    message = "So many units belong to orders that were not sent yet."


class SizeTakenError(DomainError):
    """The product has another size of this name."""

    status = 409
    code = "size_taken"
    message = "This product has a size of that name."


class DefaultSizeError(DomainError):
    """An order that names no size gets the default: there is always one, and it is shown."""

    status = 409
    code = "default_size"
    message = "This is the default size, or would be. Please show it, or make another one default."


class NotAProofError(DomainError):
    """The file is no JPEG, PNG, WebP or PDF."""

    status = 415
    code = "not_a_proof"
    message = "Please choose a JPEG, PNG or WebP picture, or a PDF."
