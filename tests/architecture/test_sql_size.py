"""Business rules are written in Python: the database's functions stay few and short."""

from api.app.schema.sources import Kind, read_sources
from api.foundation.jobs.queue import NAMES

MAX_LINES = 537


def code_lines(statement: str) -> int:
    """Return the number of lines that contain more than a comment."""
    lines = [line.strip() for line in statement.splitlines()]
    return sum(bool(line) and not line.startswith("--") for line in lines)


def test_the_functions_fit_on_a_few_pages() -> None:
    functions = [
        one
        for one in read_sources("fans_runtime")
        if one.kind is Kind.FUNCTION and one.name != NAMES.function  # the library's own
    ]

    assert sum(code_lines(one.statements[0]) for one in functions) <= MAX_LINES
