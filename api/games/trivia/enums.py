from enum import StrEnum


class QuestState(StrEnum):
    """What a member can do with the day's quest."""

    OPEN = "open"
    DONE = "done"
    NONE = "none"
