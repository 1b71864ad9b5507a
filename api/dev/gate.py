"""``python -m api.dev.gate``: every check and every test, each with its own closing line."""

import functools
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from api.dev import migrations
from api.dev.browser import BrowserError, provide_browser

ROOT = Path(__file__).resolve().parents[2]
WEB = ROOT / "web"
PYTHON = sys.executable
TOOLS = Path(sys.executable).parent


@dataclass(frozen=True)
class GateStep:
    """One program of the gate: what it is called and how it is run."""

    name: str
    command: Sequence[str]
    folder: Path = ROOT
    environment: dict[str, str] = field(default_factory=dict)

    def run(self, output: IO[str] | None = None) -> int:
        """Run it and return its exit code; its output is shown, or written to ``output``."""
        return subprocess.run(
            list(self.command),
            cwd=self.folder,
            env={**os.environ, **self.environment},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=None if output is None else subprocess.STDOUT,
            check=False,
        ).returncode


@dataclass(frozen=True)
class StepOutcome:
    """How a step ended."""

    name: str
    code: int
    seconds: float

    def line(self) -> str:
        """Return the line that says so."""
        verdict = "passed" if self.code == 0 else f"FAILED ({self.code})"
        return f"{verdict:12} {self.name} ({self.seconds:.1f} s)"


CHECKS = (
    (GateStep("mypy", (PYTHON, "-m", "mypy")),),
    (
        GateStep("ruff format", (str(TOOLS / "ruff"), "format", "--check", ".")),
        GateStep("ruff check", (str(TOOLS / "ruff"), "check", ".")),
        GateStep("lint-imports", (str(TOOLS / "lint-imports"), "--no-logo")),
        GateStep("database matches its sources", (PYTHON, "-m", "api.dev.gate", "migrations")),
        GateStep("client is fresh", (PYTHON, "-m", "api.dev.client", "check")),
        GateStep("description of the API", ("npm", "run", "--silent", "check:description"), WEB),
        GateStep("web check", ("npm", "run", "--silent", "check"), WEB),
    ),
)
PYTEST = GateStep(
    "pytest",
    (PYTHON, "-m", "pytest", "-n", "3", "--dist", "worksteal", "--durations=25"),
)
VITEST = GateStep("vitest", ("npm", "run", "--silent", "test"), WEB)
FIXES = (
    (
        GateStep("ruff check --fix", (str(TOOLS / "ruff"), "check", "--fix", ".")),
        GateStep("ruff format", (str(TOOLS / "ruff"), "format", ".")),
        GateStep("web fix", ("npm", "run", "--silent", "fix"), WEB),
    ),
)


def main(arguments: list[str]) -> int:
    """Run one command of the gate and return its exit code: 0 when all of it passed."""
    commands: dict[str, Callable[[list[str]], int]] = {
        "check": lambda _: run_all(CHECKS),
        "test": lambda _: run_all(CHECKS, tests()),
        "fix": lambda _: run_all(FIXES),
        "migration": write_migration,
        "migrations": lambda _: compare_migrations(),
        "seal": lambda _: seal_migrations(),
    }
    if not arguments or arguments[0] not in commands:
        print(f"usage: python -m api.dev.gate [{'|'.join(commands)}]", file=sys.stderr)
        return 2
    return commands[arguments[0]](arguments[1:])


def run_all(*stages: Sequence[Sequence[GateStep]]) -> int:
    """Run every step, also after a failure, say how each ended, and return 0 if all passed.

    The stages run one after the other. A stage is lanes that run side by side, each its steps in
    order; with more than one lane a step's output is shown when it has ended.
    """
    outcomes: list[StepOutcome] = []
    for lanes in stages:
        run = functools.partial(run_lane, shown=len(lanes) == 1)
        with ThreadPoolExecutor(len(lanes)) as pool:
            outcomes += [outcome for lane in pool.map(run, lanes) for outcome in lane]
    print("\n--- summary")
    for outcome in outcomes:
        print(outcome.line())
    failed = [outcome.name for outcome in outcomes if outcome.code != 0]
    print(f"FAILED: {', '.join(failed)}" if failed else "All passed.", flush=True)
    return 1 if failed else 0


def run_lane(steps: Sequence[GateStep], *, shown: bool) -> list[StepOutcome]:
    """Run steps one after the other; ``shown`` says whether their output is shown as it comes."""
    outcomes = []
    for step in steps:
        begun = time.monotonic()
        if shown:
            print(f"\n--- {step.name}", flush=True)
            outcome = StepOutcome(step.name, step.run(), time.monotonic() - begun)
            print(outcome.line(), flush=True)
        else:
            with tempfile.TemporaryFile("w+", errors="replace") as output:
                outcome = StepOutcome(step.name, step.run(output), time.monotonic() - begun)
                output.seek(0)
                print(f"\n--- {step.name}\n{output.read()}{outcome.line()}", flush=True)
        outcomes.append(outcome)
    return outcomes


def tests() -> Sequence[Sequence[GateStep]]:
    """Return the tests: Python's beside the web's, because either waits for much of its time."""
    return ((PYTEST,), (VITEST, browser_step()))


def browser_step() -> GateStep:
    """Return the browser tests with the browser found for them, or a step that says why not."""
    try:
        browser = provide_browser()
    except BrowserError as error:
        complaint = f"import sys; sys.exit({str(error)!r})"
        return GateStep("browser tests", (PYTHON, "-c", complaint))
    return GateStep(
        "browser tests",
        ("npm", "run", "--silent", "e2e"),
        WEB,
        {"CHROMIUM_PATH": str(browser), "PYTHON": PYTHON},
    )


def compare_migrations() -> int:
    """Return 0 when migrations, models and the database's sources say the same."""
    sentences = migrations.check()
    for sentence in sentences:
        print(sentence)
    return 1 if sentences else 0


def seal_migrations() -> int:
    """Note the digests of new migrations."""
    migrations.seal()
    return 0


def write_migration(arguments: list[str]) -> int:
    """Write a migration named by the words of ``arguments``."""
    if not arguments:
        print("usage: python3 run.py migration what_it_changes", file=sys.stderr)
        return 2
    migrations.write("_".join(arguments))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
