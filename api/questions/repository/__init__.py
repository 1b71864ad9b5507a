"""SQL of the question bank."""

from api.questions.repository.bank import (
    QuestionFilter,
    insert_questions,
    list_club_ids,
    list_live,
    list_questions,
    lock_bank,
    read_live,
    read_question,
    retire_questions,
)
from api.questions.repository.imports import (
    change_applied,
    insert_import,
    lock_import,
    read_import,
)
from api.questions.repository.statistics import (
    COUNT_SECONDS,
    Answers,
    QuestionCount,
    count_answers,
    count_flagged,
    read_last_count,
    replace_statistics,
    try_lock_statistics,
)

__all__ = [
    "COUNT_SECONDS",
    "Answers",
    "QuestionCount",
    "QuestionFilter",
    "change_applied",
    "count_answers",
    "count_flagged",
    "insert_import",
    "insert_questions",
    "list_club_ids",
    "list_live",
    "list_questions",
    "lock_bank",
    "lock_import",
    "read_import",
    "read_last_count",
    "read_live",
    "read_question",
    "replace_statistics",
    "retire_questions",
    "try_lock_statistics",
]
