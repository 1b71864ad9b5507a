"""One run of the PostgreSQL server over a state folder."""

import contextlib
import os
import re
import shutil
import signal
import subprocess
import time
from pathlib import Path

from api.dev.postgres.install import PostgresError
from api.dev.postgres.place import StateFolder, copy_with_owners, write_private
from api.foundation.core.processes import die_with_parent

SUPERUSER = "postgres"
PORT = 5432  # names the socket file; nothing listens on TCP
MAX_LOG_BYTES = 5_000_000
START_SECONDS = 60.0
STOP_SECONDS = 20.0
POLL_SECONDS = 0.01
FIRST_VERSION_WITH_BUILTIN_LOCALE = 17
BUILTIN_LOCALE = ("--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8")
OLD_LOCALE = ("--locale=C",)

SERVER_SETTINGS = {
    "listen_addresses": "",
    "port": str(PORT),
    "unix_socket_permissions": "0700",
    "password_encryption": "scram-sha-256",
    "max_connections": "200",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "lc_messages": "C",
}
# Tests open thousands of connections, and no attacker can reach the socket to guess the password.
THROWAWAY_INIT = ("--no-sync", "--set", "scram_iterations=1")
THROWAWAY_SETTINGS = {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "autovacuum": "off",
    "wal_level": "minimal",
    "max_wal_senders": "0",
}


class ServerProcess:
    """Creates the data, starts and stops the server; ``process`` is the current or last one."""

    def __init__(self, place: StateFolder, *, throwaway: bool) -> None:
        self._place = place
        self._throwaway = throwaway
        self.process: subprocess.Popen[bytes] | None = None

    def initialise(self) -> None:
        """Create the data folder under a temporary name: a half-finished initdb looks complete."""
        unfinished = self._place.server_dir / "data.new"
        shutil.rmtree(unfinished, ignore_errors=True)
        shutil.rmtree(self._place.data_dir, ignore_errors=True)
        if self._place.template is not None:
            copy_with_owners(self._place.template / "data", unfinished)
        else:
            self._run_initdb(unfinished)
        unfinished.rename(self._place.data_dir)

    def _run_initdb(self, folder: Path) -> None:
        password_copy = self._place.server_dir / "initial-password"
        write_private(password_copy, self._place.password)
        self._place.account.own(password_copy)
        initdb = str(self._place.bin_dir / "initdb")
        result = self._place.account.run(
            [
                *(initdb, "-D", str(folder), "-U", SUPERUSER, "-E", "UTF8"),
                *("--auth=scram-sha-256", f"--pwfile={password_copy}"),
                *self._locale_options(),
                *(THROWAWAY_INIT if self._throwaway else ()),
            ]
        )
        password_copy.unlink()
        if result.returncode != 0:
            raise PostgresError(f"initdb failed: {result.stderr.strip() or result.stdout.strip()}")

    def _locale_options(self) -> tuple[str, ...]:
        program = str(self._place.bin_dir / "postgres")
        version = re.search(r"\d+", self._place.account.run([program, "--version"]).stdout)
        major = int(version.group()) if version else 0
        return BUILTIN_LOCALE if major >= FIRST_VERSION_WITH_BUILTIN_LOCALE else OLD_LOCALE

    def launch(self) -> None:
        """Start the server; retry while children of a killed one still hold its shared memory."""
        deadline = time.monotonic() + START_SECONDS
        while True:
            log_start = self._spawn()
            if self._wait_until_ready(deadline):
                return
            complaint = self._read_log(log_start)
            if "shared memory block" not in complaint or time.monotonic() > deadline:
                raise PostgresError(f"PostgreSQL did not start: {summary(complaint)}")
            time.sleep(0.2)

    def stop_orphan(self) -> None:
        """Stop a server that outlived its supervisor, and remove stale lock files.

        We hold the lock, so any server on our data is an orphan. A zombie still responds to signal
        0, so only a process whose command line contains our data counts as alive.
        """
        pid_file = self._place.data_dir / "postmaster.pid"
        pid = first_number(pid_file)
        if pid is not None and self._is_our_server(pid):
            os.kill(pid, signal.SIGINT)
            deadline = time.monotonic() + STOP_SECONDS
            while self._is_our_server(pid):
                if time.monotonic() > deadline:
                    os.kill(pid, signal.SIGQUIT)
                    deadline += STOP_SECONDS
                time.sleep(POLL_SECONDS)
        pid_file.unlink(missing_ok=True)
        for leftover in self._place.socket_dir.glob(".s.PGSQL.*"):
            leftover.unlink(missing_ok=True)

    def running(self) -> "subprocess.Popen[bytes]":
        """Return the server's process.

        Raises:
            PostgresError: it is not started.
        """
        if self.process is None:
            raise PostgresError("The embedded PostgreSQL is not started.")
        return self.process

    def stop(self) -> None:
        """Stop the server if it runs."""
        if self.process is not None:
            stop_process(self.process, immediately=self._throwaway)

    def _is_our_server(self, pid: int) -> bool:
        return str(self._place.data_dir) in command_line(pid)

    def _spawn(self) -> int:
        """Start the server process and return the log's previous size."""
        settings = SERVER_SETTINGS | {"unix_socket_directories": str(self._place.socket_dir)}
        if self._throwaway:
            settings |= THROWAWAY_SETTINGS
        if self._place.log_path.is_file() and self._place.log_path.stat().st_size > MAX_LOG_BYTES:
            self._place.log_path.rename(self._place.log_path.with_suffix(".old"))
        environment = {key: value for key, value in os.environ.items() if not key.startswith("PG")}
        with self._place.log_path.open("ab") as log:
            log_start = log.tell()
            self.process = subprocess.Popen(
                [
                    *(str(self._place.bin_dir / "postgres"), "-D", str(self._place.data_dir)),
                    *(part for key, value in settings.items() for part in ("-c", f"{key}={value}")),
                ],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd="/",
                env=environment,
                start_new_session=True,  # Ctrl-C reaches only us; we stop the server last
                preexec_fn=die_with_parent(os.getpid(), signal.SIGINT),
                user=self._place.account.user,
                group=self._place.account.group,
                extra_groups=self._place.account.extra_groups,
            )
        return log_start

    def _wait_until_ready(self, deadline: float) -> bool:
        """Return True when the server is ready, False if it has exited or timed out."""
        process = self.running()
        pid_file = self._place.data_dir / "postmaster.pid"
        while process.poll() is None and time.monotonic() < deadline:
            with contextlib.suppress(OSError):
                lines = pid_file.read_text(encoding="utf-8", errors="replace").splitlines()
                if len(lines) > 7 and lines[0] == str(process.pid) and lines[7].strip() == "ready":
                    return True
            time.sleep(POLL_SECONDS)
        if process.poll() is None:
            stop_process(process, immediately=True)
        return False

    def _read_log(self, start: int) -> str:
        with self._place.log_path.open("rb") as log:
            log.seek(start)
            return log.read().decode("utf-8", errors="replace")


def first_number(path: Path) -> int | None:
    """Return the number on the first line of ``path``, or None if there is none."""
    try:
        return int(path.read_text(encoding="utf-8", errors="replace").splitlines()[0])
    except (FileNotFoundError, IndexError, ValueError):
        return None


def command_line(pid: int) -> str:
    """Return the command line of a process; empty for a zombie or a missing one."""
    if not Path("/proc/self/cmdline").exists():  # macOS
        listing = ["/bin/ps", "-o", "command=", "-p", str(pid)]
        return subprocess.run(listing, capture_output=True, text=True, check=False).stdout
    try:
        words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    except OSError:
        return ""
    return os.fsdecode(b" ".join(words))


def stop_process(process: "subprocess.Popen[bytes]", *, immediately: bool) -> None:
    """Stop the server: fast shutdown, then immediate, then SIGKILL."""
    for stop_signal in (signal.SIGQUIT if immediately else signal.SIGINT, signal.SIGQUIT):
        if process.poll() is None:
            process.send_signal(stop_signal)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(STOP_SECONDS)
            return
    process.kill()
    process.wait()


def summary(log: str) -> str:
    """Return the relevant lines of a server's log as one line."""
    lines = [line for line in log.splitlines() if re.search(r"FATAL|PANIC|ERROR|HINT|DETAIL", line)]
    return " | ".join(lines or log.splitlines()[-3:]) or "it printed nothing."
