from enum import StrEnum


class QuestionKind(StrEnum):
    """Which game asks the question; none asks the other's, so no review gives an answer away."""

    TRIVIA = "trivia"
    BATTLE = "battle"


class QuestionFlag(StrEnum):
    """What the answers to a question say against it."""

    TOO_EASY = "too_easy"
    TOO_HARD = "too_hard"
    WRONG_KEY = "wrong_key"


class QuestionFlagFilter(StrEnum):
    """Which questions are listed: those with a flag, or with any."""

    TOO_EASY = "too_easy"
    TOO_HARD = "too_hard"
    WRONG_KEY = "wrong_key"
    ANY = "any"
