"""Parses and validates files of the question bank; each problem is one sentence."""

import csv
import hashlib
import io
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from api.games.questions.enums import QuestionKind

COLUMNS = (
    *("slug", "kind", "club", "topic", "question"),
    *("right", "wrong_1", "wrong_2", "wrong_3"),
    *("explanation", "source", "difficulty"),
)
OPTION_COLUMNS = ("right", "wrong_1", "wrong_2", "wrong_3")
MAX_CHARACTERS = {
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
MAX_ROWS = 10_000
REASON = "reason"  # extra column of a file of refused rows; ignored when the file is read
FORMULA = ("=", "+", "-", "@")


@dataclass(frozen=True)
class BankFile:
    name: str
    content: bytes


@dataclass(frozen=True)
class RefusedLine:
    """Why a row is refused; ``line`` and ``row`` count from 1, the header included.

    A row with line breaks in its cells spans several lines. ``column`` None means the whole row.
    """

    file: str
    line: int
    sentence: str
    row: int = 1
    column: str | None = None


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
    row: int = 1


@dataclass(frozen=True)
class BankReading:
    """The content of a set of files: the valid rows, and a refusal for each of the others."""

    entries: tuple[Entry, ...]
    refusals: tuple[RefusedLine, ...]


def read_files(files: Sequence[BankFile]) -> BankReading:
    """Return the rows of ``files`` with the problems in and between them, in order."""
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
    """Return ``text`` without case, accents and punctuation, to compare questions."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    kept = (
        letter if letter.isalnum() else " " for letter in plain if not unicodedata.combining(letter)
    )
    return " ".join("".join(kept).split())


def read_one(row: Mapping[str, str]) -> BankReading:
    """Parse and validate one row, given as cells by column."""
    results = list(_read_row(_Place("", 1, 1), [row[column] for column in COLUMNS]))
    entries = [result for result in results if isinstance(result, Entry)]
    refused = [result for result in results if isinstance(result, RefusedLine)]
    return BankReading(tuple(entries), tuple(refused))


def read_cells(content: bytes) -> dict[int, list[str]]:
    """Return the cells of a file by row, up to the first malformed row; empty if it is not text."""
    try:
        sheet = csv.reader(io.StringIO(content.decode("utf-8-sig"), newline=""), strict=True)
    except UnicodeDecodeError:
        return {}
    found: dict[int, list[str]] = {}
    try:
        for row, cells in enumerate(sheet, start=1):
            if cells and row > 1:
                found[row] = cells[: len(COLUMNS)]
    except csv.Error:
        pass  # keep the rows before the damage
    return found


def write_refused(content: bytes, reasons: Mapping[int, Sequence[str]]) -> bytes:
    """Return the rows with ``reasons``, and the reasons, as a file to correct and import."""
    sheet = io.StringIO(newline="")
    writer = csv.writer(sheet)
    writer.writerow([*COLUMNS, REASON])
    for row, cells in read_cells(content).items():
        if row in reasons:
            padded = [*cells, *[""] * (len(COLUMNS) - len(cells)), " ".join(reasons[row])]
            writer.writerow([escape_formula(cell) for cell in padded])
    return sheet.getvalue().encode("utf-8-sig")


def escape_formula(cell: str) -> str:
    """Escape a cell that spreadsheets would run as a formula; ``read_files`` reverses it."""
    return f"'{cell}" if cell.lstrip().startswith(FORMULA) else cell


def _unescape(cell: str) -> str:
    return cell[1:] if cell[:1] == "'" and cell[1:].lstrip().startswith(FORMULA) else cell


@dataclass(frozen=True)
class _Place:
    """The position of a row; ``width`` is its file's number of columns."""

    file: str
    line: int
    row: int
    width: int = len(COLUMNS)

    def refuse(self, sentence: str, column: str | None = None) -> RefusedLine:
        return RefusedLine(self.file, self.line, sentence, self.row, column)


def _read_file(file: BankFile) -> Iterator[Entry | RefusedLine]:
    try:
        text = file.content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        yield RefusedLine(file.name, line, "The file must be UTF-8 text.", line)
        return
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    place = _Place(file.name, 1, 1)
    try:
        header = tuple(next(reader, ()))
        if header not in {COLUMNS, (*COLUMNS, REASON)}:
            yield place.refuse(f"The first line must be {','.join(COLUMNS)}.")
            return
        place = _Place(file.name, reader.line_num + 1, 2, len(header))
        for cells in reader:
            if place.row > MAX_ROWS + 1:
                yield place.refuse(f"The file has more than {MAX_ROWS:,} rows.")
                return
            if cells:
                yield from _read_row(place, cells)
            place = _Place(file.name, reader.line_num + 1, place.row + 1, len(header))
    except csv.Error as error:
        yield place.refuse(f"The row is not well-formed CSV: {error}.")


def _read_row(place: _Place, cells: list[str]) -> Iterator[Entry | RefusedLine]:
    if len(cells) != place.width:
        yield place.refuse(f"The row has {len(cells)} cells; it must have {place.width}.")
        return
    row = {column: _unescape(cell).strip() for column, cell in zip(COLUMNS, cells, strict=False)}
    faults = [*_text_faults(row), *_word_faults(row), *_option_faults(row)]
    if faults:
        for column, sentence in faults:
            yield place.refuse(sentence, column)
    else:
        yield _entry(place, row)


def _text_faults(row: dict[str, str]) -> Iterator[tuple[str, str]]:
    for column, limit in MAX_CHARACTERS.items():
        cell = row[column]
        if not cell and column not in MAY_BE_EMPTY:
            yield column, f"The column {column} is empty."
        elif len(cell) > limit:
            yield column, f"The column {column} has {len(cell)} characters; at most {limit} fit."
        elif any(unicodedata.category(letter).startswith("C") for letter in cell):
            yield column, f"The column {column} has a line break or an invisible character."


def _word_faults(row: dict[str, str]) -> Iterator[tuple[str, str]]:
    for column in ("slug", "topic"):
        if row[column] and not KEBAB_CASE.fullmatch(row[column]):
            sentence = f"The column {column} must be small letters and digits joined by hyphens."
            yield column, sentence
    *kinds, last = (kind.value for kind in QuestionKind)
    if row["kind"] not in {*kinds, last}:
        yield "kind", f"The column kind must be {', '.join(kinds)} or {last}."
    if row["difficulty"] not in DIFFICULTIES:
        yield "difficulty", "The column difficulty must be 1, 2 or 3."


def _option_faults(row: dict[str, str]) -> Iterator[tuple[str, str]]:
    seen: dict[str, str] = {}
    for column in OPTION_COLUMNS:
        option = " ".join(row[column].casefold().split())
        if option and option in seen:
            yield column, f"The columns {seen[option]} and {column} hold the same option."
        seen.setdefault(option, column)


def _entry(place: _Place, row: dict[str, str]) -> Entry:
    options = _scatter(row["slug"], [row[column] for column in OPTION_COLUMNS])
    return Entry(
        file=place.file,
        line=place.line,
        row=place.row,
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
    """Return the options in a stable order that does not reveal the right one."""
    return tuple(
        sorted(options, key=lambda option: hashlib.sha256(f"{slug}\n{option}".encode()).digest())
    )


def refuse(entry: Entry, sentence: str, column: str) -> RefusedLine:
    """Return a refusal of a row that is valid on its own."""
    return RefusedLine(entry.file, entry.line, sentence, entry.row, column)


def _repetitions(entries: Iterable[Entry]) -> Iterator[RefusedLine]:
    slugs: dict[str, Entry] = {}
    questions: dict[str, Entry] = {}
    for entry in entries:
        first = slugs.setdefault(entry.slug, entry)
        if first is not entry:
            place = f"{first.file}, line {first.line}"
            yield refuse(entry, f"The slug {entry.slug} is taken by {place}.", "slug")
            continue
        first = questions.setdefault(normalise(entry.question), entry)
        if first is not entry:
            sentence = f"The same question is asked by {first.slug} ({first.file})."
            yield refuse(entry, sentence, "question")
