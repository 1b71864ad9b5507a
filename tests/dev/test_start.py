"""The development start, as a developer uses it: start, check, stop, start again.

One case starts with a shell and an empty folder; the others fork the start and provide a migrated
database.
"""

import contextlib
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from queue import Empty, Queue

import pytest
from api.dev.postgres.embedded import EmbeddedPostgres
from api.dev.postgres.server import command_line

from tests.databases import migrated_cluster
from tests.preloaded import PreloadedPopen, run
from tests.waiting import START_SECONDS

HEALING_SECONDS = 10.0
ROOT = Path(__file__).resolve().parents[2]


class RunningProduct:
    """``python -m api.dev`` in a separate process, forked unless ``from_shell``."""

    def __init__(self, var_dir: Path, *, workers: int = 1, from_shell: bool = False) -> None:
        with socket.create_server(("127.0.0.1", 0)) as probe:
            self.port = probe.getsockname()[1]
        environment = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
        environment |= {"PORT": str(self.port), "VAR_DIR": str(var_dir), "WORKERS": str(workers)}
        begin = subprocess.Popen if from_shell else PreloadedPopen
        self.process = begin(
            [sys.executable, "-m", "api.dev"],
            cwd=ROOT,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self._lines: Queue[str] = Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self.said = ""

    def _read(self) -> None:
        assert self.process.stdout is not None
        with self.process.stdout as lines:
            for line in lines:
                self._lines.put(line)

    def wait_for(self, words: str) -> None:
        """Read its output until it contains ``words``."""
        deadline = time.monotonic() + START_SECONDS
        while words not in self.said:
            with contextlib.suppress(Empty):
                self.said += self._lines.get(timeout=0.1)
            if time.monotonic() > deadline or (
                self.process.poll() is not None and self._lines.empty()
            ):
                pytest.fail(f"{words!r} did not come; it said:\n{self.said}")

    def ask(self, path: str, body: dict[str, object] | None = None) -> dict[str, object]:
        """Call the API and return the envelope's data."""
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}{path}",
            data=None if body is None else json.dumps(body).encode(),
            headers={"Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=10) as answer:  # noqa: S310 - loopback
            loaded: dict[str, object] = json.load(answer)
        return loaded

    def stop(self, stop_signal: signal.Signals) -> int:
        """Send a signal and return the exit code."""
        self.process.send_signal(stop_signal)
        return self.process.wait(START_SECONDS)

    def kill(self) -> None:
        """Kill it and wait for the end of its output."""
        self.process.kill()
        self.process.wait()
        self._reader.join(START_SECONDS)


@pytest.fixture
def var_dir() -> Iterator[Path]:
    base = Path(tempfile.mkdtemp(prefix="kof-start-"))
    base.chmod(0o711)
    yield base / "var"
    wait_until_no_process_names(str(base))
    shutil.rmtree(base)


@pytest.fixture
def migrated(var_dir: Path) -> Path:
    """The folder of a start whose database was created and migrated before, and is empty."""
    with EmbeddedPostgres(var_dir / "postgres", template=migrated_cluster()):
        return var_dir


@contextlib.contextmanager
def product(
    var_dir: Path, *, workers: int = 1, from_shell: bool = False
) -> Iterator[RunningProduct]:
    running = RunningProduct(var_dir, workers=workers, from_shell=from_shell)
    try:
        running.wait_for("Ctrl-C stops it")
        yield running
    finally:
        running.kill()


def parent_of(pid: int) -> int:
    """Return the id of a process's parent, or 0 if it has ended."""
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    except OSError:
        return 0
    return next(int(line[5:]) for line in status.splitlines() if line.startswith("PPid:"))


def processes_naming(text: str) -> set[int]:
    own = {os.getpid()}
    found = {int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit()}
    return {pid for pid in found - own if text in command_line(pid)}


def wait_until_no_process_names(text: str) -> None:
    deadline = time.monotonic() + START_SECONDS
    while left := processes_naming(text):
        if time.monotonic() > deadline:
            pytest.fail(f"still running: {[command_line(pid) for pid in left]}")
        time.sleep(0.05)


def wait_until_refused(port: int) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except ConnectionRefusedError:
            return
        time.sleep(0.05)
    pytest.fail(f"port {port} still answers")


def operators_command(var_dir: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run an operators' command beside a running start on the same folder."""
    return run(
        [sys.executable, "-m", "api.dev", "console", *words],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], "VAR_DIR": str(var_dir)},
        timeout=START_SECONDS,
    )


def test_a_start_serves_seeded_clubs_and_a_second_one_keeps_the_data(migrated: Path) -> None:
    var_dir = migrated
    with product(var_dir) as running:
        assert f"King of Fans is ready at http://127.0.0.1:{running.port}" in running.said
        assert re.search(r"Demo sign-ins +ada@example.com.*; password Terrace-2026", running.said)
        clubs = running.ask("/api/v1/clubs")["data"]
        signed_up = running.ask("/api/v1/signup", sign_up_form(clubs))
        assert running.stop(signal.SIGTERM) == 128 + signal.SIGTERM
        wait_until_no_process_names(str(var_dir))

    with product(var_dir) as running:
        attempt = signed_up["data"]
        assert isinstance(attempt, dict)
        entered = {"userId": attempt["id"], "code": mailed_code(var_dir)}
        activated = running.ask("/api/v1/signup/validate-token", entered)
        proven = operators_command(var_dir, "prove")
        assert running.stop(signal.SIGINT) == 130

    assert activated["data"] == {"id": attempt["id"], "points": 0}
    assert (proven.returncode, "sum_zero" in proven.stdout) == (0, True), proven.stderr
    wait_until_no_process_names(str(var_dir))


def mailed_code(var_dir: Path) -> str:
    """Return the code in the only mail."""
    (letter,) = (var_dir / "outbox").glob("*.eml")
    found = re.search(r"^ {4}(\d{6})$", letter.read_text(encoding="utf-8"), re.MULTILINE)
    assert found is not None
    return found.group(1)


def sign_up_form(clubs: object) -> dict[str, object]:
    assert isinstance(clubs, list)
    return {
        "firstName": "Bello",
        "lastName": "Musa",
        "email": "new.bello@example.com",
        "username": "new.bello@example.com",
        "phone": "08031234567",
        "password": "a long enough secret",
        "club": clubs[0]["id"],
        "tnc": True,
    }


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel ties children to parents on Linux")
def test_a_killed_start_leaves_nothing_behind_and_the_next_one_heals(var_dir: Path) -> None:
    for workers in (2, 1):
        # Processes that die with their parent were started by it, not forked by the test.
        with product(var_dir, workers=workers, from_shell=workers == 2) as running:
            assert running.ask("/readyz")["status"] == "ready"
            assert running.ask("/api/v1/clubs")["data"]
            assert len(processes_naming(str(var_dir))) >= workers  # PostgreSQL, Valkey for two
            running.kill()
            wait_until_no_process_names(str(var_dir))
            wait_until_refused(running.port)


def readiness_until_refused(running: RunningProduct) -> list[int]:
    """Probe a stopping server until it refuses connections; return the statuses."""
    statuses = []
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        try:
            running.ask("/readyz")
            statuses.append(200)
        except urllib.error.HTTPError as error:
            statuses.append(error.code)
        except OSError:
            break
        time.sleep(0.02)
    return statuses


@pytest.mark.skipif(sys.platform != "linux", reason="processes are found by their command lines")
def test_mail_leaves_after_the_database_and_the_worker_were_killed(migrated: Path) -> None:
    with product(migrated) as running:
        clubs = running.ask("/api/v1/clubs")["data"]
        for number, mark in enumerate(("/postgres -D ", "api.app.worker")):
            kill_one(migrated, mark)
            wait_until_ready(running)
            email = f"new.bello{number}@example.com"

            running.ask(
                "/api/v1/signup", {**sign_up_form(clubs), "email": email, "username": email}
            )

            running.wait_for(f"Mail to {email}: code")
        assert running.stop(signal.SIGTERM) == 128 + signal.SIGTERM


def kill_one(var_dir: Path, mark: str) -> None:
    """Kill the process of this start whose command line contains ``mark``.

    A process that was just forked has its parent's command line: the first one is meant.
    """
    found = [pid for pid in processes_naming(str(var_dir)) if mark in command_line(pid)]
    (pid,) = [pid for pid in found if parent_of(pid) not in found]
    os.kill(pid, signal.SIGKILL)


@pytest.mark.skipif(sys.platform != "linux", reason="processes are found by their command lines")
def test_several_workers_outlive_their_services_say_so_and_stop_together(migrated: Path) -> None:
    with product(migrated, workers=2) as running:
        for _ in range(20):
            assert running.ask("/healthz")["status"] == "alive"

        for name, mark in (("postgres", "/postgres -D "), ("valkey", "valkey-server")):
            kill_one(migrated, mark)
            started = time.monotonic()
            wait_for_figure(running, f'dependency_restarts_total{{name="{name}"}}')
            wait_until_ready(running)
            assert time.monotonic() - started < HEALING_SECONDS
        wait_for_figure(running, "listener_reconnects_total")

        running.process.send_signal(signal.SIGTERM)
        statuses = readiness_until_refused(running)
        assert running.process.wait(START_SECONDS) == 0

    assert 503 in statuses
    wait_until_no_process_names(str(migrated))


def wait_for_figure(running: RunningProduct, name: str) -> None:
    """Read the workers' metrics until one of that name is not 0."""
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        with urllib.request.urlopen(f"http://127.0.0.1:{running.port}/metrics") as answer:
            lines = answer.read().decode().splitlines()
        if any(line.startswith(f"{name} ") and not line.endswith(" 0.0") for line in lines):
            return
        time.sleep(0.05)
    pytest.fail(f"{name} did not come")


def wait_until_ready(running: RunningProduct) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        with contextlib.suppress(urllib.error.HTTPError):
            if running.ask("/readyz")["status"] == "ready":
                return
        time.sleep(0.05)
    pytest.fail("it is not ready again")


def test_settings_that_do_not_fit_are_named_in_one_line(var_dir: Path) -> None:
    result = run(
        [sys.executable, "-m", "api.dev"],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], "VAR_DIR": str(var_dir), "APP_ENV": "production"},
        timeout=START_SECONDS,
    )

    assert result.returncode == 1
    assert result.stderr.startswith("king-of-fans: Production needs a TOKEN_KEY of its own. ")
    assert result.stderr.count("\n") == 1
    assert not var_dir.exists()
