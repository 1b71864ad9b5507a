"""Errors in a deployment's settings as sentences that contain no values."""

from typing import Any

from pydantic import ValidationError
from pydantic_core import InitErrorDetails


def refusal(kind: str, place: tuple[int | str, ...], context: dict[str, Any]) -> InitErrorDetails:
    """Return an error of a setting, without its value."""
    return InitErrorDetails(type=kind, loc=place, input=None, ctx=context)


def describe_refusal(error: ValidationError) -> list[str]:
    """Return one sentence per error, without any value."""
    sentences = []
    for problem in error.errors(include_url=False, include_input=False):
        said = _sentence(problem["type"], problem.get("ctx", {}), problem["msg"])
        name = str(problem["loc"][0]).upper() + " " if problem["loc"] else ""
        sentences += [f"{name}{line}." for line in said.splitlines()]
    return sentences


def _sentence(kind: str, context: dict[str, Any], otherwise: str) -> str:
    match kind:
        case "value_error":
            return str(context["error"])
        case "enum" | "literal_error":
            return f"must be {context['expected']}"
        case "int_parsing":
            return "must be a whole number"
        case "float_parsing":
            return "must be a number"
        case "greater_than_equal":
            return f"must be at least {context['ge']}"
        case "less_than_equal":
            return f"must be at most {context['le']}"
        case _:
            return f"does not fit: {otherwise}"
