"""The console's message about a command that failed halfway is correct for that command."""

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import asyncpg
import pytest
from api.app.adapters.media_local import LocalMedia
from api.app.backup.taking import connected
from api.console import __main__ as console
from api.dev.postgres.embedded import EmbeddedPostgres
from api.foundation.core.config import Settings
from api.foundation.core.errors import DatabaseUnavailableError
from api.foundation.media.storage import MediaUnavailableError

from tests.app.backup.conftest import backed_up, target, used
from tests.conftest import RunningApp
from tests.console.command_line import ROOT, run
from tests.preloaded import PreloadedPopen
from tests.production import PRODUCTION, variables

__all__ = ["target", "used"]
Used = tuple[RunningApp, LocalMedia]
NOTHING = "Nothing was written."
LOST = {
    "import-questions": "All of it was written, or nothing: look before running it again.",
    "add-club Rovers": "All of it was written, or nothing: look before running it again.",
    "apply file.toml": "All of it was written, or nothing: look before running it again.",
    "set-season file.toml": "All of it was written, or nothing: look before running it again.",
    "jobs retry 1": "All of it was written, or nothing: look before running it again.",
    "reseal-profiles": "Some profiles may be sealed anew: run it again.",
    "backup": "There is a backup if its folder is there.",
    "restore today": "Begin again with an empty database.",
    "backups": NOTHING,
    "jobs": NOTHING,
    "check": NOTHING,
}


@pytest.mark.parametrize(("command", "after"), LOST.items())
@pytest.mark.parametrize(
    ("failure", "said"),
    [
        (DatabaseUnavailableError(), "The database does not answer, or takes no writes."),
        (asyncpg.DataError("no such thing"), "The database refuses: no such thing."),
        (MediaUnavailableError(), "media_unavailable."),
        (OSError(28, "No space left on device", "there/here"), "there/here: No space left"),
        (OSError(28, "No space left on device"), "king-of-fans: No space left on device."),
        (TimeoutError(), "king-of-fans: TimeoutError."),
    ],
    ids=lambda it: type(it).__name__,
)
def test_what_follows_a_failure_is_true_of_the_command(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    command: str,
    after: str,
    failure: Exception,
    said: str,
) -> None:
    async def fail(*_: object) -> bool:
        raise failure

    parser = console.make_parser()
    options = parser.parse_args(command.split())
    options.run = fail
    monkeypatch.setattr(parser, "parse_args", lambda _: options)
    monkeypatch.setattr(console, "make_parser", lambda: parser)
    monkeypatch.setattr(console, "set_up_logs", lambda *_: None)

    assert console.main([]) != 0

    (line,) = capsys.readouterr().err.splitlines()
    assert said in line
    if isinstance(failure, asyncpg.DataError) and after.startswith("All of it"):
        assert line.endswith(NOTHING)  # rolled back
    elif not isinstance(failure, OSError):
        assert line.endswith(after)


@pytest.mark.parametrize(
    ("arguments", "more", "code"),
    [
        ([], {}, 2),
        ([], {"BACKUP_KEY": ""}, 2),
        (["--plain"], {}, 1),
        ([], {"BACKUP_KEY": "mQ7wEr2TyU9iOpA5sDfG3hJkL8zXcVbN"}, 1),
        ([], {"APP_ENV": "development"}, 1),
    ],
)
async def test_production_takes_no_plain_backup_unless_told_to(
    tmp_path: Path, arguments: list[str], more: dict[str, str], code: int
) -> None:
    nowhere = "postgresql://fans@127.0.0.1:1/fans"
    production = Settings(**{**PRODUCTION, "database_url": nowhere, "var_dir": tmp_path})  # type: ignore[arg-type]  # of several kinds
    given = variables(production) | more
    place = tmp_path / "b" / "one"
    answer = await run("backup", "--to", place, *arguments, url=given.pop("DATABASE_URL"), **given)
    assert (answer.returncode, place.exists()) == (code, False)
    wanted = "king-of-fans: Production needs BACKUP_KEY to encrypt the backup, or --plain "
    assert answer.stderr.startswith(wanted) == (code == 2)


async def test_a_backup_whose_database_is_lost_half_way_leaves_nothing_and_says_why(
    used: Used, tmp_path: Path
) -> None:
    app, _ = used
    go_on = tmp_path / "go-on"
    program = tmp_path / "bin" / "pg_dump"
    program.parent.mkdir()
    program.write_text(
        '#!/bin/sh\n[ "$1" = --version ] && echo "pg_dump (PostgreSQL) 18.0" && exit\n'
        f"echo half; while [ ! -e {go_on} ]; do sleep 0.05; done\n"
    )
    program.chmod(0o755)
    process = PreloadedPopen(
        [sys.executable, "-m", "api.console", "backup", "--to", str(tmp_path / "b" / "one")],
        cwd=ROOT,
        env={
            "PATH": f"{program.parent}:{os.environ['PATH']}",
            "DATABASE_URL": app.settings.database_url,
            "VAR_DIR": str(tmp_path / "var"),
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    while not list((tmp_path / "b").glob(".unfinished-*/database.dump")):
        assert process.poll() is None
        await asyncio.sleep(0.05)
    async with connected(app.settings.database_url) as owner:
        await owner.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE state = 'idle in transaction' AND query LIKE '%pg_export_snapshot%' "
            "OR query LIKE '%alembic_version%' AND pid <> pg_backend_pid()"
        )
    go_on.touch()
    printed, complained = await asyncio.to_thread(process.communicate, timeout=30)

    assert (process.returncode, complained) == (1, "")
    assert printed.startswith("The database was lost half-way: ")
    assert len(printed.splitlines()) == 1
    assert [path.name for path in (tmp_path / "b").iterdir()] == [".lock"]


async def test_a_restore_checks_what_it_filled_or_says_that_it_checks_nothing(
    used: Used, target: str, tmp_path: Path, postgres: EmbeddedPostgres
) -> None:
    app, _ = used
    here = app.settings.database_url
    await backed_up(used, tmp_path / "b")

    async def restored(url: str) -> subprocess.CompletedProcess[str]:
        postgres.run_sql("DROP SCHEMA public CASCADE; CREATE SCHEMA public", "restored")
        return await run(
            *("restore", tmp_path / "b"),
            url=url,
            BACKUP_DATABASE_URL=target,
            VAR_DIR=str(tmp_path / "var"),
        )

    other = await restored(here)
    away = await restored("postgresql://nobody@127.0.0.1:1/none")
    same = await restored(target.replace("postgresql+asyncpg", "postgresql"))

    for answer, sentence in (
        (other, "Nothing was checked: DATABASE_URL leads to another database than the one that "),
        (away, "Nothing was checked: the database of DATABASE_URL does not answer."),
    ):
        assert answer.returncode == 1
        assert answer.stdout.splitlines()[-1].startswith(sentence)
        assert "2 of 2 media are as they were." in answer.stdout
    assert same.returncode == 0
    assert "ok ledger: It balances" in same.stdout
    assert "Nothing was checked" not in same.stdout


async def test_media_that_cannot_be_put_back_are_a_sentence_and_the_rest_is_checked(
    used: Used, target: str, tmp_path: Path
) -> None:
    await backed_up(used, tmp_path / "b")
    (tmp_path / "var").touch()

    answer = await run("restore", tmp_path / "b", url=target, VAR_DIR=str(tmp_path / "var"))

    assert answer.returncode == 1
    assert "Not all media were put back: media_unavailable: NotADirectoryError." in answer.stdout
    assert "were restored." in answer.stdout
    assert "ok ledger" in answer.stdout
