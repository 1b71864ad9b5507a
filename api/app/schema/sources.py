"""Reads the source files of functions, triggers and grants."""

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from graphlib import TopologicalSorter
from pathlib import Path

from api.app.schema.constants import CONSTANTS, render

API = Path(__file__).parents[2]
ROLE = "{{runtime_role}}"
PLACEHOLDER = re.compile(r"\{\{(\w+)\}\}")
CREATED = re.compile(r"^CREATE (?:OR REPLACE|CONSTRAINT) (FUNCTION|TRIGGER) (\w+)", re.MULTILINE)
GRANT = re.compile(r"^GRANT (.+?)\s+ON (?!SCHEMA|FUNCTION)(.+?)\s+TO ", re.MULTILINE | re.DOTALL)
PRIVILEGE = re.compile(r"(\w+)(?: \(([^)]+)\))?")
COMMA = re.compile(r",\s*")


class Kind(StrEnum):
    """The kind of an object; those of ``MIGRATED`` come from migrations and have no file."""

    FUNCTION = "function"
    TRIGGER = "trigger"
    GRANTS = "grants"
    CHECK = "check"
    CONSTRAINT = "constraint"
    INDEX = "index"
    COLUMN = "column"
    RULE = "rule"
    SPELLING = "spelling"  # of the catalog: the server's version and our queries


MIGRATED = (Kind.CHECK, Kind.CONSTRAINT, Kind.INDEX, Kind.COLUMN, Kind.RULE)


@dataclass(frozen=True)
class Source:
    """One file: the object it creates, and its statements."""

    kind: Kind
    name: str
    statements: tuple[str, ...]

    @property
    def digest(self) -> str:
        """The SHA-256 of the statements."""
        return digest("\n".join(self.statements))

    @property
    def is_trigger_function(self) -> bool:
        """Whether triggers call it; such a function cannot be dropped while they exist."""
        return "RETURNS trigger" in self.statements[0]

    def grants(self) -> Iterator[tuple[str, str]]:
        """Yield table and privilege of each grant in a file of grants."""
        for statement in self.statements:
            for privileges, tables in GRANT.findall(statement):
                for table in COMMA.split(tables):
                    for privilege, columns in PRIVILEGE.findall(privileges):
                        for column in COMMA.split(columns):
                            yield table, f"{privilege} ({column})" if column else privilege


class SourceError(ValueError):
    """A file does not contain what its name says, or uses an unknown constant."""


def digest(text: str) -> str:
    """Return the SHA-256 of a text in hexadecimal."""
    return hashlib.sha256(text.encode()).hexdigest()


def read_sources(runtime_role: str, folder: Path = API) -> list[Source]:
    """Return all sources in the order of application; without a role, no grants.

    Raises:
        SourceError: a file is invalid.
    """
    sources = [_read(path, runtime_role) for path in sorted(folder.rglob("sql/*.sql"))]
    functions = [source for source in sources if source.kind is Kind.FUNCTION]
    triggers = [source for source in sources if source.kind is Kind.TRIGGER]
    grants = [source for source in sources if source.kind is Kind.GRANTS and runtime_role]
    return [*_callees_first(functions), *triggers, *grants]


def _read(path: Path, runtime_role: str) -> Source:
    text = path.read_text(encoding="utf-8")
    constants = {**CONSTANTS, "runtime_role": runtime_role}
    unknown = sorted(set(PLACEHOLDER.findall(text)) - constants.keys())
    if unknown:
        raise SourceError(f"{path.name} names constants that are none: {', '.join(unknown)}")
    statements = tuple(
        PLACEHOLDER.sub(lambda found: render(constants[found[1]]), statement)
        for statement in _split(text)
        if runtime_role or ROLE not in statement
    )
    if path.stem == Kind.GRANTS:
        return Source(Kind.GRANTS, path.parents[1].name, statements)
    created = CREATED.findall(text)
    kind, name = created[0] if len(created) == 1 else ("", "")
    if name != path.stem.rpartition(".")[2]:
        raise SourceError(f"{path.name} has to create what it is named after, and nothing else")
    return Source(Kind(kind.lower()), path.stem, statements)


def _split(text: str) -> Iterator[str]:
    """Yield the statements of a text; a semicolon inside dollar quotes does not end one."""
    statement = ""
    for line in text.splitlines():
        if not statement and (not line.strip() or line.startswith("--")):
            continue
        statement += line + "\n"
        if line.endswith(";") and statement.count("$$") % 2 == 0:
            yield statement.strip()
            statement = ""
    if statement:
        raise SourceError(f"a statement without an end: {statement[:60]}")


def _callees_first(functions: Sequence[Source]) -> Iterator[Source]:
    """Yield functions after those they call, because the database checks a body at creation."""
    by_name = {function.name: function for function in functions}
    graph = {
        name: {word for word in re.findall(r"\w+", function.statements[0]) if word in by_name}
        - {name}
        for name, function in by_name.items()
    }
    return (by_name[name] for name in TopologicalSorter(graph).static_order())
