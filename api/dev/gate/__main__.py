"""``python -m api.dev.gate``: all checks and tests, each with its own summary line."""

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from api.dev.browser import WEB, BrowserError, provide_browser
from api.dev.gate.cases import (
    MAX_RERUN_CASES,
    MAX_UNSTABLE,
    RESULTS,
    FailedCase,
    read_playwright,
    read_pytest,
    read_vitest,
    write_unstable,
)
from api.dev.gate.costs import print_costs
from api.dev.gate.steps import GateStep, StepOutcome, run_stage
from api.dev.shell import ROOT

PYTHON = sys.executable
TOOLS = Path(sys.executable).parent
UNSTABLE_REPORT = ROOT / "var" / "unstable.json"
HOG = "while True: pass"
MEMORY = Path("/dev/shm")  # noqa: S108 a new folder is created in it
MEMORY_BYTES = 8 * 2**30  # several times the tests' output

CHECKS = (
    GateStep("mypy", (PYTHON, "-m", "mypy")),
    GateStep("ruff format", (str(TOOLS / "ruff"), "format", "--check", ".")),
    GateStep("ruff check", (str(TOOLS / "ruff"), "check", ".")),
    GateStep("lint-imports", (str(TOOLS / "lint-imports"), "--no-logo")),
    GateStep("database matches its sources", (PYTHON, "-m", "api.dev.migrations", "check")),
    GateStep("client is fresh", (PYTHON, "-m", "api.dev.client", "check")),
    GateStep("description of the API", ("npm", "run", "--silent", "check:description"), WEB),
    GateStep("web check", ("npm", "run", "--silent", "check"), WEB),
)
FIXES = (
    GateStep("ruff check --fix", (str(TOOLS / "ruff"), "check", "--fix", ".")),
    GateStep("ruff format", (str(TOOLS / "ruff"), "format", ".")),
    GateStep("web fix", ("npm", "run", "--silent", "fix"), WEB),
)
# Each has a short run in tests/endurance/test_endurance.py; these are full size.
PROOFS = (
    *("accounts", "away", "battle", "chat", "crash", "credits", "description", "faults", "ledger"),
    *("month", "pgbouncer", "rolls", "seeded_faults", "soak", "stadium", "starvation"),
)


def main(arguments: list[str]) -> int:
    """Run a command of the gate; return 0 if everything passed."""
    parser = argparse.ArgumentParser(prog="python3 run.py")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("check", help="run the fast checks")
    commands.add_parser("fix", help="format and repair what can be repaired by machine")
    commands.add_parser("prove-all", help="run every long proof whole: hours, for the night")
    test = commands.add_parser("test", help="run every check and every test")
    test.add_argument("--costs", action="store_true", help="print where the CPU time went")
    test.add_argument("--shuffle", type=int, metavar="SEED", help="run cases in random order")
    test.add_argument("--stress", type=int, default=0, metavar="N", help="run next to N CPU hogs")
    test.add_argument(
        "--only", choices=("python", "web", "browser"), nargs="+", help="run these tests, no checks"
    )
    wanted = parser.parse_args(arguments)
    if wanted.command == "test":
        return run_tests(wanted)
    if wanted.command == "check":  # mypy takes as long as the others combined
        return report(run_stage([CHECKS[:1], CHECKS[1:]]))
    if wanted.command == "fix":
        return report(run_stage([FIXES]))
    return report(run_stage([[GateStep(name, proof_command(name)) for name in PROOFS]]))


def proof_command(name: str) -> Sequence[str]:
    """Return the command of a long endurance test at full size."""
    return (PYTHON, "-m", f"tests.endurance.{name}")


def run_tests(wanted: argparse.Namespace) -> int:
    """Run the checks and the tests, rerun failed cases alone, and return the exit code."""
    RESULTS.mkdir(parents=True, exist_ok=True)
    for old in RESULTS.glob("*.json"):
        old.unlink()
    with temporary_files_in_memory(), hogs(wanted.stress):
        outcomes = run_stage(test_lanes(wanted.shuffle, wanted.only))
        rerun = rerun_failed(outcomes)
    print_costs(outcomes, whole=wanted.costs)
    return report(outcomes, *rerun)


def test_lanes(seed: int | None, only: Sequence[str] | None) -> list[list[GateStep]]:
    """Return the lanes: Python's tests, and all others with the checks.

    Tests often wait, for a process to start or a screen to change, while the other lane proceeds.
    A third lane would save no time on two processors, and let tests wait for one.
    """
    python, web, browser = pytest_step(seed), vitest_step(seed), browser_step()
    build = GateStep("web build", (PYTHON, "run.py", "build"))
    if only is None:
        return [[python], [web, build, browser, *CHECKS]]
    lanes = {"python": [python], "browser": [build, browser], "web": [web]}
    return [lanes[name] for name in only]


def pytest_step(seed: int | None) -> GateStep:
    """Return Python's tests."""
    shuffle = () if seed is None else ("--shuffle", str(seed))
    return GateStep(
        "pytest",
        (PYTHON, "-m", "pytest", "-n", "3", "--dist", "worksteal", *shuffle),
        environment={"CASE_REPORT": str(RESULTS / "pytest.json")},
        read_cases=read_pytest,
    )


def vitest_step(seed: int | None) -> GateStep:
    """Return the web app's unit tests."""
    shuffle = () if seed is None else ("--sequence.shuffle", f"--sequence.seed={seed}")
    return GateStep(
        "vitest",
        (
            *("npx", "vitest", "run", "--reporter=default", "--reporter=json"),
            *(f"--outputFile.json={RESULTS / 'vitest.json'}", *shuffle),
        ),
        WEB,
        read_cases=read_vitest,
    )


def browser_step() -> GateStep:
    """Return the browser tests with their browser, or a step that reports why there is none."""
    try:
        browser = provide_browser()
    except BrowserError as error:
        complaint = f"import sys; sys.exit({str(error)!r})"
        return GateStep("browser tests", (PYTHON, "-c", complaint))
    return GateStep(
        "browser tests",
        ("npx", "playwright", "test", "--reporter=list,json"),
        WEB,
        {
            "CHROMIUM_PATH": str(browser),
            "PYTHON": PYTHON,
            "PLAYWRIGHT_JSON_OUTPUT_NAME": str(RESULTS / "browser.json"),
        },
        read_playwright,
    )


@contextmanager
def temporary_files_in_memory() -> Iterator[None]:
    """Use a temporary folder in memory, unless memory is short or ``TMPDIR`` is set.

    A PostgreSQL data folder has a thousand files, which take four times as long to create on disk.
    """
    if "TMPDIR" in os.environ or not has_room(MEMORY):
        yield
        return
    with tempfile.TemporaryDirectory(prefix="kof-", dir=MEMORY, ignore_cleanup_errors=True) as name:
        Path(name).chmod(0o711)  # as root: the database's account needs to pass
        os.environ["TMPDIR"] = name
        try:
            yield
        finally:
            del os.environ["TMPDIR"]


def has_room(folder: Path) -> bool:
    """Return whether the folder has enough space, and programs can run from it."""
    if not os.access(folder, os.W_OK | os.X_OK):
        return False
    found = os.statvfs(folder)
    is_large = found.f_bavail * found.f_frsize >= MEMORY_BYTES
    return is_large and not found.f_flag & os.ST_NOEXEC


@contextmanager
def hogs(count: int) -> Iterator[None]:
    """Run ``count`` busy processes for the duration of the block."""
    running = [subprocess.Popen([PYTHON, "-c", HOG]) for _ in range(count)]
    try:
        yield
    finally:
        for hog in running:
            hog.kill()
            hog.wait()


def rerun_failed(outcomes: Sequence[StepOutcome]) -> tuple[list[FailedCase], set[str]]:
    """Rerun failed cases alone; return the unstable ones and the names of steps they excuse."""
    unstable: list[FailedCase] = []
    excused: set[str] = set()
    for outcome in outcomes:
        results = outcome.results
        if outcome.code == 0 or results is None or len(results.failed) > MAX_RERUN_CASES:
            continue
        environment = outcome.step.environment
        passing = [case for case in results.failed if case.passes_alone(environment)]
        unstable += passing
        if passing and len(passing) == len(results.failed) and results.is_whole:
            excused.add(outcome.step.name)
    write_unstable(unstable, UNSTABLE_REPORT)
    return unstable, excused


def report(
    outcomes: Sequence[StepOutcome],
    unstable: Sequence[FailedCase] = (),
    excused: frozenset[str] | set[str] = frozenset(),
) -> int:
    """Print each step's result and return the exit code of the run."""
    for case in unstable:
        print(f"\n--- unstable: {case.name}\n{case.output}")
    print("\n--- summary")
    for outcome in outcomes:
        print(outcome.line())
    failed = [one.step.name for one in outcomes if one.code != 0 and one.step.name not in excused]
    for case in unstable:
        print(f"UNSTABLE: {case.name}")
    if len(unstable) > MAX_UNSTABLE:
        failed.append(f"{len(unstable)} unstable cases, of which {MAX_UNSTABLE} are allowed")
    print(f"FAILED: {', '.join(failed)}" if failed else "All passed.", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
