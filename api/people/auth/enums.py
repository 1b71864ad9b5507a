from enum import StrEnum


class CodeChannel(StrEnum):
    """How a code reaches its person."""

    EMAIL = "email"
    SMS = "sms"


class SmsState(StrEnum):
    """What is known about an SMS.

    ``SENDING`` is stored before the provider is called. A message that stays in it, and one that is
    ``UNKNOWN``, may have been sent, and is never sent again.
    """

    QUEUED = "queued"
    SENDING = "sending"
    SENT = "sent"
    DELIVERED = "delivered"
    UNDELIVERED = "undelivered"
    FAILED = "failed"
    UNKNOWN = "unknown"


class CodePurpose(StrEnum):
    """What a code is for; a code for one purpose never serves the other."""

    ACTIVATION = "activation"
    PASSWORD_RESET = "password_reset"  # noqa: S105 a purpose, not a password
