"""Parses the file of a bank statement: finds its columns, and reads its rows."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from api.foundation.core.errors import InvalidFieldError
from api.foundation.core.money import KOBO_PER_NAIRA, LARGEST_KOBO, format_naira
from api.foundation.database.idempotency import fingerprint
from api.foundation.wire.csv_files import read_csv
from api.money.wallet.rules import plain_reference
from api.shop.schemas.bank import StatementMapping, StatementProblem

COLUMNS = ("date", "amount", "reference", "narration")
DEFAULT_MAPPING = StatementMapping(
    date="date", amount="amount", reference="reference", narration="narration"
)
MAX_ROWS = 10_000
TOO_MANY = f"A statement has at most {MAX_ROWS:,} rows."
MAX_LISTED_COLUMNS = 20
MAX_COLUMN_LENGTH = 60  # as in a mapping
HEADER_ROWS = 30  # banks put the account's name and its balances above the header
MAX_REFERENCE_LENGTH = 100
MAX_NARRATION_LENGTH = 500
MIN_EMBEDDED_LENGTH = 6  # of a reference among other words
FIRST_YEAR = 2000
CENTURY = 2000

NO_DATE = "A date is written as 2026-11-25, 25/11/2026 or 25-Nov-2026."
OTHER_DATE = "The date is still to come, or before the year 2000."
NO_AMOUNT = "An amount is written as 5000, 5,000.00 or ₦5,000.00."
DECIMALS = "An amount has at most two decimals."
TOO_LARGE = f"An amount is at most {format_naira(LARGEST_KOBO)}."

TIME = r"(?:[T,\s]+\d{1,2}[:.]\d{2}.*)?"
YEAR_FIRST = re.compile(rf"(\d{{4}})[-/.](\d{{1,2}})[-/.](\d{{1,2}}){TIME}", re.ASCII)
YEAR_LAST = re.compile(rf"(\d{{1,2}})[-/.\s](\d{{1,2}})[-/.\s](\d{{4}}|\d{{2}}){TIME}", re.ASCII)
NAMED_MONTH = re.compile(
    rf"(\d{{1,2}})[-/.\s]*([A-Za-z]{{3,9}})[-/.,\s]*(\d{{4}}|\d{{2}}){TIME}", re.ASCII
)
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
AMOUNT = re.compile(
    r"(?P<sign>[-+(]?)(?:₦|NGN|N)?(?P<inner>[-+]?)(?P<whole>\d{1,3}(?:,\d{3})+|\d{1,15})"
    r"(?:\.(?P<decimals>\d*))?\)?(?P<side>CR|DR)?",
    re.ASCII | re.IGNORECASE,
)
NOTHING = frozenset({"", "-", "--", "NIL"})
SIGNS = re.compile(r"[^A-Z0-9]")
BETWEEN = re.compile(r"[^A-Z0-9-]+")


@dataclass(frozen=True)
class StatementLine:
    """An incoming payment; ``ordinal`` distinguishes equal lines of the file, from 1.

    ``row_digest`` and ``row_ordinal`` identify the row by its cells, whatever the columns mean.
    """

    booked_on: date
    amount_kobo: int
    reference: str
    narration: str
    ordinal: int
    row_digest: str
    row_ordinal: int


@dataclass(frozen=True)
class Statement:
    """A file as read with a mapping; ``rows`` counts those below the header."""

    mapping: StatementMapping
    rows: int
    lines: Sequence[StatementLine]
    problems: Sequence[StatementProblem]


class _UnreadableError(Exception):
    def __init__(self, column: str, reason: str) -> None:
        super().__init__(reason)
        self.column = column
        self.reason = reason


class _ColumnError(Exception):
    """Columns are missing or duplicate; ``said`` has a sentence for each mapped column."""

    def __init__(self, said: Mapping[str, str]) -> None:
        super().__init__(said)
        self.said = said


def read_statement(
    content: bytes, mappings: Sequence[StatementMapping], today: date, *, is_chosen: bool = False
) -> Statement:
    """Parse a file with the first of ``mappings`` whose columns it has.

    Outgoing payments, and rows without an amount such as balances, count as rows but not as lines.
    With ``is_chosen`` the one mapping came with the file: a column that does not fit is its error,
    as ``mapping.date``, and otherwise the file's.

    Raises:
        InvalidFieldError: it cannot be read, lacks a column, or has too many rows.
    """
    cells = read_csv(content)
    try:
        mapping, header, columns = _find_header(cells, mappings)
    except _ColumnError as error:
        said = error.said if is_chosen else {}
        first = next(iter(error.said.values()))
        fields = {f"mapping.{column}": sentence for column, sentence in said.items()}
        raise InvalidFieldError(first, fields=fields or {"file": first}) from None
    below = [
        (number, row)
        for number, row in enumerate(cells[header + 1 :], start=header + 2)
        if any(cell.strip() for cell in row)
    ]
    if len(below) > MAX_ROWS:
        raise InvalidFieldError.of("file", TOO_MANY)
    lines: list[StatementLine] = []
    problems: list[StatementProblem] = []
    seen: Counter[tuple[date, int, str, str]] = Counter()
    rows: Counter[str] = Counter()
    for number, row in below:
        digest = fingerprint(sorted(cell.strip() for cell in row if cell.strip()))
        rows[digest] += 1
        try:
            read = _read_row([row[at] if at < len(row) else "" for at in columns], mapping, today)
        except _UnreadableError as error:
            problems.append(StatementProblem(row=number, column=error.column, reason=error.reason))
            continue
        if read is not None:
            seen[read] += 1
            lines.append(StatementLine(*read, seen[read], digest, rows[digest]))
    return Statement(mapping, len(below), lines, problems)


def reference_key(text: str) -> str:
    """Return a reference without letter case, spaces and punctuation; it may be empty."""
    return SIGNS.sub("", plain_reference(text))


def could_be_reference(word: str) -> bool:
    """Return whether a word among others may be a reference: ordinary words have no digit."""
    return len(word) >= MIN_EMBEDDED_LENGTH and any(sign.isdigit() for sign in word)


def plain_words(text: str) -> str:
    """Return a text in capitals, its words separated by a space or a hyphen."""
    return BETWEEN.sub(" ", unicodedata.normalize("NFKC", text).upper())


def _find_header(
    cells: Sequence[Sequence[str]], mappings: Sequence[StatementMapping]
) -> tuple[StatementMapping, int, list[int]]:
    top = [[_plain_name(cell) for cell in row] for row in cells[:HEADER_ROWS]]
    for mapping in mappings:
        names = [_plain_name(getattr(mapping, column)) for column in COLUMNS]
        for number, header in enumerate(top):
            if all(name in header for name in names):
                _require_once(header, mapping)
                return mapping, number, [header.index(name) for name in names]
    raise _ColumnError(_describe_missing(cells[:HEADER_ROWS], top, mappings[0]))


def _require_once(header: Sequence[str], mapping: StatementMapping) -> None:
    names = {column: getattr(mapping, column) for column in COLUMNS}
    twice = {
        column: f"The column {name} is there twice."
        for column, name in names.items()
        if header.count(_plain_name(name)) > 1
    }
    if twice:
        raise _ColumnError(twice)


def _describe_missing(
    cells: Sequence[Sequence[str]], top: Sequence[Sequence[str]], mapping: StatementMapping
) -> dict[str, str]:
    """Return the columns that the header lacks, each with a sentence that lists those it has.

    The header is the row with the most of them, and among several such the one with the most cells.
    """
    names = {column: getattr(mapping, column) for column in COLUMNS}
    wanted = {_plain_name(name) for name in names.values()}

    def fitness(number: int) -> tuple[int, int]:
        return len(wanted.intersection(top[number])), sum(map(bool, top[number]))

    header = max(range(len(top)), key=fitness, default=None)
    has = [] if header is None else [name for cell in cells[header] if (name := _one_line(cell))]
    found = set() if header is None else set(top[header])
    return {
        column: f"The file has no column “{name}”. {_list_columns(has)}".rstrip()
        for column, name in names.items()
        if _plain_name(name) not in found
    }


def _list_columns(names: Sequence[str]) -> str:
    if not names:
        return ""
    listed = ", ".join(
        name if len(name) <= MAX_COLUMN_LENGTH else f"{name[: MAX_COLUMN_LENGTH - 1]}…"
        for name in names[:MAX_LISTED_COLUMNS]
    )
    more = len(names) - MAX_LISTED_COLUMNS
    return f"Its columns are {listed}{f', and {more} more' if more > 0 else ''}."


def _plain_name(text: str) -> str:
    return _one_line(text).casefold()


def _one_line(text: str) -> str:
    """Return text in NFC, without invisible characters and with single spaces."""
    if not text.isprintable():
        text = "".join(" " if unicodedata.category(sign)[0] in "CZ" else sign for sign in text)
    return " ".join(unicodedata.normalize("NFC", text).split())


def _read_row(
    cells: Sequence[str], mapping: StatementMapping, today: date
) -> tuple[date, int, str, str] | None:
    """Return a row's date, kobo, reference and narration; None if no money came in.

    Raises:
        _UnreadableError: a column cannot be read; it names the column.
    """
    written_date, written_amount, reference, narration = (_one_line(cell) for cell in cells)
    amount_kobo = _read_amount(written_amount)
    if amount_kobo is None:
        return None
    booked_on = _read_date(written_date, mapping, today)
    return (
        booked_on,
        amount_kobo,
        reference[:MAX_REFERENCE_LENGTH].strip(),
        narration[:MAX_NARRATION_LENGTH].strip(),
    )


def _read_amount(text: str) -> int | None:
    """Return the kobo that came in, or None for nothing and for outgoing money."""
    bare = text.replace(" ", "").replace("\u2212", "-")
    if bare.upper() in NOTHING:
        return None
    found = AMOUNT.fullmatch(bare)
    if found is None:
        raise _UnreadableError("amount", NO_AMOUNT)
    is_out = found["sign"] in {"-", "("} or found["inner"] == "-"
    if is_out or (found["side"] or "").upper() == "DR":
        return None
    decimals = found["decimals"] or ""
    if len(decimals) > 2:
        raise _UnreadableError("amount", DECIMALS)
    naira = int(found["whole"].replace(",", ""))
    amount_kobo = naira * KOBO_PER_NAIRA + int(decimals.ljust(2, "0"))
    if amount_kobo > LARGEST_KOBO:
        raise _UnreadableError("amount", TOO_LARGE)
    return amount_kobo or None


def _read_date(text: str, mapping: StatementMapping, today: date) -> date:
    for year, month, day in _parse_date(text, mapping):
        try:
            found = date(year if year > 99 else CENTURY + year, month, day)
        except ValueError:
            break
        if not (found.year >= FIRST_YEAR and found <= today):
            raise _UnreadableError("date", OTHER_DATE)
        return found
    raise _UnreadableError("date", NO_DATE)


def _parse_date(text: str, mapping: StatementMapping) -> Iterator[tuple[int, int, int]]:
    if found := YEAR_FIRST.fullmatch(text):
        yield int(found[1]), int(found[2]), int(found[3])
    elif found := YEAR_LAST.fullmatch(text):
        first, second = int(found[1]), int(found[2])
        day, month = (second, first) if mapping.month_first else (first, second)
        yield int(found[3]), month, day
    elif (found := NAMED_MONTH.fullmatch(text)) and found[2][:3].lower() in MONTHS:
        yield int(found[3]), MONTHS.index(found[2][:3].lower()) + 1, int(found[1])
