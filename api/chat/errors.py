"""Refusals of the chat."""

from api.core.errors import DomainError, InvalidFieldError


class NotJoinedError(DomainError):
    """The member has not joined the chat yet: join-chat comes before the socket (spec 4)."""

    status = 409
    code = "not_joined"
    message = "Join the chat first."


class MutedError(DomainError):
    """A moderator keeps the member from writing; ``data.until`` says until when."""

    status = 409
    code = "muted"
    message = "You cannot write at the moment. A moderator has paused you."


class BannedError(DomainError):
    """A moderator has closed the chat to the member; ``data.until`` says until when, or null."""

    status = 409
    code = "banned"
    message = "You cannot enter the chat at the moment. A moderator has closed it to you."


class TooManyMessagesError(DomainError):
    """Five messages in five seconds are the most; ``data.retryAfter`` is in seconds."""

    status = 429
    code = "too_many_messages"
    message = "You are writing too fast. Wait a moment."


class RepeatedMessageError(DomainError):
    """The same text twice within ten seconds."""

    status = 409
    code = "repeated_message"
    message = "You have just sent the same message."


class TooManyReactionsError(DomainError):
    """Twenty reactions in ten seconds are the most; ``data.retryAfter`` is in seconds."""

    status = 429
    code = "too_many_reactions"
    message = "You are reacting too fast. Wait a moment."


class TooLateError(DomainError):
    """A member takes a message back within ten minutes, or not at all."""

    status = 409
    code = "too_late"
    message = "You can delete a message for ten minutes after you sent it."


class ReusedClientIdError(InvalidFieldError):
    """The client's id was used for other words, or in the other tab."""

    message = "This id was used for another message"


class OwnMessageError(DomainError):
    """A member's own message cannot be reported by them."""

    status = 409
    code = "own_message"
    message = "This is your own message."


class MessageStateError(DomainError):
    """The message is in that state already; ``data.status`` names it."""

    status = 409
    code = "wrong_state"
    message = "The message has changed meanwhile. Please look at it again."


class MuteStateError(DomainError):
    """The member is muted already, or is not muted; ``data.status`` says which."""

    status = 409
    code = "wrong_state"
    message = "The member has changed meanwhile. Please look at them again."
