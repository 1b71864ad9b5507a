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
    """The status of a funding as shown to members and operators.

    An abandoned checkout has failed; one that its member closed is cancelled unless money arrives
    later.
    """

    PREPARED = "prepared"
    PENDING = "pending"
    SUCCESS = "success"
    FAILED = "failed"
    REVIEW = "review"
    CANCELLED = "cancelled"


class Outcome(StrEnum):
    """The outcome of a funding as shown to its member (spec 7; pending is contract B-29)."""

    SUCCESS = "success"
    FAILED = "failed"
    PENDING = "pending"


class ReportState(StrEnum):
    """The state of a report: ``FAILED`` is stored but not settled, for whatever reason."""

    MATCHED = "matched"
    UNMATCHED = "unmatched"
    FAILED = "failed"
    IGNORED = "ignored"


class DisputeState(StrEnum):
    """Whether a payer's dispute is decided."""

    OPEN = "open"
    CLOSED = "closed"


class DebtState(StrEnum):
    """The state of a debt: money that a wallet did not hold at a chargeback."""

    OPEN = "open"
    COLLECTED = "collected"
    WRITTEN_OFF = "written_off"
