from api.foundation.core.errors import DomainError


class MomentStateError(DomainError):
    """The moment is already in the requested state; ``data.status`` names it."""

    status = 409
    code = "wrong_state"
    message = "This has changed in the meantime. Please check it again."


class TooManyMomentsError(DomainError):
    status = 409
    code = "too_many_moments"
    message = "You have reached the maximum number of posts. Remove one to post another."


class TooManySharesError(DomainError):
    """The member has shared the day's maximum of moments; taking one back changes nothing."""

    status = 409
    code = "too_many_shares"
    message = "You have shared enough for today. Come back tomorrow."


class OwnMomentError(DomainError):
    status = 409
    code = "own_moment"
    message = "This is your own moment."
