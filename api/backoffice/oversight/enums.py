from enum import StrEnum


class JobOutcome(StrEnum):
    """How the last run of a job ended."""

    SUCCEEDED = "succeeded"
    FAILED = "failed"
