from enum import StrEnum


class RefundState(StrEnum):
    """What became of a refund that was asked for (contract section D)."""

    ASKED = "asked"
    SENT = "sent"
    REFUSED = "refused"


class RefundSubject(StrEnum):
    """What is refunded."""

    ORDER = "order"
    SUBSCRIPTION = "subscription"
