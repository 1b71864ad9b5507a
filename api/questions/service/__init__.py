"""The bank: importing files, single questions, search, and statistics of answers."""

from api.questions.rules import BankFile
from api.questions.service.admin import (
    QuestionSearch,
    add_question,
    list_questions,
    preview,
    retire,
)
from api.questions.service.importing import (
    SHIPPED_BANK,
    ImportReport,
    import_bank,
    shipped_bank,
)
from api.questions.service.imports import FORM, TOO_LARGE, apply, read_problems, upload
from api.questions.service.statistics import count_flagged, count_now, statistics_job

__all__ = [
    "FORM",
    "SHIPPED_BANK",
    "TOO_LARGE",
    "BankFile",
    "ImportReport",
    "QuestionSearch",
    "add_question",
    "apply",
    "count_flagged",
    "count_now",
    "import_bank",
    "list_questions",
    "preview",
    "read_problems",
    "retire",
    "shipped_bank",
    "statistics_job",
    "upload",
]
