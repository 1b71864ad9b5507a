"""Refusals of the shop."""

from api.core.errors import DomainError


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


class TransferNotOfferedError(DomainError):
    """The house takes no bank transfers at the moment."""

    status = 409
    code = "transfer_not_offered"
    message = "Bank transfer is not available at the moment. Please pay from your wallet."
