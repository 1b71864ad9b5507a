from enum import StrEnum


class FundingState(StrEnum):
    """The stored state of a funding; ``FundingStatus`` is the state shown to people.

    ``FAILED`` and ``EXPIRED`` are not final: a payer may try again in the same checkout, and a
    transfer may arrive late. ``SUCCEEDED`` and ``REVIEW`` are final.
    """

    PREPARED = "prepared"
    PENDING = "pending"
    FAILED = "failed"
    SUCCEEDED = "succeeded"
    REVIEW = "review"
    EXPIRED = "expired"


class FundingStatus(StrEnum):
    """What members and operators call the state of a funding, everywhere.

    A checkout that was given up has failed; one that its member closed is cancelled until money
    comes after all.
    """

    PREPARED = "prepared"
    PENDING = "pending"
    SUCCESS = "success"
    FAILED = "failed"
    REVIEW = "review"
    CANCELLED = "cancelled"


class Outcome(StrEnum):
    """What a member is told of a funding (spec 7; pending is ours: contract B-29)."""

    SUCCESS = "success"
    FAILED = "failed"
    PENDING = "pending"


class ReportState(StrEnum):
    """What became of a report: ``FAILED`` is kept and not settled, for whatever reason."""

    MATCHED = "matched"
    UNMATCHED = "unmatched"
    FAILED = "failed"
    IGNORED = "ignored"


class DisputeState(StrEnum):
    """Whether a payer's complaint is decided."""

    OPEN = "open"
    CLOSED = "closed"


class DebtState(StrEnum):
    """What became of money that a wallet did not hold when it was charged back."""

    OPEN = "open"
    COLLECTED = "collected"
    WRITTEN_OFF = "written_off"
