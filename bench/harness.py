"""Building blocks of benchmarks: servers, slices, figures."""

import contextlib
import http.client
import json
import os
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from bench import scale
from bench.load import Plan, Summary

ROOT = Path(__file__).resolve().parents[1]
BASE_PORT = int(os.environ.get("BENCH_PORT", "8150"))
START_SECONDS = 30.0
SERVER_CPU, LOAD_CPU = {0}, {1}
TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")


class BenchError(RuntimeError):
    """A benchmark is unreliable or cannot run; the message says why."""


@dataclass(frozen=True)
class Slice:
    """One subject's figures over a period of time."""

    operations_per_second: float
    p50_ms: float
    p99_ms: float
    cpu_us_per_operation: float
    max_ms: float = 0.0


@dataclass
class Subject:
    """One side of a comparison: how to run a slice, and the slices so far."""

    name: str
    run_slice: Callable[[], Slice]
    slices: list[Slice] = field(default_factory=list)

    def median(self, figure: str) -> float:
        """Return the median of one figure over the slices."""
        values: list[float] = [getattr(piece, figure) for piece in self.slices]
        return statistics.median(values)


def interleave(subjects: Sequence[Subject], rounds: int) -> None:
    """Warm up every subject once, then alternate their slices for equal conditions."""
    for subject in list(subjects) * scale.warm_ups():
        subject.run_slice()
    for _ in range(scale.rounds(rounds)):
        for subject in subjects:
            subject.slices.append(subject.run_slice())
    for subject in subjects:
        print(
            f"{subject.name:24} {subject.median('operations_per_second'):10.0f} ops/s  "
            f"p50 {subject.median('p50_ms'):7.2f} ms  p99 {subject.median('p99_ms'):8.2f} ms  "
            f"cpu {subject.median('cpu_us_per_operation'):7.0f} us/op",
            flush=True,
        )


def paired(ours: Subject, theirs: Subject, figure: str) -> float:
    """Return the median ratio of our slices to theirs, paired in time."""
    ratios: list[float] = [
        getattr(one, figure) / max(getattr(other, figure), 1e-9)
        for one, other in zip(ours.slices, theirs.slices, strict=True)
    ]
    return statistics.median(ratios)


class Verdict:
    """Collects a benchmark's ratios, prints each with its goal, and remembers failures.

    A short run judges only what is ``exact``: a count that no slow machine changes.
    """

    def __init__(self) -> None:
        self.failed = False

    def at_most(self, key: str, value: float, goal: float, *, exact: bool = False) -> None:
        """Check a figure against a maximum."""
        self._print(key, value, f"<={goal:g}", passed=value <= goal, exact=exact)

    def at_least(self, key: str, value: float, goal: float, *, exact: bool = False) -> None:
        """Check a figure against a minimum."""
        self._print(key, value, f">={goal:g}", passed=value >= goal, exact=exact)

    def _print(self, key: str, value: float, goal: str, *, passed: bool, exact: bool) -> None:
        if exact or not scale.is_short():
            self.failed = self.failed or not passed
            outcome = "PASS" if passed else "FAIL"
        else:
            outcome = "not judged"
        print(f"RATIO {key}={value:.3f} goal={goal} {outcome}", flush=True)


@dataclass(frozen=True)
class Server:
    """A server process under measurement."""

    name: str
    port: int
    pid: int

    def cpu_seconds(self) -> float:
        """Return the CPU time of it and its living descendants."""
        return sum(cpu_seconds(pid) for pid in family(self.pid))


@contextlib.contextmanager
def server(
    name: str,
    command: Sequence[str],
    port: int,
    environment: Mapping[str, str],
    *,
    path: str = "/healthz",
    folder: Path = ROOT,
    pinned: bool = True,
) -> Iterator[Server]:
    """Run a server during the block; it is ready when ``path`` gets any response.

    Raises:
        BenchError: the port is in use (perhaps by a crashed run), or it does not start.
    """
    require_free(port)
    with open_process(
        list(command),
        cwd=folder,
        env={**os.environ, **environment},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=pin(SERVER_CPU) if pinned else None,
    ) as process:
        try:
            wait_for_answer(name, port, path, process)
            yield Server(name, port, process.pid)
        finally:
            stop(process)


def open_process(
    command: Sequence[str],
    **options: Any,  # noqa: ANN401 those of subprocess
) -> "subprocess.Popen[str]":
    """Start a program of a run; the options are those of ``subprocess.Popen``."""
    return subprocess.Popen(command, text=True, **options)


def stop(process: "subprocess.Popen[str]") -> None:
    """Stop a process that we started, gracefully first."""
    process.terminate()
    try:
        process.wait(15)
    except subprocess.TimeoutExpired:
        process.kill()


def port_of(place: int) -> int:
    """Return the port of a run's server: each place has its own; in a short run any free one."""
    if not scale.is_short():
        return BASE_PORT + place
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
    return port


def require_free(port: int) -> None:
    """Check that a port is free.

    Raises:
        BenchError: it is in use.
    """
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError as error:
            raise BenchError(f"port {port} is busy; set BENCH_PORT to another range") from error


def wait_for_answer(name: str, port: int, path: str, process: "subprocess.Popen[str]") -> None:
    """Wait until the server responds to HTTP.

    Raises:
        BenchError: it exited or is too slow.
    """
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        if process.poll() is not None:
            complaint = process.stderr.read() if process.stderr else ""
            raise BenchError(f"{name} ended with {process.returncode}: {complaint[-800:]}")
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=5) as connection:
                request = f"GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
                connection.sendall(request.encode())
                if connection.recv(4).startswith(b"HTTP"):
                    return
        except OSError:
            time.sleep(0.05)
    raise BenchError(f"{name} does not answer on port {port}")


def run_load(module: str, plan: dict[str, Any], *, pinned: bool = True) -> dict[str, Any]:
    """Run a load in a separate process, with its plan as JSON; return its result.

    Raises:
        BenchError: it failed.
    """
    return run_module(
        [module], input_text=json.dumps(plan), preexec_fn=pin(LOAD_CPU) if pinned else None
    )


def run_module(
    arguments: Sequence[str],
    *,
    input_text: str = "",
    **options: Any,  # noqa: ANN401 those of subprocess
) -> dict[str, Any]:
    """Run ``python -m`` with these arguments and return the JSON that it prints.

    Raises:
        BenchError: it failed.
    """
    with open_process(
        [sys.executable, "-m", *arguments],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        **options,
    ) as process:
        stdout, stderr = process.communicate(input_text)
    if process.returncode != 0:
        raise BenchError(f"{arguments[0]} failed: {stderr[-800:]}")
    content: dict[str, Any] = json.loads(stdout)
    return content


def require_same_answers(request: str, servers: Sequence[Server]) -> None:
    """Check that all servers answer a request with the same JSON.

    Raises:
        BenchError: they do not, so that their costs cannot be compared.
    """
    said = {one.name: json.loads(ask(one.port, request)) for one in servers}
    first, *others = said
    for other in others:
        if said[other] != said[first]:
            differing = json.dumps(said[other])[:300], json.dumps(said[first])[:300]
            raise BenchError(f"{other} answered {differing[0]}, {first} {differing[1]}")


def ask(port: int, request: str) -> bytes:
    """Return the body of the response to one request."""
    with socket.create_connection(("127.0.0.1", port), timeout=START_SECONDS) as connection:
        connection.sendall(request.encode())
        response = http.client.HTTPResponse(connection)
        response.begin()
        return response.read()


def http_slice(
    target: Server, plan: Plan, *, expect: str = "200", pinned: bool = True, min_count: int = 100
) -> Slice:
    """Load ``target`` from a separate process and return the figures.

    Raises:
        BenchError: a response had another status, or there were too few to be meaningful.
    """
    plan = replace(
        plan, connections=scale.people(plan.connections), seconds=scale.seconds(plan.seconds)
    )
    cpu_before = target.cpu_seconds()
    summary = Summary(**run_load("bench.load", asdict(plan), pinned=pinned))
    cpu_used = target.cpu_seconds() - cpu_before
    if set(summary.statuses) != {expect}:
        raise BenchError(f"{target.name} answered {summary.statuses}, expected only {expect}")
    return figures(summary, cpu_used, min_count=min_count)


def figures(summary: Summary, cpu_seconds_used: float, *, min_count: int = 100) -> Slice:
    """Return a slice's figures.

    Raises:
        BenchError: there were fewer operations than ``min_count``, too few to be meaningful.
    """
    count = summary.count
    if count < scale.min_count(min_count):
        raise BenchError(f"only {count} operations in {summary.seconds:.1f} s: too few")
    return Slice(
        operations_per_second=count / summary.seconds,
        p50_ms=summary.p50_ms,
        p99_ms=summary.p99_ms,
        cpu_us_per_operation=cpu_seconds_used / count * 1e6,
        max_ms=summary.max_ms,
    )


def get(path: str, token: str | None = None) -> str:
    """Return a GET request as text."""
    lines = [f"GET {path} HTTP/1.1", "Host: 127.0.0.1", "Accept: application/json"]
    if token is not None:
        lines.append(f"Authorization: Bearer {token}")
    return "\r\n".join(lines) + "\r\n\r\n"


def post(path: str, body: object, *, token: str | None = None, key: str | None = None) -> str:
    """Return a POST request with a JSON body as text."""
    content = json.dumps(body)
    lines = [
        f"POST {path} HTTP/1.1",
        "Host: 127.0.0.1",
        "Content-Type: application/json",
        f"Content-Length: {len(content.encode())}",
    ]
    if token is not None:
        lines.append(f"Authorization: Bearer {token}")
    if key is not None:
        lines.append(f"Idempotency-Key: {key}")
    return "\r\n".join(lines) + "\r\n\r\n" + content


class LoadProcess:
    """A load in a separate process, controlled line by line."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process

    def order(self, line: str) -> dict[str, Any]:
        """Send a line and return the answer.

        Raises:
            BenchError: the process ended.
        """
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        if not answer:
            raise BenchError("the load went away: its complaint is above")
        content: dict[str, Any] = json.loads(answer)
        return content


@contextlib.contextmanager
def load_process(module: str) -> Iterator["subprocess.Popen[str]"]:
    """Run one of our loads on its own CPU, controlled over its standard input."""
    with open_process(
        [sys.executable, "-m", module],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        preexec_fn=pin(LOAD_CPU),
    ) as process:
        try:
            yield process
        finally:
            process.terminate()
            process.wait(10)


def pin(cpus: set[int]) -> Callable[[], None] | None:
    """Return a function that pins a child to ``cpus``, or None where that makes no sense."""
    can_pin = hasattr(os, "sched_setaffinity") and not scale.is_short()
    if not can_pin or not cpus <= os.sched_getaffinity(0):
        return None
    return lambda: os.sched_setaffinity(0, cpus)


def cpu_seconds(pid: int) -> float:
    """Return user and system time of a process; 0 if it has ended."""
    fields = stat_fields(pid)
    return (int(fields[11]) + int(fields[12])) / TICKS_PER_SECOND if fields else 0.0


def family(pid: int) -> set[int]:
    """Return ``pid`` and its living descendants."""
    parents = {
        int(entry.name): int(fields[1])
        for entry in Path("/proc").iterdir()
        if entry.name.isdigit() and (fields := stat_fields(int(entry.name)))
    }
    members = {pid}
    while more := {child for child, parent in parents.items() if parent in members} - members:
        members |= more
    return members


def stat_fields(pid: int) -> list[str]:
    """Return the fields of /proc/PID/stat after the name, which may contain spaces."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    except OSError:
        return []
