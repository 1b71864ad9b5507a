from enum import StrEnum


class MomentState(StrEnum):
    """Whether a moment is shown, or hidden by operators or reports."""

    SHOWN = "shown"
    HIDDEN = "hidden"


class MomentComplaint(StrEnum):
    """Why a member reports a moment."""

    SPAM = "spam"
    ABUSE = "abuse"
    HATE = "hate"
    OTHER = "other"
