"""CSV files that operators upload: decoded, with the delimiter that their spreadsheet used."""

import csv
import io

from api.foundation.core.errors import InvalidFieldError

TOP_LINES = 30
NOT_READABLE = "The file is not readable as CSV in UTF-8."


def read_csv(content: bytes, *, field: str = "file") -> list[list[str]]:
    """Return the rows of a UTF-8 file, with or without a byte order mark.

    Raises:
        InvalidFieldError: it cannot be read; ``field`` is the form field.
    """
    try:
        text = content.decode("utf-8-sig")
        return list(csv.reader(io.StringIO(text, newline=""), _dialect(text), strict=True))
    except (UnicodeDecodeError, csv.Error) as error:
        raise InvalidFieldError.of(field, NOT_READABLE) from error


def _dialect(text: str) -> type[csv.Dialect]:
    """Detect the delimiter; in some locales spreadsheets use semicolons.

    The line with the most cells decides, because a title may precede the header.
    """
    top = text.split("\n", TOP_LINES)[:TOP_LINES]
    max_commas, max_semicolons = (max(line.count(sign) for line in top) for sign in ",;")

    class Dialect(csv.excel):
        delimiter = ";" if max_semicolons > max_commas else ","

    return Dialect
