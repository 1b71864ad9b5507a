"""The test cases of a run as reported by each test runner, and reruns of failed ones.

A case that fails and then passes three times alone is *unstable*: it is reported, and tolerated up
to ``MAX_UNSTABLE`` times a run. A program that failed for another reason stays failed.
"""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from api.dev.browser import WEB
from api.dev.shell import ROOT

RESULTS = ROOT / "var" / "gate"
RERUNS = 3
MAX_RERUN_CASES = 10  # with more failures than this the run has failed without reruns
MAX_UNSTABLE = 2
MAX_OUTPUT_LENGTH = 20_000
CPU_NOTE = "CPU seconds"  # of web/e2e/fixtures.ts
# All three runners print this. vitest exits with 0 even if no test matches the given name.
SOME_PASSED = re.compile(r"[1-9]\d* passed")


@dataclass(frozen=True)
class FailedCase:
    """A failed case with its output, and the command that runs it alone."""

    name: str
    output: str
    command: Sequence[str]
    folder: Path = ROOT

    def passes_alone(self, environment: Mapping[str, str]) -> bool:
        """Run it alone ``RERUNS`` times and return whether it always passed."""
        return all(self._passes_once(environment) for _ in range(RERUNS))

    def _passes_once(self, environment: Mapping[str, str]) -> bool:
        ended = subprocess.run(
            list(self.command),
            cwd=self.folder,
            env={**os.environ, **environment},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
        )
        return ended.returncode == 0 and SOME_PASSED.search(ended.stdout) is not None


@dataclass(frozen=True)
class CaseResults:
    """A test runner's report.

    ``is_whole`` is False if the run failed, or may have failed, outside of its cases.
    """

    count: int = 0
    failed: Sequence[FailedCase] = ()
    is_whole: bool = False
    cpu_seconds: Mapping[str, float] = field(default_factory=dict)
    shared_cpu_seconds: Mapping[str, float] = field(default_factory=dict)


def read_pytest() -> CaseResults:
    """Read the report of ``tests/case_report.py``."""
    report = _read(RESULTS / "pytest.json")
    return CaseResults(
        count=len(report.get("cases", {})),
        failed=[
            FailedCase(name, output, (sys.executable, "-m", "pytest", "-q", name))
            for name, output in report.get("failed", {}).items()
        ],
        is_whole=bool(report.get("is_whole")),
        cpu_seconds=report.get("cases", {}),
        shared_cpu_seconds=report.get("fixtures", {}),
    )


def read_vitest() -> CaseResults:
    """Read the ``json`` report of vitest, which contains absolute paths."""
    report = _read(RESULTS / "vitest.json")
    files = report.get("testResults", [])
    cases = [
        (_below_web(file["name"]), case) for file in files for case in file["assertionResults"]
    ]
    broken = [
        file
        for file in files
        if file["status"] == "failed"
        and not any(case["status"] == "failed" for case in file["assertionResults"])
    ]
    return CaseResults(
        count=len(cases),
        failed=[
            FailedCase(
                f"{path} > {case['fullName']}",
                "\n".join(case["failureMessages"]),
                ("npx", "vitest", "run", path, "-t", f"^{re.escape(case['fullName'])}$"),
                WEB,
            )
            for path, case in cases
            if case["status"] == "failed"
        ],
        is_whole=bool(files) and not broken,
        cpu_seconds={
            f"{path} > {case['fullName']}": case["meta"]["cpuSeconds"]  # of web/src/test/costs.ts
            for path, case in cases
            if "cpuSeconds" in case.get("meta", {})
        },
    )


def read_playwright() -> CaseResults:
    """Read the ``json`` report of Playwright."""
    report = _read(RESULTS / "browser.json")
    cases = [
        (f"{spec['file']} > {spec['title']} ({test['projectName']})", spec, test)
        for spec, test in _playwright_cases(report.get("suites", []))
    ]
    return CaseResults(
        count=len(cases),
        failed=[
            FailedCase(
                name,
                "\n".join(
                    error.get("message", "")
                    for result in test["results"]
                    for error in result.get("errors", [])
                ),
                (
                    *("npx", "playwright", "test", f"{spec['file']}:{spec['line']}"),
                    f"--project={test['projectName']}",
                ),
                WEB,
            )
            for name, spec, test in cases
            if test["status"] == "unexpected"
        ],
        is_whole=bool(cases) and not report.get("errors"),
        cpu_seconds={
            name: float(note["description"])
            for name, _, test in cases
            for note in test.get("annotations", ())
            if note["type"] == CPU_NOTE
        },
    )


def _playwright_cases(suites: list[Any]) -> Iterator[tuple[Any, Any]]:
    for suite in suites:
        yield from ((spec, test) for spec in suite.get("specs", []) for test in spec["tests"])
        yield from _playwright_cases(suite.get("suites", []))


def _below_web(path: str) -> str:
    return Path(path).relative_to(WEB).as_posix() if Path(path).is_absolute() else path


def _read(path: Path) -> dict[str, Any]:
    """Return a report, empty if its program did not write it."""
    try:
        report: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return report


def write_unstable(unstable: Sequence[FailedCase], path: Path) -> None:
    """Write the unstable cases with the output of their first failure, even if there are none."""
    rows = [{"case": one.name, "output": one.output[-MAX_OUTPUT_LENGTH:]} for one in unstable]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(rows, indent=2) + "\n", encoding="utf-8")
