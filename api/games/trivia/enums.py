from enum import StrEnum


class QuestState(StrEnum):
    """The state of the day's quest for a member."""

    OPEN = "open"
    DONE = "done"
    NONE = "none"
