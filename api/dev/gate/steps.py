"""Runs the gate's programs in parallel lanes and measures their cost."""

import os
import resource
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from signal import SIGTERM
from typing import IO

from api.dev.gate.cases import CaseResults
from api.dev.shell import ROOT
from api.foundation.core.processes import die_with_parent


@dataclass(frozen=True)
class GateStep:
    """A program of the gate; ``read_cases`` reads its test runner's results."""

    name: str
    command: Sequence[str]
    folder: Path = ROOT
    environment: Mapping[str, str] = field(default_factory=dict)
    read_cases: Callable[[], CaseResults] | None = None

    def run(self, output: IO[str] | None = None) -> tuple[int, float]:
        """Run the program; return its exit code and the CPU seconds of it and its children.

        The output is shown, or written to ``output``. The program ends with this process.
        """
        process = subprocess.Popen(
            list(self.command),
            cwd=self.folder,
            env={**os.environ, **self.environment},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=None if output is None else subprocess.STDOUT,
            preexec_fn=die_with_parent(os.getpid(), SIGTERM),
        )
        usage: resource.struct_rusage
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        return process.returncode, usage.ru_utime + usage.ru_stime


@dataclass(frozen=True)
class StepOutcome:
    """A step's result; ``cpu_seconds`` includes every process that it waited for."""

    step: GateStep
    code: int
    seconds: float
    cpu_seconds: float
    results: CaseResults | None = None

    def line(self) -> str:
        """Return the step's summary line."""
        verdict = "passed" if self.code == 0 else f"FAILED ({self.code})"
        return f"{verdict:12} {self.step.name} ({self.seconds:.1f} s, CPU {self.cpu_seconds:.1f} s)"


def run_stage(lanes: Sequence[Sequence[GateStep]]) -> list[StepOutcome]:
    """Run the lanes in parallel, and each lane's steps in order, even after a failure.

    With several lanes a step's output is shown when it has ended.
    """
    with ThreadPoolExecutor(len(lanes)) as pool:
        outcomes = pool.map(lambda lane: _run_lane(lane, shown=len(lanes) == 1), lanes)
        return [outcome for lane in outcomes for outcome in lane]


def _run_lane(steps: Sequence[GateStep], *, shown: bool) -> list[StepOutcome]:
    return [_run_shown(step) if shown else _run_collected(step) for step in steps]


def _run_shown(step: GateStep) -> StepOutcome:
    print(f"\n--- {step.name}", flush=True)
    outcome = _run_step(step, None)
    print(outcome.line(), flush=True)
    return outcome


def _run_collected(step: GateStep) -> StepOutcome:
    with tempfile.TemporaryFile("w+", errors="replace") as output:
        outcome = _run_step(step, output)
        output.seek(0)
        print(f"\n--- {step.name}\n{output.read()}{outcome.line()}", flush=True)
    return outcome


def _run_step(step: GateStep, output: IO[str] | None) -> StepOutcome:
    started = time.monotonic()
    code, cpu_seconds = step.run(output)
    seconds = time.monotonic() - started
    results = step.read_cases() if step.read_cases is not None else None
    return StepOutcome(step, code, seconds, cpu_seconds, results)
