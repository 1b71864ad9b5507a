"""Words of payments that other domains may say."""

from enum import StrEnum


class FundingState(StrEnum):
    """Where a funding stands.

    ``FAILED`` and ``EXPIRED`` are not the end: a payer may try again in the same checkout, and a
    transfer may arrive late. ``SUCCEEDED`` and ``REVIEW`` are.
    """

    PREPARED = "prepared"
    PENDING = "pending"
    FAILED = "failed"
    SUCCEEDED = "succeeded"
    REVIEW = "review"
    EXPIRED = "expired"


class Outcome(StrEnum):
    """What a member is told of a funding (spec 7; pending is ours: contract B-29)."""

    SUCCESS = "success"
    FAILED = "failed"
    PENDING = "pending"
