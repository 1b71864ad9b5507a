"""Enumerations of the home screen."""

from enum import StrEnum


class ActionKind(StrEnum):
    """What a member is asked to do first; ``done`` is nothing more today."""

    BATTLE = "battle"
    CLUB_BATTLE = "club_battle"
    QUEST = "quest"
    PREDICT = "predict"
    DONE = "done"


class PredictState(StrEnum):
    """What a member can do with matches to be predicted."""

    OPEN = "open"
    DONE = "done"
    NONE = "none"
