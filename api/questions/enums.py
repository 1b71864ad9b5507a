"""Words of the question bank."""

from enum import StrEnum


class QuestionKind(StrEnum):
    """Which game asks the question; none asks the other's, so no review gives an answer away."""

    TRIVIA = "trivia"
    BATTLE = "battle"
