"""CSV files that operators upload: decoded, and parted as their spreadsheet has written them."""

import csv
import io

from api.core.errors import InvalidFieldError

TOP_LINES = 30
NOT_READABLE = "The file is not readable as CSV in UTF-8."


def read_csv(content: bytes, *, field: str = "file") -> list[list[str]]:
    """Return the rows of a file in UTF-8, with or without a byte order mark.

    Raises:
        InvalidFieldError: it cannot be read; ``field`` is what it came in.
    """
    try:
        text = content.decode("utf-8-sig")
        return list(csv.reader(io.StringIO(text, newline=""), _dialect(text), strict=True))
    except (UnicodeDecodeError, csv.Error) as error:
        raise InvalidFieldError.of(field, NOT_READABLE) from error


def _dialect(text: str) -> type[csv.Dialect]:
    """Return how a file parts its cells; spreadsheets of some countries take semicolons.

    What parts most cells of a line at the top: a title may stand above the header.
    """
    top = text.split("\n", TOP_LINES)[:TOP_LINES]
    most_commas, most_semicolons = (max(line.count(sign) for line in top) for sign in ",;")

    class Dialect(csv.excel):
        delimiter = ";" if most_semicolons > most_commas else ","

    return Dialect
