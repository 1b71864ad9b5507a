"""What operators, dashboards and running servers refer to changes only on purpose.

``surface.txt`` lists tables and columns, jobs, metrics, log events, advisory locks and settings.
``python -m tests.contract.test_surface`` rewrites it after an intended change.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

from api.app.metadata import metadata
from api.foundation.core.config import Settings
from sqlalchemy.dialects import postgresql

ROOT = Path(__file__).parents[2]
SURFACE = Path(__file__).with_name("surface.txt")
LOG_METHODS = {"debug", "info", "warning", "error", "exception", "critical"}
METRICS = {"Counter", "Gauge", "Histogram"}
LOCK_NUMBERS = {7_226_331, *range(7_226_331_000, 7_226_332_000)}


def surface() -> list[str]:
    """Return one sorted line for each thing that is referred to from outside the code."""
    return sorted({*_tables(), *_settings(), *_code()})


def _tables() -> Iterator[str]:
    dialect = postgresql.dialect()  # type: ignore[no-untyped-call] # the library leaves it untyped
    for table in metadata().tables.values():
        for column in table.columns:
            null = "" if column.nullable else " not null"
            yield f"column {table.name}.{column.name} {column.type.compile(dialect)}{null}"
        for index in table.indexes:
            yield f"index {index.name} on {table.name}"
        for constraint in table.constraints:
            if isinstance(constraint.name, str):
                yield f"constraint {table.name}.{constraint.name}"


def _settings() -> Iterator[str]:
    for name in Settings.model_fields:
        yield f"setting {name.upper()}"


def _code() -> Iterator[str]:
    for path in sorted((ROOT / "api").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call):
                yield from _called(node)
            elif isinstance(node, ast.Constant) and node.value in LOCK_NUMBERS:
                yield f"lock {node.value!r}"


def _called(call: ast.Call) -> Iterator[str]:
    function = call.func
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    texts = [
        argument.value
        for argument in (
            *call.args[:1],
            *(each.value for each in call.keywords if each.arg == "name"),
        )
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str)
    ]
    for text in texts:
        if name in METRICS:
            yield f"metric {text}"
        elif name in {"Job", "JobKind"}:
            yield f"job {text}"
        elif name in LOG_METHODS and isinstance(function, ast.Attribute):
            yield f"log event {text}"


def test_names_that_others_refer_to_are_those_on_record() -> None:
    assert surface() == SURFACE.read_text().splitlines()


if __name__ == "__main__":
    SURFACE.write_text("\n".join(surface()) + "\n")
