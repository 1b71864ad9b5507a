"""Checks that the rows of queries have the types that their classes declare."""

import dataclasses
import functools
import importlib
import pkgutil
import types
from collections.abc import Iterator
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import api
from api.foundation.database.statements import Query, Row

PROGRAMS = ("__main__", "api.dev")


@functools.cache
def field_types(row: type) -> dict[str, tuple[type, ...]]:
    """Return the types that a value of each field may have; empty for any."""
    hints = get_type_hints(row)
    return {field.name: _types(hints[field.name]) for field in dataclasses.fields(row)}


def _types(hint: Any) -> tuple[type, ...]:
    """Return the classes of a type hint; empty for any."""
    if hint is Any:
        return ()
    if get_origin(hint) in (Union, types.UnionType):
        members = [_types(member) for member in get_args(hint)]
        return () if () in members else tuple(kind for member in members for kind in member)
    if get_origin(hint) is Literal:
        return tuple({type(value) for value in get_args(hint)})
    if (named := getattr(hint, "__supertype__", None)) is not None:
        return _types(named)
    return (get_origin(hint) or hint,)


def read_checked(query: Query[Any], record: Row) -> Any:
    """Read a record, and fail if one of its values has another type than its field declares."""
    row = read(query, record)
    if dataclasses.is_dataclass(query.row) and isinstance(query.row, type):
        for name, kinds in field_types(query.row).items():
            value = getattr(row, name)
            if kinds and not isinstance(value, kinds):
                raise AssertionError(f"{query.row.__qualname__}.{name} is {value!r}")
    return row


read = Query.read


def queries() -> Iterator[tuple[str, Query[Any]]]:
    """Return the queries that the modules of the server define, with their names."""
    for module in pkgutil.walk_packages(api.__path__, "api."):
        if not any(program in module.name for program in PROGRAMS):
            for name, value in vars(importlib.import_module(module.name)).items():
                if isinstance(value, Query):
                    yield f"{module.name}.{name}", value
