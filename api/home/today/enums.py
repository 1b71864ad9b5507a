from enum import StrEnum


class ActionKind(StrEnum):
    """The suggested action; ``done`` means nothing more today."""

    BATTLE = "battle"
    CLUB_BATTLE = "club_battle"
    QUEST = "quest"
    PREDICT = "predict"
    DONE = "done"
