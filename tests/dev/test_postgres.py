import contextlib
import os
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from api.dev.postgres.embedded import EmbeddedPostgres
from api.dev.postgres.install import PostgresError
from api.dev.postgres.place import PostgresBusyError
from api.dev.postgres.server import command_line
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import create_async_engine

from tests.databases import empty_cluster
from tests.waiting import DEADLINE_SECONDS

SUPERVISOR = """
import sys, time
from pathlib import Path
from api.dev.postgres.embedded import EmbeddedPostgres
server = EmbeddedPostgres(Path(sys.argv[1]))
server.start()
server.run_sql("CREATE TABLE IF NOT EXISTS kept (n int)")
server.run_sql("INSERT INTO kept VALUES (1)")
print(server.pid, flush=True)
time.sleep(600)
"""


@pytest.fixture
def state_dir(new_dir: Path) -> Path:
    """The folder of a server that was started and stopped before."""
    with EmbeddedPostgres(new_dir, template=empty_cluster()):
        pass
    return new_dir


@pytest.fixture
def new_dir() -> Iterator[Path]:
    base = Path(tempfile.mkdtemp(prefix="kof-test-"))
    base.chmod(0o711)
    yield base / "postgres"
    with contextlib.suppress(FileNotFoundError):
        shutil.rmtree(Path((base / "postgres" / "place").read_text()))
    shutil.rmtree(base)


def wait_until_gone(pid: int) -> None:
    deadline = time.monotonic() + DEADLINE_SECONDS
    while command_line(pid):
        assert time.monotonic() < deadline, f"process {pid} still runs"
        time.sleep(0.02)


def wait_until_served_by_another(server: EmbeddedPostgres, killed: int) -> None:
    deadline = time.monotonic() + DEADLINE_SECONDS
    while True:
        with contextlib.suppress(PostgresError):
            if server.pid != killed and server.run_sql("SELECT 1") == "1\n":
                return
        assert time.monotonic() < deadline, "no server came back"
        time.sleep(0.05)


@contextlib.contextmanager
def supervisor_process(state_dir: Path) -> Iterator[tuple["subprocess.Popen[str]", int]]:
    command = [sys.executable, "-c", SUPERVISOR, str(state_dir)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield process, int(process.stdout.readline())
        finally:
            process.kill()


def test_the_server_stops_with_its_supervisor_and_keeps_the_data(new_dir: Path) -> None:
    with EmbeddedPostgres(new_dir) as server:
        first_pid = server.pid
        server.ensure_database("fans")
        server.run_sql("CREATE TABLE member AS SELECT 'Ada' AS name", database="fans")
    assert not command_line(first_pid)

    with EmbeddedPostgres(new_dir) as server:
        server.ensure_database("fans")
        assert server.run_sql("SELECT name FROM member", database="fans") == "Ada\n"


async def test_the_url_opens_the_database_through_sqlalchemy(new_dir: Path) -> None:
    with EmbeddedPostgres(new_dir, throwaway=True, template=empty_cluster()) as server:
        server.ensure_database('odd "name')
        engine = create_async_engine(server.url('odd "name'))
        async with engine.connect() as connection:
            name = await connection.scalar(text("SELECT current_database()"))
        await engine.dispose()

    assert name == 'odd "name'


async def test_a_wrong_password_is_refused_and_nothing_listens_on_tcp(new_dir: Path) -> None:
    with EmbeddedPostgres(new_dir, throwaway=True) as server:
        password = (new_dir / "password").read_text()
        assert server.run_sql("SHOW listen_addresses").strip() == ""
        engine = create_async_engine(server.url("postgres").replace(password, "guess"))

        with pytest.raises(DBAPIError, match="password authentication failed"):
            await engine.connect()
        await engine.dispose()

    assert stat.S_IMODE((new_dir / "password").stat().st_mode) == 0o600


def test_rows_committed_before_a_kill_of_the_server_are_there_after_the_next_start(
    state_dir: Path,
) -> None:
    server = EmbeddedPostgres(state_dir)
    server.start()
    server.run_sql("CREATE TABLE paid AS SELECT generate_series(1, 500) AS n")
    os.kill(server.pid, signal.SIGKILL)
    server.stop()

    with EmbeddedPostgres(state_dir) as healed:
        assert healed.run_sql("SELECT count(*) FROM paid") == "500\n"


def test_a_killed_server_is_started_again_at_the_same_address_with_its_data(
    state_dir: Path,
) -> None:
    with EmbeddedPostgres(state_dir) as server:
        first, address = server.pid, server.url()
        server.run_sql("CREATE TABLE paid AS SELECT generate_series(1, 500) AS n")

        for _ in range(2):
            killed = server.pid
            os.kill(killed, signal.SIGKILL)
            wait_until_served_by_another(server, killed)

        assert server.run_sql("SELECT count(*) FROM paid") == "500\n"
        assert server.url() == address
        last = server.pid
    assert not command_line(first)
    assert not command_line(last)


def test_a_server_that_is_stopped_while_it_comes_back_stays_away(state_dir: Path) -> None:
    server = EmbeddedPostgres(state_dir)
    server.start()
    os.kill(server.pid, signal.SIGKILL)
    time.sleep(0.3)

    server.stop()

    assert not server.is_alive()
    with EmbeddedPostgres(state_dir) as healed:
        assert healed.run_sql("SELECT 1") == "1\n"


def test_a_killed_supervisor_leaves_no_server_behind(state_dir: Path) -> None:
    with supervisor_process(state_dir) as (process, server_pid):
        process.kill()
        process.wait()
        if sys.platform == "linux":
            wait_until_gone(server_pid)

        with EmbeddedPostgres(state_dir) as healed:
            assert healed.run_sql("SELECT count(*) FROM kept") == "1\n"
            assert not command_line(server_pid) or healed.pid != server_pid


def test_an_orphan_that_still_runs_is_stopped_by_the_next_start(state_dir: Path) -> None:
    with EmbeddedPostgres(state_dir) as server:
        orphan = server.pid
        data_dir = state_dir / "server" / "data"
        marks = (data_dir / "postmaster.pid").read_text()
        (
            state_dir / "lock"
        ).unlink()  # what a killed supervisor leaves: the lock free, the server up

        with EmbeddedPostgres(state_dir) as successor:
            assert successor.pid != orphan
            assert successor.run_sql("SELECT 1") == "1\n"

    assert marks.splitlines()[0] == str(orphan)
    assert not command_line(orphan)


def test_a_second_supervisor_is_refused_and_told_who_holds_the_folder(state_dir: Path) -> None:
    with EmbeddedPostgres(state_dir) as server:
        with pytest.raises(PostgresBusyError, match=f"in use by process {os.getpid()}"):
            EmbeddedPostgres(state_dir).start()

        assert server.run_sql("SELECT 1") == "1\n"


def test_a_first_start_killed_half_way_is_begun_again(new_dir: Path) -> None:
    with EmbeddedPostgres(new_dir):
        pass
    data_dir = new_dir / "server" / "data"
    data_dir.rename(data_dir.with_name("data.new"))
    shutil.rmtree(data_dir.with_name("data.new") / "base")

    with EmbeddedPostgres(new_dir) as healed:
        assert healed.run_sql("SELECT 1") == "1\n"


def test_marks_that_name_a_living_stranger_do_not_stop_the_start(state_dir: Path) -> None:
    other_pid = os.getpid()
    (state_dir / "server" / "data" / "postmaster.pid").write_text(f"{other_pid}\n")
    (state_dir / "server" / "run" / ".s.PGSQL.5432.lock").write_text(f"{other_pid}\n")

    with EmbeddedPostgres(state_dir) as healed:
        assert healed.run_sql("SELECT 1") == "1\n"


def test_a_state_folder_with_a_very_long_path_works_twice(new_dir: Path) -> None:
    deep = new_dir / ("a" * 60) / ("b" * 60)

    for _ in range(2):
        with EmbeddedPostgres(deep, template=empty_cluster()) as server:
            assert server.run_sql("SELECT 1") == "1\n"

    assert not (deep / "socket").exists()


def test_a_private_parent_stays_private_and_the_data_is_kept(new_dir: Path) -> None:
    new_dir.parent.chmod(0o700)

    with EmbeddedPostgres(new_dir) as server:
        server.run_sql("CREATE TABLE kept (n int)")
    with EmbeddedPostgres(new_dir) as server:
        assert server.run_sql("SELECT count(*) FROM kept") == "0\n"

    assert stat.S_IMODE(new_dir.parent.stat().st_mode) == 0o700


def test_a_lost_password_file_is_named_in_the_complaint(state_dir: Path) -> None:
    (state_dir / "password").unlink()

    with pytest.raises(PostgresError, match="password is missing"):
        EmbeddedPostgres(state_dir).start()


def test_a_throwaway_server_flushes_nothing_and_leaves_no_data(new_dir: Path) -> None:
    with EmbeddedPostgres(new_dir, throwaway=True, template=empty_cluster()) as server:
        assert server.run_sql("SHOW fsync") == "off\n"

    assert not (new_dir / "server").exists()


def test_a_server_that_cannot_start_says_why_and_frees_the_folder(state_dir: Path) -> None:
    control = state_dir / "server" / "data" / "global" / "pg_control"
    kept = control.read_bytes()
    control.write_bytes(b"")

    with pytest.raises(PostgresError, match="pg_control"):
        EmbeddedPostgres(state_dir).start()

    control.write_bytes(kept)
    with EmbeddedPostgres(state_dir) as server:
        assert server.run_sql("SELECT 1") == "1\n"


def test_pg_home_without_a_server_is_named(new_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PG_HOME", "/nowhere")

    with pytest.raises(PostgresError, match="PG_HOME is /nowhere"):
        EmbeddedPostgres(new_dir).start()


def test_a_server_begins_with_a_template_and_leaves_it_as_it_was(
    new_dir: Path, tmp_path: Path
) -> None:
    template = tmp_path / "template"
    with EmbeddedPostgres(new_dir / "first", template=empty_cluster()) as server:
        server.run_sql("CREATE TABLE kept AS SELECT 1 AS n")
        server.save_as_template(template)

    for name in ("second", "third"):
        with EmbeddedPostgres(new_dir / name, template=template) as server:
            assert server.run_sql("UPDATE kept SET n = n + 1 RETURNING n") == "2\n"


def test_a_template_without_data_is_named(new_dir: Path, tmp_path: Path) -> None:
    (tmp_path / "password").write_text("secret")

    with pytest.raises(PostgresError, match=f"{tmp_path}/data cannot be copied"):
        EmbeddedPostgres(new_dir, template=tmp_path).start()
