from enum import StrEnum


class RefundState(StrEnum):
    """The state of a refund (contract section D)."""

    ASKED = "asked"
    SENT = "sent"
    REFUSED = "refused"


class RefundSubject(StrEnum):
    """What is refunded."""

    ORDER = "order"
    SUBSCRIPTION = "subscription"
