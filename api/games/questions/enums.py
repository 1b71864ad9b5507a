from enum import StrEnum


class QuestionKind(StrEnum):
    """The game that asks the question; games share none, so no review reveals an answer."""

    TRIVIA = "trivia"
    BATTLE = "battle"
    VISITOR = "visitor"  # asked on the public home page, without an account


class QuestionFlag(StrEnum):
    """A problem that the answers to a question suggest."""

    TOO_EASY = "too_easy"
    TOO_HARD = "too_hard"
    WRONG_KEY = "wrong_key"


class QuestionFlagFilter(StrEnum):
    """Which questions to list: those with one flag, or with any."""

    TOO_EASY = "too_easy"
    TOO_HARD = "too_hard"
    WRONG_KEY = "wrong_key"
    ANY = "any"
