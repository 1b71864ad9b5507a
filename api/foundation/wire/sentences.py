"""Our own message for every validation error; members never see a library's."""

from collections.abc import Callable, Mapping
from typing import Any

MISSING = "This field is required"
UNFIT = "This does not fit here"
NO_TEXT = "This must be text"
NO_INTEGER = "This must be a whole number"
NO_NUMBER = "This must be a number"
NO_BOOLEAN = "This must be true or false"
NO_LIST = "This must be a list"
NO_OBJECT = "This must be an object"
NO_ID = "This is not a valid id"
NO_DATE = "This is not a date"
NO_TIME = "This is not a date and time"

Limits = Mapping[str, Any]


def _count(number: int, one: str) -> str:
    many = one.removesuffix("y") + "ies" if one.endswith("y") else f"{one}s"
    return f"{number:,} {one if number == 1 else many}"


def _too_short(limits: Limits) -> str:
    least = limits["min_length"]
    return MISSING if least == 1 else f"Please use at least {_count(least, 'character')}"


def _too_few(limits: Limits) -> str:
    least = limits["min_length"]
    if least == 1:
        return MISSING
    return f"Please {_give(limits)} at least {_count(least, _unit(limits))}"


def _too_many(limits: Limits) -> str:
    return f"Please {_give(limits)} at most {_count(limits['max_length'], _unit(limits))}"


def _unit(limits: Limits) -> str:
    """Return the unit that is counted: already validated text is reported as a plain value."""
    return "character" if limits.get("field_type") == "Value" else "entry"


def _give(limits: Limits) -> str:
    return "use" if limits.get("field_type") == "Value" else "give"


BY_TYPE: dict[str, str] = {
    "missing": MISSING,
    "extra_forbidden": "This field is not known here",
    "string_type": NO_TEXT,
    "string_unicode": NO_TEXT,
    "string_sub_type": NO_TEXT,
    "string_pattern_mismatch": "This is not written the right way",
    "int_type": NO_INTEGER,
    "int_parsing": NO_INTEGER,
    "int_parsing_size": NO_INTEGER,
    "int_from_float": NO_INTEGER,
    "float_type": NO_NUMBER,
    "float_parsing": NO_NUMBER,
    "finite_number": NO_NUMBER,
    "decimal_type": NO_NUMBER,
    "decimal_parsing": NO_NUMBER,
    "bool_type": NO_BOOLEAN,
    "bool_parsing": NO_BOOLEAN,
    "list_type": NO_LIST,
    "tuple_type": NO_LIST,
    "set_type": NO_LIST,
    "dict_type": NO_OBJECT,
    "model_type": NO_OBJECT,
    "model_attributes_type": NO_OBJECT,
    "uuid_type": NO_ID,
    "uuid_parsing": NO_ID,
    "uuid_version": NO_ID,
    "date_type": NO_DATE,
    "date_parsing": NO_DATE,
    "date_from_datetime_parsing": NO_DATE,
    "date_from_datetime_inexact": NO_DATE,
    "datetime_type": NO_TIME,
    "datetime_parsing": NO_TIME,
    "datetime_from_date_parsing": NO_TIME,
    "timezone_aware": NO_TIME,
}
BY_LIMIT: dict[str, Callable[[Limits], str]] = {
    "string_too_short": _too_short,
    "string_too_long": lambda limits: (
        f"Please use at most {_count(limits['max_length'], 'character')}"
    ),
    "too_short": _too_few,
    "too_long": _too_many,
    "greater_than": lambda limits: f"This must be more than {limits['gt']:,}",
    "greater_than_equal": lambda limits: f"This must be at least {limits['ge']:,}",
    "less_than": lambda limits: f"This must be less than {limits['lt']:,}",
    "less_than_equal": lambda limits: f"This must be at most {limits['le']:,}",
    "enum": lambda limits: f"Please choose one of: {limits['expected']}",
    "literal_error": lambda limits: f"Please choose one of: {limits['expected']}",
    "value_error": lambda limits: str(limits["error"]),  # our own message
}


def sentence_for(kind: str, limits: Limits) -> str:
    """Return the message for one pydantic error, by its type and context."""
    if kind in BY_LIMIT:
        return BY_LIMIT[kind](limits)
    return BY_TYPE.get(kind, UNFIT)
