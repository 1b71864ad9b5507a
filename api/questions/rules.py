"""What a file of the question bank has to look like; every refusal is one sentence."""

import csv
import hashlib
import io
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from api.questions.enums import QuestionKind

COLUMNS = (
    *("slug", "kind", "club", "topic", "question"),
    *("right", "wrong_1", "wrong_2", "wrong_3"),
    *("explanation", "source", "difficulty"),
)
OPTION_COLUMNS = ("right", "wrong_1", "wrong_2", "wrong_3")
MOST_CHARACTERS = {
    "slug": 80,
    "club": 80,
    "topic": 40,
    "question": 160,
    **dict.fromkeys(OPTION_COLUMNS, 60),
    "explanation": 240,
    "source": 120,
}
MAY_BE_EMPTY = frozenset({"club"})
KEBAB_CASE = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
DIFFICULTIES = ("1", "2", "3")


@dataclass(frozen=True)
class BankFile:
    """A file of the bank as it was read: its name, for refusals, and its bytes."""

    name: str
    content: bytes


@dataclass(frozen=True)
class RefusedLine:
    """Why a line is not taken; ``line`` counts from 1, the header included."""

    file: str
    line: int
    sentence: str


@dataclass(frozen=True)
class Entry:
    """A row of a file; ``club`` None is for all clubs, ``right_option`` an index of ``options``."""

    file: str
    line: int
    slug: str
    kind: QuestionKind
    club: str | None
    topic: str
    question: str
    options: tuple[str, ...] = field(repr=False)
    right_option: int = field(repr=False)
    explanation: str = field(repr=False)
    source: str
    difficulty: int


@dataclass(frozen=True)
class BankReading:
    """What a set of files says: the rows that fit, and a refusal for each that does not."""

    entries: tuple[Entry, ...]
    refusals: tuple[RefusedLine, ...]


def read_files(files: Sequence[BankFile]) -> BankReading:
    """Return the rows of ``files``, with what is wrong in them and between them, in their order."""
    entries: list[Entry] = []
    refusals: list[RefusedLine] = []
    for file in files:
        for part in _read_file(file):
            if isinstance(part, Entry):
                entries.append(part)
            else:
                refusals.append(part)
    refusals.extend(_repetitions(entries))
    return BankReading(tuple(entries), tuple(refusals))


def normalise(text: str) -> str:
    """Return ``text`` without case, accents and punctuation: what makes two questions the same."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    kept = (
        letter if letter.isalnum() else " " for letter in plain if not unicodedata.combining(letter)
    )
    return " ".join("".join(kept).split())


def _read_file(file: BankFile) -> Iterator[Entry | RefusedLine]:
    try:
        text = file.content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        yield RefusedLine(file.name, line, "The file must be UTF-8 text.")
        return
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    line = 1
    try:
        if tuple(next(reader, ())) != COLUMNS:
            yield RefusedLine(file.name, 1, f"The first line must be {','.join(COLUMNS)}.")
            return
        line = reader.line_num + 1
        for cells in reader:
            if cells:
                yield from _read_row(file.name, line, cells)
            line = reader.line_num + 1
    except csv.Error as error:
        yield RefusedLine(file.name, line, f"The row is not well-formed CSV: {error}.")


def _read_row(file: str, line: int, cells: list[str]) -> Iterator[Entry | RefusedLine]:
    if len(cells) != len(COLUMNS):
        sentence = f"The row has {len(cells)} cells; it must have {len(COLUMNS)}."
        yield RefusedLine(file, line, sentence)
        return
    row = {column: cell.strip() for column, cell in zip(COLUMNS, cells, strict=True)}
    sentences = [*_text_faults(row), *_word_faults(row), *_option_faults(row)]
    if sentences:
        for sentence in sentences:
            yield RefusedLine(file, line, sentence)
    else:
        yield _entry(file, line, row)


def _text_faults(row: dict[str, str]) -> Iterator[str]:
    for column, most in MOST_CHARACTERS.items():
        cell = row[column]
        if not cell and column not in MAY_BE_EMPTY:
            yield f"The column {column} is empty."
        elif len(cell) > most:
            yield f"The column {column} has {len(cell)} characters; at most {most} fit."
        elif any(unicodedata.category(letter).startswith("C") for letter in cell):
            yield f"The column {column} has a line break or an invisible character."


def _word_faults(row: dict[str, str]) -> Iterator[str]:
    for column in ("slug", "topic"):
        if row[column] and not KEBAB_CASE.fullmatch(row[column]):
            yield f"The column {column} must be small letters and digits joined by hyphens."
    kinds = [kind.value for kind in QuestionKind]
    if row["kind"] not in kinds:
        yield f"The column kind must be {' or '.join(kinds)}."
    if row["difficulty"] not in DIFFICULTIES:
        yield "The column difficulty must be 1, 2 or 3."


def _option_faults(row: dict[str, str]) -> Iterator[str]:
    seen: dict[str, str] = {}
    for column in OPTION_COLUMNS:
        option = " ".join(row[column].casefold().split())
        if option and option in seen:
            yield f"The columns {seen[option]} and {column} hold the same option."
        seen.setdefault(option, column)


def _entry(file: str, line: int, row: dict[str, str]) -> Entry:
    options = _scatter(row["slug"], [row[column] for column in OPTION_COLUMNS])
    return Entry(
        file=file,
        line=line,
        slug=row["slug"],
        kind=QuestionKind(row["kind"]),
        club=row["club"] or None,
        topic=row["topic"],
        question=row["question"],
        options=options,
        right_option=options.index(row["right"]),
        explanation=row["explanation"],
        source=row["source"],
        difficulty=int(row["difficulty"]),
    )


def _scatter(slug: str, options: Iterable[str]) -> tuple[str, ...]:
    """Return the options in an order that is always the same and says nothing of the right one."""
    return tuple(
        sorted(options, key=lambda option: hashlib.sha256(f"{slug}\n{option}".encode()).digest())
    )


def _repetitions(entries: Iterable[Entry]) -> Iterator[RefusedLine]:
    slugs: dict[str, Entry] = {}
    questions: dict[str, Entry] = {}
    for entry in entries:
        first = slugs.setdefault(entry.slug, entry)
        if first is not entry:
            place = f"{first.file}, line {first.line}"
            yield RefusedLine(entry.file, entry.line, f"The slug {entry.slug} is taken by {place}.")
            continue
        first = questions.setdefault(normalise(entry.question), entry)
        if first is not entry:
            sentence = f"The same question is asked by {first.slug} ({first.file})."
            yield RefusedLine(entry.file, entry.line, sentence)
