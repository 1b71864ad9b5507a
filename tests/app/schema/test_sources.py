"""The files of functions, triggers and grants contain what their names say."""

from collections import Counter
from pathlib import Path

import pytest
from api.app.metadata import metadata
from api.app.schema.sources import Kind, SourceError, read_sources
from api.foundation.jobs.queue import LIBRARY_TABLES

FUNCTION = (
    "CREATE OR REPLACE FUNCTION {name}() RETURNS int LANGUAGE sql AS $$\n  SELECT {body}\n$$;\n"
)


def write(folder: Path, name: str, text: str) -> None:
    (folder / "shop" / "sql").mkdir(parents=True, exist_ok=True)
    (folder / "shop" / "sql" / f"{name}.sql").write_text(text, encoding="utf-8")


def test_every_object_has_one_file() -> None:
    sources = read_sources("fans_runtime")

    assert Counter((one.kind, one.name) for one in sources).most_common(1)[0][1] == 1
    assert {one.kind for one in sources} == {Kind.FUNCTION, Kind.TRIGGER, Kind.GRANTS}
    assert not any("{{" in statement for one in sources for statement in one.statements)


def test_every_table_is_in_one_file_of_grants() -> None:
    grants = [one for one in read_sources("fans_runtime") if one.kind is Kind.GRANTS]
    tables = Counter(table for one in grants for table in {name for name, _ in one.grants()})

    assert set(tables.values()) == {1}
    others = {"alembic_version", "database_objects", *LIBRARY_TABLES, "pgqueuer_id_seq"}
    assert tables.keys() == metadata().tables.keys() | others


def test_columns_that_may_be_changed_are_granted_one_by_one(tmp_path: Path) -> None:
    file = tmp_path / "shop" / "sql" / "grants.sql"
    file.parent.mkdir(parents=True)
    file.write_text("GRANT SELECT, UPDATE (a, b), DELETE\n  ON x, y TO {{runtime_role}};\n")

    (source,) = read_sources("runner", tmp_path)

    granted = ["SELECT", "UPDATE (a)", "UPDATE (b)", "DELETE"]
    assert list(source.grants()) == [(table, of) for table in ("x", "y") for of in granted]


def test_a_function_comes_after_those_it_calls(tmp_path: Path) -> None:
    write(tmp_path, "asks", FUNCTION.format(name="asks", body="knows() + 1"))
    write(tmp_path, "knows", FUNCTION.format(name="knows", body="41"))

    assert [one.name for one in read_sources("", tmp_path)] == ["knows", "asks"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (FUNCTION.format(name="another", body="1"), "named after"),
        (FUNCTION.format(name="one", body="{{no_such_constant}}"), "no_such_constant"),
        (FUNCTION.format(name="one", body="1").replace("$$;", "$$"), "without an end"),
    ],
)
def test_a_file_that_does_not_fit_is_refused(tmp_path: Path, text: str, said: str) -> None:
    write(tmp_path, "one", text)

    with pytest.raises(SourceError, match=said):
        read_sources("", tmp_path)


def test_without_a_running_role_nothing_is_granted() -> None:
    assert not any("GRANT" in statement for one in read_sources("") for statement in one.statements)
