from api.foundation.core.errors import DomainError, InvalidFieldError


class NotJoinedError(DomainError):
    """The member has not joined the chat: join-chat comes before the socket (spec 4)."""

    status = 409
    code = "not_joined"
    message = "Join the chat first."


class MutedError(DomainError):
    """The member is muted; ``data.until`` is when the mute ends."""

    status = 409
    code = "muted"
    message = "You cannot write at the moment. A moderator has muted you."


class BannedError(DomainError):
    """The member is banned from the chat; ``data.until`` is when the ban ends, or null."""

    status = 409
    code = "banned"
    message = "You cannot enter the chat at the moment. A moderator has blocked you."


class TooManyMessagesError(DomainError):
    """More than five messages in five seconds; ``data.retryAfter`` is in seconds."""

    status = 429
    code = "too_many_messages"
    message = "You are writing too fast. Wait a moment."


class SlowModeError(DomainError):
    """A message too soon after the last one in a large room; ``data.retryAfter`` is in seconds."""

    status = 429
    code = "slow_mode"
    message = "Slow mode is on. Wait a moment before your next message."


class RepeatedMessageError(DomainError):
    """The same text was sent twice within ten seconds."""

    status = 409
    code = "repeated_message"
    message = "You have just sent the same message."


class TooManyReactionsError(DomainError):
    """More than twenty reactions in ten seconds; ``data.retryAfter`` is in seconds."""

    status = 429
    code = "too_many_reactions"
    message = "You are reacting too fast. Wait a moment."


class TooLateError(DomainError):
    status = 409
    code = "too_late"
    message = "You can delete a message for ten minutes after you sent it."


class ReusedClientIdError(InvalidFieldError):
    """The client's id was used for another text, or in the other tab."""

    message = "This id was used for another message"


class OwnMessageError(DomainError):
    status = 409
    code = "own_message"
    message = "This is your own message."


class MessageStateError(DomainError):
    """The message is already in the requested state; ``data.status`` names it."""

    status = 409
    code = "wrong_state"
    message = "The message has changed in the meantime. Please check it again."


class MuteStateError(DomainError):
    """The member is already muted, or is not muted; ``data.status`` says which."""

    status = 409
    code = "wrong_state"
    message = "The member has changed in the meantime. Please check them again."
