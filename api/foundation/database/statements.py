"""Statements for the driver: text with ``$1``, or SQLAlchemy Core expressions."""

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, TypeAlias, TypeVar

from sqlalchemy import Dialect
from sqlalchemy.dialects.postgresql import asyncpg
from sqlalchemy.sql import Delete, Insert, Select, Update
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.type_api import TypeEngine

CoreStatement: TypeAlias = Select[*tuple[Any, ...]] | Insert | Update | Delete
Statement: TypeAlias = str | CoreStatement
Row: TypeAlias = Mapping[str, Any]
Readers: TypeAlias = Mapping[str, Callable[[Any], Any]]

DIALECT: Dialect = asyncpg.dialect()  # type: ignore[no-untyped-call] # the library leaves it untyped

RowT = TypeVar("RowT")


class Query(Generic[RowT]):
    """A statement with the type of its rows.

    ``row`` is called with the columns of the result by name; a dataclass whose fields have their
    names is what most queries need.
    """

    __slots__ = ("_readers", "row", "statement")

    def __init__(self, statement: Statement, row: Callable[..., RowT]) -> None:
        self.statement = statement
        self.row = row
        self._readers = {} if isinstance(statement, str) else column_readers(statement)

    def read(self, record: Row) -> RowT:
        """Return a record of the driver as a row."""
        if self._readers:
            record = read_row(record, self._readers)
        return self.row(**record)


def columns(row: type, of: str) -> str:
    """Return the fields of a row's class as a list of the columns of table or alias ``of``.

    ``*`` would also read the columns of newer versions, which the class does not have.
    """
    return ", ".join(f"{of}.{field.name}" for field in dataclasses.fields(row))


PLAN_FOR_VALUES = "SET LOCAL plan_cache_mode = 'force_custom_plan'"
"""Run before a prefix search: only a plan for the actual text uses its index."""


def compile_statement(statement: CoreStatement) -> tuple[str, Sequence[Any]]:
    """Return a statement's text with ``$1`` placeholders and their values in order."""
    compiled = _compile(statement)
    values = compiled.construct_params()
    return str(compiled), _in_order(compiled, values)


def compile_for_many(
    statement: CoreStatement, rows: Sequence[Mapping[str, Any]]
) -> tuple[str, Sequence[Sequence[Any]]]:
    """Return the text that writes each of ``rows``, which all have the same columns."""
    compiled = _compile(statement, columns=list(rows[0]))
    return str(compiled), [_in_order(compiled, compiled.construct_params(row)) for row in rows]


def column_readers(statement: CoreStatement) -> Readers:
    """Return converters for columns whose types the driver does not decode, by name."""
    readers: dict[str, Callable[[Any], Any]] = {}
    for column in statement.exported_columns:
        kind: TypeEngine[Any] = column.type.dialect_impl(DIALECT)
        reader = kind.result_processor(DIALECT, None)
        if reader is not None and column.key is not None:
            readers[column.key] = reader
    return readers


def read_row(row: Row, readers: Readers) -> Row:
    """Return a driver's row with its values converted by ``readers``."""
    return {name: readers[name](value) if name in readers else value for name, value in row.items()}


def _compile(statement: CoreStatement, columns: list[str] | None = None) -> SQLCompiler:
    compiled = statement.compile(
        dialect=DIALECT, column_keys=columns, compile_kwargs={"render_postcompile": True}
    )
    if not isinstance(compiled, SQLCompiler):
        raise TypeError("not a statement")
    return compiled


def _in_order(compiled: SQLCompiler, values: Mapping[str, Any]) -> list[Any]:
    ordered = []
    for name in compiled.positiontup or ():
        value = values[name]
        bind = compiled.binds.get(name)
        kind = None if bind is None else bind.type.dialect_impl(DIALECT)
        writer = None if kind is None else kind.bind_processor(DIALECT)
        ordered.append(value if writer is None else writer(value))
    return ordered


def literal_pattern(text: str) -> str:
    """Return a ``LIKE`` pattern that matches exactly this text."""
    return text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
