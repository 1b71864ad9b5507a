"""``python -m api.console import-questions`` as an operator runs it."""

from pathlib import Path

import pytest
from api.games.questions.rules import reading as questions_reading
from api.games.questions.service.importing import SHIPPED_BANK, shipped_bank

from tests.conftest import RunningApp
from tests.console.command_line import acts, run, run_from_the_shell


async def count_questions(app: RunningApp) -> int:
    row = await app.database.fetch_row("SELECT count(*) AS number FROM question")
    assert row is not None
    number: int = row["number"]
    return number


async def test_the_shipped_bank_is_imported_once_and_then_left_alone(app: RunningApp) -> None:
    url = app.settings.database_url
    entries = questions_reading.read_files(shipped_bank()).entries
    known = [entry for entry in entries if entry.club in {None, "Enyimba", "Arsenal"}]

    first = await run_from_the_shell("import-questions", "--skip-unknown-clubs", url=url)
    second = await run("import-questions", "--skip-unknown-clubs", url=url)

    assert first.returncode == 0
    assert acts(first) == [
        {"action": "import_questions", "added": len(known), "replaced": 0, "retired": 0}
    ]
    assert (second.returncode, second.stderr) == (0, "")  # nothing to do
    assert first.stdout.splitlines() == [
        f"Read {len(shipped_bank())} files.",
        f"    added: {len(known)}",
        " replaced: 0",
        "  retired: 0",
        "unchanged: 0",
        f"  skipped: {len(entries) - len(known)} (their clubs are not in the database)",
    ]
    assert second.returncode == 0
    assert f"unchanged: {len(known)}" in second.stdout
    assert await count_questions(app) == len(known)


async def test_a_dry_run_writes_nothing_and_says_so(app: RunningApp) -> None:
    answer = await run(
        "import-questions",
        SHIPPED_BANK / "world-cup.csv",
        "--dry-run",
        url=app.settings.database_url,
    )

    assert answer.returncode == 0
    assert answer.stdout.startswith("Read 1 file.\n    added: ")
    assert answer.stdout.endswith("This was a dry run. Nothing was written.\n")
    assert answer.stderr == ""
    assert await count_questions(app) == 0


async def test_missing_rows_are_retired_when_told_to(app: RunningApp, tmp_path: Path) -> None:
    url = app.settings.database_url
    lines = (SHIPPED_BANK / "world-cup.csv").read_text(encoding="utf-8").splitlines(keepends=True)
    file = tmp_path / "world-cup.csv"
    file.write_text("".join(lines), encoding="utf-8")
    await run("import-questions", tmp_path, url=url)
    file.write_text("".join(lines[:-2]), encoding="utf-8")

    answer = await run("import-questions", tmp_path, "--retire-missing", url=url)

    assert answer.returncode == 0
    assert "  retired: 2\n" in answer.stdout
    statement = "SELECT count(*) FROM question WHERE retired_at IS NOT NULL"
    assert await app.database.fetch_value(statement) == 2


async def test_refused_rows_are_listed_with_file_and_line_and_nothing_is_written(
    app: RunningApp, tmp_path: Path
) -> None:
    file = tmp_path / "world-cup.csv"
    content = (SHIPPED_BANK / "world-cup.csv").read_text(encoding="utf-8")
    file.write_text(content + "x,quiz,,x,x?,a,b,c,d,x,x,7\n", encoding="utf-8")
    line = content.count("\n") + 1

    answer = await run("import-questions", file, url=app.settings.database_url)

    assert (answer.returncode, answer.stdout) == (1, "")
    assert answer.stderr.splitlines() == [
        f"{file}:{line}: The column kind must be trivia, battle or visitor.",
        f"{file}:{line}: The column difficulty must be 1, 2 or 3.",
        "1 row refused. Nothing was written.",
    ]
    assert await count_questions(app) == 0


async def test_a_path_that_is_not_there_is_a_wrong_question(
    app: RunningApp, tmp_path: Path
) -> None:
    url = app.settings.database_url

    missing = await run("import-questions", tmp_path / "no.csv", url=url)
    empty = await run("import-questions", tmp_path, url=url)

    assert (missing.returncode, empty.returncode) == (2, 2)
    assert missing.stderr == f"king-of-fans: {tmp_path}/no.csv: No such file or directory.\n"
    assert empty.stderr == f"king-of-fans: {tmp_path}: There is no CSV file in this folder.\n"


@pytest.mark.parametrize("arguments", [(), ("dance",), ("import-questions", "--perhaps")])
async def test_wrong_arguments_are_answered_with_the_usage(arguments: tuple[str, ...]) -> None:
    answer = await run(*arguments, url="postgresql://127.0.0.1:1/fans")

    assert answer.returncode == 2
    assert answer.stderr.startswith("usage: python -m api.console")


async def test_settings_that_do_not_fit_are_named_without_their_values() -> None:
    answer = await run("import-questions", url="postgresql://127.0.0.1:1/fans", TOKEN_KEY="hush")

    assert answer.returncode == 2
    assert "TOKEN_KEY" in answer.stderr
    assert "hush" not in answer.stderr


async def test_a_database_that_is_away_is_one_sentence() -> None:
    answer = await run("import-questions", url="postgresql://127.0.0.1:1/fans")

    assert answer.returncode == 1
    assert answer.stderr == (
        "king-of-fans: The database does not answer, or takes no writes. Nothing was written.\n"
    )


async def test_a_database_without_tables_is_one_sentence(app: RunningApp) -> None:
    url = app.settings.database_url.replace("/fans", "/postgres", 1)

    answer = await run("import-questions", url=url)

    assert answer.returncode == 1
    assert answer.stderr.startswith("king-of-fans: The database refuses: ")
    assert len(answer.stderr.splitlines()) == 1
