"""Each night has one backup and one restore test, in whatever process; results are stored."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import time_machine
from api.app.adapters.media_local import LocalMedia
from api.app.backup.errors import BackupError
from api.app.backup.nightly import POLL_INTERVAL_SECONDS, NightlyBackup, back_up, last_due
from api.app.backup.pruning import list_backups, name_of
from api.app.backup.taking import connected
from api.foundation.core import clock
from api.foundation.core.supervisor import SKIPPED
from api.foundation.database.locks import AdvisoryLock
from api.foundation.jobs.runs import (
    BACKUP,
    CLOCKS_DIFFER_BY,
    RESTORE_PROOF,
    Run,
    list_runs,
    record_run,
)
from api.money.ledger_audit.repository.checks import CHECKS
from pydantic import SecretStr

from tests.app.backup.conftest import SECRET, endless_dump
from tests.conftest import RunningApp
from tests.console.command_line import run as run_console
from tests.preloaded import PreloadedPopen, run
from tests.transaction_pooler import transaction_pooler

Used = tuple[RunningApp, LocalMedia]
SUCCESSES = "SELECT name FROM job_kind WHERE succeeded_at IS NOT NULL ORDER BY name"


def nightly_backup(used: Used, folder: Path, **changes: object) -> NightlyBackup:
    app, store = used
    settings = app.settings.model_copy(update={"backup_dir": folder, **changes})
    return NightlyBackup(settings, folder, app.database, store)


def backups_in(folder: Path) -> list[str]:
    return list_backups(folder, clock.now() + timedelta(days=2))


async def noted_from(used: Used, kind: str, ahead: timedelta, *, succeeded: bool = True) -> Run:
    """Record a run as a process whose clock is fast by ``ahead``."""
    run = Run(
        kind=kind,
        subject=name_of(clock.now() + ahead),
        started_at=clock.now() + ahead,
        seconds=4.2,
        size_bytes=3 * 2**20,
        succeeded=succeeded,
        outcome="This is how it ended.",
    )
    await record_run(used[0].database, run)
    return run


async def runs(used: Used) -> Sequence[Run]:
    return await list_runs(used[0].database, [BACKUP, RESTORE_PROOF], 100)


def test_the_hour_is_lagos() -> None:
    at_two = datetime(2026, 11, 22, 2, 0, tzinfo=UTC)  # three o'clock in Lagos

    assert last_due(at_two, 3) == at_two
    assert last_due(at_two - timedelta(minutes=1), 3) == at_two - timedelta(days=1)


async def test_a_night_has_one_backup_and_one_proof(used: Used, tmp_path: Path) -> None:
    nightly = nightly_backup(used, tmp_path / "b", backup_key=SecretStr(SECRET))

    for _ in range(2):
        assert await nightly.back_up() is None
        assert await nightly.prove() is None

    proof, backup = await runs(used)
    (name,) = backups_in(tmp_path / "b")
    assert (backup.kind, backup.subject, backup.succeeded) == (BACKUP, name, True)
    assert (proof.kind, proof.subject, proof.succeeded) == (RESTORE_PROOF, name, True)
    assert "2 media copied." in backup.outcome
    assert f"{len(CHECKS)} checks of the ledger hold" in proof.outcome
    assert backup.size_bytes > 10_000
    assert backup.seconds > 0
    noted = await used[0].database.fetch_rows(SUCCESSES)
    assert [row["name"] for row in noted] == [BACKUP, RESTORE_PROOF]


async def test_a_copy_elsewhere_is_nobodys_night(used: Used, tmp_path: Path) -> None:
    app, store = used
    nightly = nightly_backup(used, tmp_path / "b")
    settings = app.settings.model_copy(update={"backup_dir": tmp_path / "b"})

    copy = await back_up(settings, app.database, store, tmp_path / "elsewhere" / "today")
    assert copy.manifest.media == 2
    assert await runs(used) == []
    await nightly.back_up()

    assert len(backups_in(tmp_path / "b")) == 1


async def test_the_next_night_has_the_next_backup(used: Used, tmp_path: Path) -> None:
    nightly = nightly_backup(used, tmp_path / "b")
    await nightly.back_up()

    with time_machine.travel(clock.now() + timedelta(days=1), tick=True):
        await nightly.back_up()

    assert len(backups_in(tmp_path / "b")) == 2


async def test_what_is_not_kept_goes_after_a_backup(used: Used, tmp_path: Path) -> None:
    for day in range(1, 61):
        (tmp_path / "b" / name_of(clock.now() - timedelta(days=day))).mkdir(parents=True)

    await nightly_backup(used, tmp_path / "b").back_up()

    assert 8 <= len(backups_in(tmp_path / "b")) <= 11


async def test_another_process_has_the_turn(used: Used, tmp_path: Path) -> None:
    nightly = nightly_backup(used, tmp_path / "b")
    holder = await used[0].database.connect_alone()
    try:
        await holder.execute("SELECT pg_advisory_lock($1)", AdvisoryLock.BACKUP)
        assert await nightly.back_up() is SKIPPED
    finally:
        await holder.close()
    assert backups_in(tmp_path / "b") == []

    await asyncio.gather(nightly.back_up(), nightly_backup(used, tmp_path / "b").back_up())
    assert len(backups_in(tmp_path / "b")) == 1


async def test_a_failure_is_kept_and_tried_again_after_a_pause(used: Used, tmp_path: Path) -> None:
    away = nightly_backup(
        used, tmp_path / "b", backup_database_url="postgresql://nobody@127.0.0.1:1/x"
    )
    here = nightly_backup(used, tmp_path / "b")

    with pytest.raises(BackupError, match="cannot be reached"):
        await away.back_up()
    await here.back_up()
    at_once = backups_in(tmp_path / "b")
    with time_machine.travel(clock.now() + timedelta(minutes=31), tick=True):
        await here.back_up()

    assert at_once == []
    backup, failure = await runs(used)
    assert (failure.succeeded, backup.succeeded) == (False, True)
    assert failure.outcome.startswith("The database cannot be reached")


@pytest.mark.parametrize("succeeded", [True, False])
@pytest.mark.parametrize(
    ("beyond", "taken"), [(timedelta(minutes=-1), 0), (timedelta(minutes=1), 1)]
)
async def test_a_run_noted_for_the_future_counts_as_far_as_clocks_differ(
    used: Used, tmp_path: Path, beyond: timedelta, taken: int, *, succeeded: bool
) -> None:
    nightly = nightly_backup(used, tmp_path / "b")
    await noted_from(used, BACKUP, CLOCKS_DIFFER_BY + beyond, succeeded=succeeded)

    for _ in range(2):
        await nightly.back_up()

    assert len(backups_in(tmp_path / "b")) == taken


async def test_a_backup_of_the_future_is_not_the_newest_that_is_proven(
    used: Used, tmp_path: Path
) -> None:
    nightly = nightly_backup(used, tmp_path / "b")
    ahead = await noted_from(used, RESTORE_PROOF, timedelta(days=1))
    (tmp_path / "b" / ahead.subject).mkdir(parents=True)
    await nightly.back_up()

    await nightly.prove()
    await nightly.prove()

    proofs = [run for run in await runs(used) if run.kind == RESTORE_PROOF]
    assert [run.succeeded for run in proofs] == [True, True]
    assert [run.subject for run in proofs] == backups_in(tmp_path / "b")


async def test_what_cannot_be_written_is_told_with_its_file(used: Used, tmp_path: Path) -> None:
    (tmp_path / "b").touch()

    with pytest.raises(OSError):  # noqa: PT011 the folder is a file
        await nightly_backup(used, tmp_path / "b").back_up()

    assert (await runs(used))[0].outcome == f"{tmp_path / 'b'}: File exists."


async def test_a_backup_that_could_not_be_noted_is_said_to_be_there(
    used: Used, tmp_path: Path
) -> None:
    app, _ = used
    async with connected(app.settings.database_url) as owner:
        await owner.execute("ALTER TABLE job_run RENAME TO job_run_was")
    try:
        answer = await run_console(
            *("backup", "--to", tmp_path / "b" / "one"),
            url=app.settings.database_url,
            BACKUP_DIR=str(tmp_path / "b"),
            VAR_DIR=str(app.settings.var_dir),
        )
    finally:
        async with connected(app.settings.database_url) as owner:
            await owner.execute("ALTER TABLE job_run_was RENAME TO job_run")

    assert answer.returncode == 1
    assert answer.stdout.endswith("It was done, and the database did not take the note of it.\n")
    assert (tmp_path / "b" / "one" / "manifest.json").exists()


async def test_a_damaged_backup_is_told_as_no_proof(used: Used, tmp_path: Path) -> None:
    nightly = nightly_backup(used, tmp_path / "b")
    await nightly.back_up()
    (name,) = backups_in(tmp_path / "b")
    dump = tmp_path / "b" / name / "database.dump"
    dump.write_bytes(dump.read_bytes()[:-1])

    with pytest.raises(BackupError):
        await nightly.prove()

    assert (await runs(used))[0].outcome == "database.dump is damaged."


async def test_the_console_lists_how_they_ended(used: Used) -> None:
    app, _ = used
    taken = await noted_from(used, BACKUP, timedelta(0))
    await noted_from(used, RESTORE_PROOF, timedelta(0), succeeded=False)

    answer = await run_console("backups", url=app.settings.database_url)

    proof, backup = answer.stdout.splitlines()
    assert answer.returncode == 0
    assert f"backup         ok          3.0 MiB       4.2 s  {taken.subject}: This" in backup
    assert "restore_proof  FAIL" in proof


@pytest.mark.parametrize("is_pooled", [False, True], ids=["direct", "behind a pooler"])
async def test_the_process_works_at_once_says_that_it_lives_and_ends_well(
    used: Used, tmp_path: Path, *, is_pooled: bool
) -> None:
    url = used[0].settings.database_url
    if not is_pooled:
        await works_and_ends(used, tmp_path, {"DATABASE_URL": url})
        return
    async with transaction_pooler(url, tmp_path) as (pooled, pooler):
        addresses = {"DATABASE_URL": pooled, "DATABASE_DIRECT_URL": url}
        await works_and_ends(used, tmp_path, addresses)
    assert pooler.sessions > 0


async def works_and_ends(used: Used, tmp_path: Path, addresses: dict[str, str]) -> None:
    environment = {
        "PATH": os.environ["PATH"],
        **addresses,
        "BACKUP_DIR": str(tmp_path / "b"),
        "VAR_DIR": str(tmp_path / "var"),
        "TMPDIR": str(tmp_path),
    }
    process = PreloadedPopen([sys.executable, "-m", "api.app.backup"], env=environment)
    try:
        async with asyncio.timeout(
            POLL_INTERVAL_SECONDS / 2
        ):  # the restore test does not wait for the next check
            while len(await runs(used)) < 2:
                assert process.poll() is None
                await asyncio.sleep(0.1)
        alive = await asyncio.to_thread(
            run,
            [sys.executable, "-m", "api.foundation.jobs.heartbeat", "backup"],
            env=environment,
            timeout=60,
        )
    finally:
        process.send_signal(signal.SIGTERM)
    code = await asyncio.to_thread(process.wait, 30)

    assert (alive.returncode, code) == (0, 0)
    assert [run.succeeded for run in await runs(used)] == [True, True]


async def test_a_stop_ends_a_dump_that_takes_long_and_leaves_nothing(
    used: Used, tmp_path: Path
) -> None:
    environment = {
        "PATH": f"{endless_dump(tmp_path)}:{os.environ['PATH']}",
        "DATABASE_URL": used[0].settings.database_url,
        "BACKUP_DIR": str(tmp_path / "b"),
        "VAR_DIR": str(tmp_path / "var"),
        "TMPDIR": str(tmp_path),
    }
    process = PreloadedPopen([sys.executable, "-m", "api.app.backup"], env=environment)
    while not list((tmp_path / "b").glob(".unfinished-*/database.dump")):
        assert process.poll() is None
        await asyncio.sleep(0.05)
    process.send_signal(signal.SIGTERM)
    code = await asyncio.to_thread(process.wait, 20)

    assert code == 0
    assert [path.name for path in (tmp_path / "b").iterdir()] == [".lock"]
    assert await runs(used) == []


def test_without_a_place_there_is_nothing_to_start() -> None:
    answer = subprocess.run(
        [sys.executable, "-m", "api.app.backup"],
        env={"PATH": os.environ["PATH"]},
        capture_output=True,
        text=True,
        check=False,
    )

    assert answer.returncode == 2
    assert "BACKUP_DIR is not set" in answer.stderr
