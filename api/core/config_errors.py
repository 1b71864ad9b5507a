"""What is wrong with a deployment's settings, in sentences without any value."""

import sys
from typing import Any

from pydantic import ValidationError

from api.core.config import Settings

WRONG_SETTINGS = 2  # exit code of a process whose settings do not fit


def read_settings() -> Settings | None:
    """Return the settings; None after the sentences that say what does not fit.

    They go to standard error: a process without settings has no log yet.
    """
    try:
        return Settings()
    except ValidationError as error:
        complain(describe_refusal(error))
        return None


def complain(sentences: list[str]) -> None:
    """Write on standard error why a process does not start."""
    for sentence in sentences:
        sys.stderr.write(f"king-of-fans: {sentence}\n")


def describe_refusal(error: ValidationError) -> list[str]:
    """Return what is wrong with the settings: a sentence for each, without any value."""
    sentences = []
    for problem in error.errors(include_url=False, include_input=False):
        said = _say(problem["type"], problem.get("ctx", {}), problem["msg"])
        name = str(problem["loc"][0]).upper() + " " if problem["loc"] else ""
        sentences += [f"{name}{line}." for line in said.splitlines()]
    return sentences


def _say(kind: str, context: dict[str, Any], otherwise: str) -> str:
    """Return pydantic's kind of error in words of ours."""
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
