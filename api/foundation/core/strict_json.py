"""Lossless JSON: input from callers and the database is read as it is written.

Numbers with a point or exponent become ``Decimal``, and NaN and Infinity stay recognisable, so that
they are validation errors and never crashes.
"""

import json
from decimal import Decimal
from typing import Any

MAX_INTEGER_DIGITS = 18  # beyond it a 64-bit column cannot hold the number


def _read_integer(digits: str) -> int | Decimal:
    return int(digits) if len(digits) <= MAX_INTEGER_DIGITS else Decimal(digits)


# Created once: the library creates one per call if it is given number parsers.
_DECODER = json.JSONDecoder(parse_float=Decimal, parse_int=_read_integer, parse_constant=Decimal)


def read_json(body: bytes | str) -> Any:
    """Parse JSON without losing precision."""
    if isinstance(body, bytes):
        body = body.decode(json.detect_encoding(body), "surrogatepass")
    return _DECODER.decode(body)
