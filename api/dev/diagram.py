"""Draws the tables and their foreign keys, one diagram per package, as Mermaid in Markdown."""

from collections import defaultdict
from collections.abc import Iterable

from sqlalchemy import ForeignKey, Table

from api.app.metadata import metadata
from api.foundation.database.tables import Base

HEAD = """# Tables

Made from the models by `python3 run.py client`; do not edit. An arrow leads from a row to the row
that it names, and carries the column; a dashed one may be NULL. Tables of other packages are drawn
where something names them, except `user_account`, `club` and `operator`, which most tables name:
those columns are listed below each diagram. What each table is for is in its model's docstring.
"""
COMMON = frozenset({"user_account", "club", "operator"})


def diagram_text() -> str:
    """Return the page of diagrams, which is deterministic."""
    packages: dict[str, list[Table]] = defaultdict(list)
    classes = [mapper.class_ for mapper in Base.registry.mappers]
    places = {each.__tablename__: each.__module__ for each in classes}
    for table in metadata().sorted_tables:
        module = places[table.name]
        packages[module.removeprefix("api.").removesuffix(".models")].append(table)
    return HEAD + "".join(
        _section(package, sorted(tables, key=lambda table: table.name))
        for package, tables in sorted(packages.items())
    )


def _section(package: str, tables: Iterable[Table]) -> str:
    lines = [f"\n## {package.replace('.', '/')}\n\n```mermaid\nflowchart LR\n"]
    common: dict[str, list[str]] = defaultdict(list)
    for table in tables:
        lines.append(f"  {table.name}\n")
        for key in sorted(table.foreign_keys, key=lambda key: key.parent.name):
            named = key.column.table.name
            if named in COMMON and table.name not in COMMON:
                common[named].append(f"`{table.name}.{key.parent.name}`")
            else:
                lines.append(_arrow(key))
    lines.append("```\n")
    for named, columns in sorted(common.items()):
        lines.append(f"\n`{named}`: {', '.join(columns)}\n")
    return "".join(lines)


def _arrow(key: ForeignKey) -> str:
    arrow = "-." if key.parent.nullable else "--"
    head = ".->" if key.parent.nullable else "-->"
    return f"  {key.parent.table.name} {arrow} {key.parent.name} {head} {key.column.table.name}\n"
