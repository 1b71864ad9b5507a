"""Rules of the bank: file format, near duplicates, and statistics of answers."""

from api.questions.rules.judging import flags_of, search_words, share
from api.questions.rules.likeness import Comparison
from api.questions.rules.reading import (
    COLUMNS,
    BankFile,
    BankReading,
    Entry,
    RefusedLine,
    normalise,
    read_files,
    read_one,
    refuse,
    write_refused,
)

__all__ = [
    "COLUMNS",
    "BankFile",
    "BankReading",
    "Comparison",
    "Entry",
    "RefusedLine",
    "flags_of",
    "normalise",
    "read_files",
    "read_one",
    "refuse",
    "search_words",
    "share",
    "write_refused",
]
