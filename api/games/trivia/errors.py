from api.foundation.core.errors import DomainError


class AlreadyAttemptedError(DomainError):
    """The attempt was submitted before; ``data.points`` are the points it earned."""

    status = 409
    code = "already_attempted"
    message = "You have already attempted today's daily quest. Please check back tomorrow."


class SetFrozenError(DomainError):
    """The day is over, or its questions were drawn: members have seen them."""

    status = 409
    code = "set_frozen"
    message = "The questions for this day have been drawn and cannot be changed."


class NoDailyQuestError(DomainError):
    """The questions were not served to the member, or their day and grace period are over."""

    status = 409
    code = "no_daily_quest"
    message = "This daily quest is over. Please open today's questions."
