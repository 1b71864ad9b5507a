"""Refusals of posting a moment."""

from api.core.errors import DomainError


class MomentStateError(DomainError):
    """The moment is where this leads already; ``data.status`` says where."""

    status = 409
    code = "wrong_state"
    message = "This has changed meanwhile. Please look at it again."


class TooManyMomentsError(DomainError):
    """The member has as many moments as one may have."""

    status = 409
    code = "too_many_moments"
    message = "You have as many posts as you can have. Remove one to post another."
