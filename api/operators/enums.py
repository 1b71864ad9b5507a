"""What operators decide, and what becomes of it."""

from enum import StrEnum


class Decision(StrEnum):
    """What a second person says to a proposal."""

    APPROVE = "approve"
    REFUSE = "refuse"


class ApprovalState(StrEnum):
    """What became of a proposal; an open one whose time is over counts as expired."""

    OPEN = "open"
    APPROVED = "approved"
    REFUSED = "refused"
    EXPIRED = "expired"


class JobOutcome(StrEnum):
    """How the last run of a job ended."""

    SUCCEEDED = "succeeded"
    FAILED = "failed"
