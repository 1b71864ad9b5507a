from enum import StrEnum


class ActionKind(StrEnum):
    """What a member is asked to do first; ``done`` is nothing more today."""

    BATTLE = "battle"
    CLUB_BATTLE = "club_battle"
    QUEST = "quest"
    PREDICT = "predict"
    DONE = "done"
