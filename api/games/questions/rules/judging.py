"""Statistics of answers, and search queries."""

import re
from collections.abc import Mapping

from api.games.questions.enums import QuestionFlag

LEAST_ASKED = 20  # fewer answers are not significant
TOO_EASY = 0.95
TOO_HARD = 0.1


def share(right: int, asked: int) -> float | None:
    """Return the share of right answers, 0 to 1; None without answers."""
    return None if asked == 0 else round(right / asked, 4)


def flags_of(chosen: Mapping[int | None, int], right_option: int) -> list[QuestionFlag]:
    """Return the problems suggested by how often each option was chosen.

    None counts questions left open.
    """
    asked, right = sum(chosen.values()), chosen.get(right_option, 0)
    if asked < LEAST_ASKED:
        return []
    wrong = (times for option, times in chosen.items() if option not in {None, right_option})
    found = {
        QuestionFlag.TOO_EASY: right / asked > TOO_EASY,
        QuestionFlag.TOO_HARD: right / asked < TOO_HARD,
        QuestionFlag.WRONG_KEY: max(wrong, default=0) > right,
    }
    return [flag for flag, is_so in found.items() if is_so]


def search_words(q: str) -> str:
    """Return a full text query for questions with words that begin like those of ``q``."""
    return " & ".join(f"'{word}':*" for word in re.findall(r"\w+", q.casefold()))
