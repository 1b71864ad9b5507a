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


class TooManySharesError(DomainError):
    """The member has shared as many moments today as one may; taking one back changes nothing."""

    status = 409
    code = "too_many_shares"
    message = "You have shared enough for today. Come back tomorrow."


class OwnMomentError(DomainError):
    """A member neither applauds nor reports a moment of their own."""

    status = 409
    code = "own_moment"
    message = "This is your own moment."
