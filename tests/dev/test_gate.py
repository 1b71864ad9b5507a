"""The gate fails with a message if the database differs from the repository."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from api.dev import migrations
from api.dev.postgres.embedded import EmbeddedPostgres

from tests.databases import copy_migrated

DATABASE = "gate"


@pytest.fixture
def compare(postgres: EmbeddedPostgres, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], int]:
    """Run the gate's comparison on a migrated database after executing a statement."""
    migrate = migrations.upgrade

    @contextmanager
    def fresh_database() -> Iterator[str]:
        postgres.run_sql(f"DROP DATABASE IF EXISTS {DATABASE}")
        yield copy_migrated(postgres, DATABASE)

    def run(statement: str) -> int:
        def migrate_and_change(url: str) -> None:
            migrate(url)
            postgres.run_sql(statement, DATABASE)

        monkeypatch.setattr(migrations, "upgrade", migrate_and_change)
        return migrations.main(["check"])

    monkeypatch.setattr(migrations, "throwaway_database", fresh_database)
    return run


def test_a_database_that_was_only_migrated_passes(
    compare: Callable[[str], int], capsys: pytest.CaptureFixture[str]
) -> None:
    assert compare("SELECT 1") == 0
    assert "The " not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("statement", "sentence"),
    [
        (
            "DROP TRIGGER post ON ledger_transfer",
            "The trigger ledger_transfer.post is missing in the database.",
        ),
        (
            "ALTER FUNCTION place_orders SECURITY DEFINER",
            "The function place_orders was changed in the database.",
        ),
        (
            "GRANT INSERT ON ledger_account TO fans_runtime",
            "fans_runtime may INSERT on ledger_account, and no file grants it.",
        ),
        (
            "ALTER TABLE product_variant DROP CONSTRAINT ck_product_variant_no_oversell",
            "The check product_variant.ck_product_variant_no_oversell is missing in the migrations "
            "and CHECK (((allocated >= 0) AND (allocated <= stock))) in the models.",
        ),
    ],
)
def test_a_changed_database_fails(
    compare: Callable[[str], int],
    capsys: pytest.CaptureFixture[str],
    statement: str,
    sentence: str,
) -> None:
    assert compare(statement) == 1
    assert sentence in capsys.readouterr().out.splitlines()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the migrations."""
    return shutil.copytree(
        migrations.MIGRATIONS, tmp_path / "migrations", ignore=shutil.ignore_patterns("__*")
    )


def test_an_edited_merged_migration_fails_the_gate(
    compare: Callable[[str], int],
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    merged = migrations.merged_differences
    monkeypatch.setattr(migrations, "merged_differences", lambda: merged(folder))
    first = min((folder / "versions").glob("*.py"))
    first.write_text(first.read_text() + "# edited\n")

    assert compare("SELECT 1") == 1
    sentence = f"The merged migration {first.name} was edited: write a new one."
    assert sentence in capsys.readouterr().out.splitlines()


def test_sealing_takes_new_migrations_and_forgives_no_edit(folder: Path) -> None:
    first = min((folder / "versions").glob("*.py"))
    (folder / "versions" / "29990101_0000_new.py").write_text("")
    assert migrations.merged_differences(folder) == [
        "The migration 29990101_0000_new.py has no digest: run python3 run.py seal."
    ]

    migrations.seal(folder)
    assert migrations.merged_differences(folder) == []

    first.write_text(first.read_text() + "# edited\n")
    migrations.seal(folder)
    assert migrations.merged_differences(folder) == [
        f"The merged migration {first.name} was edited: write a new one."
    ]


def test_a_merged_migration_is_not_removed(folder: Path) -> None:
    first = min((folder / "versions").glob("*.py"))
    first.unlink()

    assert migrations.merged_differences(folder) == [
        f"The merged migration {first.name} was removed."
    ]
