"""Plants small bugs one at a time in a copy of the money code; for each, a test must fail.

``python -m tests.endurance.seeded_faults [NAME ...] [--list]``
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree as ET

from tests.endurance.money_faults import FAULTS, Fault

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("api", "tests", "migrations")
FILES = ("pyproject.toml", "alembic.ini")
TIMEOUT_SECONDS = 600.0
# A program that crashes on itself is not one that does something wrong with money.
STUMBLES = ("ImportError", "ModuleNotFoundError", "NameError", "SyntaxError", "UnboundLocalError")


class UnfitFaultError(Exception):
    """A fault cannot be planted as written."""


@dataclass(frozen=True)
class Outcome:
    """The result of a test run; ``failed`` are the tests that failed by assertion."""

    exit_code: int
    failed: list[str]
    seconds: float
    said: str


def faulty(fault: Fault, folder: Path) -> str:
    """Return a source with the fault in it.

    Raises:
        UnfitFaultError: the text to replace does not occur exactly once.
    """
    text = (folder / fault.file).read_text()
    places = text.count(fault.old)
    if places != 1:
        raise UnfitFaultError(f"{fault.name}: found {places} times in {fault.file}")
    return text.replace(fault.old, fault.new)


@contextmanager
def planted(fault: Fault, folder: Path) -> Iterator[None]:
    """Plant a fault, and remove it again."""
    path = folder / fault.file
    kept, moments, wrong = path.read_text(), path.stat(), faulty(fault, folder)
    path.write_text(wrong)
    try:
        yield
    finally:
        path.write_text(kept)
        os.utime(path, ns=(moments.st_atime_ns, moments.st_mtime_ns))


@contextmanager
def copied_project() -> Iterator[Path]:
    """Yield a copy of the sources and tests."""
    with tempfile.TemporaryDirectory(prefix="kof-faults-") as name:
        folder = Path(name)
        for each in FOLDERS:  # with bytecode, which is validated by the sources' times
            shutil.copytree(ROOT / each, folder / each)
        for each in FILES:
            shutil.copy(ROOT / each, folder / each)
        yield folder


def run_tests(folder: Path, tests: Sequence[str]) -> Outcome:
    """Run a selection up to its first failure."""
    report = folder / "report.xml"
    report.unlink(missing_ok=True)
    began = time.monotonic()
    options = ("-x", "-q", "-p", "no:cacheprovider", f"--junitxml={report}")
    ended = subprocess.run(
        [sys.executable, "-m", "pytest", *options, *(f"tests/{test}" for test in tests)],
        cwd=folder,
        # The bytecode of a fault is not written.
        env=os.environ | {"PYTHONDONTWRITEBYTECODE": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=TIMEOUT_SECONDS,
        check=False,
    )
    failed = failures(report) if report.exists() else []
    return Outcome(ended.returncode, failed, time.monotonic() - began, ended.stdout)


def failures(report: Path) -> list[str]:
    """Return the tests that failed by an assertion or a refusal, and not by an error."""
    found = []
    for case in ET.parse(report).iter("testcase"):  # noqa: S314 pytest has written it
        failure = case.find("failure")
        if failure is not None and not stumbled(failure.get("message", "")):
            found.append(f"{case.get('classname', '').replace('.', '/')}.py::{case.get('name')}")
    return found


def stumbled(message: str) -> bool:
    """Return whether a test's failure is an error of the program instead of a wrong result."""
    return message.partition(":")[0].rpartition(".")[2] in STUMBLES


def run(faults: Sequence[Fault]) -> list[str]:
    """Plant each fault and print what caught it; return the names of the uncaught ones.

    Raises:
        UnfitFaultError: a fault's text does not occur exactly once, or its tests fail without it.
    """
    survivors = []
    for fault in faults:
        faulty(fault, ROOT)
    with copied_project() as folder:
        sound = run_tests(folder, sorted({test for fault in faults for test in fault.tests}))
        if sound.exit_code != 0:
            raise UnfitFaultError(f"the tests fail without a fault:\n{sound.said}")
        print(f"sound    {sound.seconds:5.1f} s  without a fault all selected tests pass")
        for fault in faults:
            with planted(fault, folder):
                outcome = run_tests(folder, fault.tests)
            if outcome.failed:
                caught = f"caught   {outcome.seconds:5.1f} s  {fault.name}: {outcome.failed[0]}"
                print(caught, flush=True)
            else:
                survivors.append(fault.name)
                what = "passed" if outcome.exit_code == 0 else f"broke: {outcome.said[-2000:]}"
                print(f"SURVIVED {outcome.seconds:5.1f} s  {fault.name}: tests {what}", flush=True)
    return survivors


def chosen(names: Sequence[str]) -> list[Fault]:
    """Return the faults with these names, all without any.

    Raises:
        UnfitFaultError: a name is unknown.
    """
    by_name = {fault.name: fault for fault in FAULTS}
    unknown = [name for name in names if name not in by_name]
    if unknown:
        raise UnfitFaultError(f"no such fault: {', '.join(unknown)}")
    return [by_name[name] for name in names] or list(FAULTS)


def main() -> int:
    """Run the faults from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--list", action="store_true", help="only name the faults")
    asked = parser.parse_args()
    faults = chosen(asked.names)
    if asked.list:
        for fault in faults:
            print(f"{fault.name}: {fault.breaks} ({fault.file})")
        return 0
    survivors = run(faults)
    print(f"{len(faults) - len(survivors)} of {len(faults)} faults were caught")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
