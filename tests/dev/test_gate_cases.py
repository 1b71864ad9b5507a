"""A failing case is rerun alone; only one that passes three times is unstable."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from api.dev.gate import __main__ as gate
from api.dev.gate import cases
from api.dev.gate.cases import CaseResults, FailedCase
from api.dev.gate.steps import GateStep, StepOutcome, run_stage
from api.dev.shell import ROOT

MODULE = """
import time
import pytest

def work(seconds):
    until = time.process_time() + seconds
    while time.process_time() < until:
        pass

@pytest.fixture(scope="module")
def shared():
    work(0.6)

def test_cheap(shared):
    pass

def test_expensive():
    work(0.3)

def test_broken():
    print("what it printed")
    assert 1 == 2
"""


@pytest.fixture(autouse=True)
def _results_of_this_test(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cases, "RESULTS", tmp_path)
    monkeypatch.setattr(gate, "UNSTABLE_REPORT", tmp_path / "unstable.json")


def case_that_runs(
    folder: Path, script: str, name: str = "the case", *, prints: str = "1 passed in 0.1s"
) -> FailedCase:
    """Return a failed case that counts its reruns in a file, prints and then runs ``script``."""
    counting = f"count = open({str(folder / name)!r}, 'a+'); count.write('x'); count.seek(0); "
    printing = f"print({prints!r}); runs = len(count.read())"
    command = (sys.executable, "-c", f"{counting}{printing}; {script}")
    return FailedCase(name, "its first failure", command)


def outcome_of(*failed: FailedCase, is_whole: bool = True) -> StepOutcome:
    """Return a step that failed because of these cases."""
    results = CaseResults(count=9, failed=failed, is_whole=is_whole)
    return StepOutcome(GateStep("tests", ()), 1, 1.0, 1.0, results)


def close(outcome: StepOutcome) -> int:
    """Rerun failed cases and return the exit code of the run."""
    return gate.report([outcome], *gate.rerun_failed([outcome]))


def test_a_case_that_passes_three_times_alone_is_unstable_and_the_run_passes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert close(outcome_of(case_that_runs(tmp_path, "exit(0)"))) == 0

    assert (tmp_path / "the case").read_text() == "xxx"
    assert json.loads((tmp_path / "unstable.json").read_text()) == [
        {"case": "the case", "output": "its first failure"}
    ]
    printed = capsys.readouterr().out
    assert "--- unstable: the case\nits first failure" in printed
    assert "UNSTABLE: the case" in printed


def test_a_case_that_fails_its_last_rerun_has_failed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert close(outcome_of(case_that_runs(tmp_path, "exit(runs == 3)"))) == 1

    assert (tmp_path / "the case").read_text() == "xxx"
    assert json.loads((tmp_path / "unstable.json").read_text()) == []
    assert "FAILED: tests" in capsys.readouterr().out


@pytest.mark.parametrize("prints", ["Tests  6 skipped (6)", "0 passed", ""])
def test_a_rerun_that_ran_nothing_has_not_passed(tmp_path: Path, prints: str) -> None:
    assert close(outcome_of(case_that_runs(tmp_path, "exit(0)", prints=prints))) == 1


@pytest.mark.parametrize(
    "prints", ["\x1b[32m1 passed\x1b[39m", "Tests  1 passed | 5 skipped (6)", "  1 passed (3.2s)"]
)
def test_each_runner_says_that_a_case_has_passed(tmp_path: Path, prints: str) -> None:
    assert close(outcome_of(case_that_runs(tmp_path, "exit(0)", prints=prints))) == 0


def test_two_unstable_cases_are_forgiven_and_three_fail_the_run(tmp_path: Path) -> None:
    names = ("one", "two", "three")
    passing = [case_that_runs(tmp_path, "exit(0)", name) for name in names]

    assert close(outcome_of(*passing[:2])) == 0
    assert close(outcome_of(*passing)) == 1


def test_an_unstable_case_excuses_nothing_but_itself(tmp_path: Path) -> None:
    passing = case_that_runs(tmp_path, "exit(0)", "passing")
    failing = case_that_runs(tmp_path, "exit(1)", "failing")

    assert close(outcome_of(passing, failing)) == 1
    assert close(outcome_of(passing, is_whole=False)) == 1


def test_a_run_without_failures_leaves_an_empty_report(tmp_path: Path) -> None:
    passed = StepOutcome(GateStep("tests", ()), 0, 1.0, 1.0, CaseResults(count=9, is_whole=True))

    assert close(passed) == 0
    assert json.loads((tmp_path / "unstable.json").read_text()) == []


def test_programs_have_their_temporary_files_in_memory_where_there_is_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gate, "MEMORY", tmp_path)
    monkeypatch.setattr(gate, "MEMORY_BYTES", 0)
    monkeypatch.delenv("TMPDIR", raising=False)
    with gate.temporary_files_in_memory():
        folder = Path(os.environ["TMPDIR"])
        assert folder.parent == tmp_path
        assert folder.stat().st_mode & 0o777 == 0o711
    assert not folder.exists()
    assert "TMPDIR" not in os.environ

    monkeypatch.setattr(gate, "MEMORY_BYTES", 2**62)
    with gate.temporary_files_in_memory():
        assert "TMPDIR" not in os.environ


def test_a_temporary_folder_that_was_named_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", "/named")

    with gate.temporary_files_in_memory():
        assert os.environ["TMPDIR"] == "/named"


def test_the_cpu_time_of_a_program_includes_its_children() -> None:
    loop = "import time\nwhile time.process_time() < 0.3: pass"
    parent = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {loop!r}])"

    (outcome,) = run_stage([[GateStep("parent", (sys.executable, "-c", parent))]])

    assert outcome.code == 0
    assert outcome.cpu_seconds >= 0.3


def run_pytest(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Run the sample module with the report's plugin."""
    (folder / "test_sample.py").write_text(MODULE)
    return subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "-v", "-c", "/dev/null", "--rootdir", str(folder)),
            *("-p", "tests.case_report", "-p", "xdist", "-p", "no:cacheprovider", *options),
            str(folder / "test_sample.py"),
        ],
        cwd=ROOT,
        # Other plugins take longer to import than these tests run.
        env={"CASE_REPORT": str(folder / "pytest.json"), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("workers", [(), ("-n", "2")], ids=["here", "workers"])
def test_pytest_reports_costs_and_failures_by_case(tmp_path: Path, workers: tuple[str]) -> None:
    run_pytest(tmp_path, *workers)

    results = cases.read_pytest()

    assert results.is_whole
    assert results.count == 3
    assert results.cpu_seconds["test_sample.py::test_expensive"] >= 0.3
    assert results.cpu_seconds["test_sample.py::test_cheap"] < 0.3
    assert results.shared_cpu_seconds["shared (module)"] >= 0.6
    (failed,) = results.failed
    assert failed.name == "test_sample.py::test_broken"
    assert "assert 1 == 2" in failed.output
    assert "what it printed" in failed.output


def test_a_module_that_cannot_be_collected_is_no_failure_of_a_case(tmp_path: Path) -> None:
    (tmp_path / "test_other.py").write_text("import nothing_of_this_name")

    run_pytest(tmp_path, str(tmp_path / "test_other.py"), "--continue-on-collection-errors")

    assert not cases.read_pytest().is_whole


def test_a_seed_decides_the_order_of_cases(tmp_path: Path) -> None:
    def order(seed: str) -> list[str]:
        lines = run_pytest(tmp_path, "--shuffle", seed).stdout.splitlines()
        return [line.split()[0] for line in lines if "::" in line and "%" in line]

    first, second = order("1"), order("5")

    assert sorted(first) == sorted(second)
    assert len(first) == 3
    assert first != second
    assert order("1") == first


def test_a_report_that_was_never_written_excuses_nothing() -> None:
    readers: tuple[Callable[[], CaseResults], ...] = (
        cases.read_pytest,
        cases.read_vitest,
        cases.read_playwright,
    )

    assert [read().is_whole for read in readers] == [False, False, False]


def test_the_report_of_the_web_tests_names_what_failed(tmp_path: Path) -> None:
    case = {"fullName": "Wallet shows ₦5 (twice)", "failureMessages": ["expected 5"]}
    files = [
        {
            "name": str(ROOT / "web/src/wallet.test.ts"),
            "status": "failed",
            "assertionResults": [
                {**case, "status": "failed"},
                {
                    **case,
                    "fullName": "Wallet opens",
                    "status": "passed",
                    "meta": {"cpuSeconds": 0.5},
                },
            ],
        }
    ]
    (tmp_path / "vitest.json").write_text(json.dumps({"testResults": files}))

    results = cases.read_vitest()

    assert results.is_whole
    assert results.count == 2
    (failed,) = results.failed
    assert failed.name == "src/wallet.test.ts > Wallet shows ₦5 (twice)"
    assert failed.output == "expected 5"
    assert failed.command[-1] == r"^Wallet\ shows\ ₦5\ \(twice\)$"
    assert results.cpu_seconds == {"src/wallet.test.ts > Wallet opens": 0.5}


def test_a_web_test_file_that_does_not_load_is_no_failure_of_a_case(tmp_path: Path) -> None:
    file = {"name": "src/a.test.ts", "status": "failed", "assertionResults": []}
    (tmp_path / "vitest.json").write_text(json.dumps({"testResults": [file]}))

    assert not cases.read_vitest().is_whole


def test_the_report_of_the_browser_tests_names_what_failed(tmp_path: Path) -> None:
    failing = {
        "projectName": "phone",
        "status": "unexpected",
        "results": [{"errors": [{"message": "locator not found"}]}],
    }
    passing = {
        "projectName": "desktop",
        "status": "expected",
        "results": [{"errors": []}],
        "annotations": [{"type": "CPU seconds", "description": "1.25"}],
    }
    spec = {"title": "buys", "file": "shop.spec.ts", "line": 7, "tests": [failing, passing]}
    suites = [{"suites": [{"specs": [spec]}]}]
    report = tmp_path / "browser.json"
    report.write_text(json.dumps({"suites": suites, "errors": []}))

    results = cases.read_playwright()

    assert results.is_whole
    assert results.count == 2
    (failed,) = results.failed
    assert failed.name == "shop.spec.ts > buys (phone)"
    assert failed.output == "locator not found"
    assert failed.command[-2:] == ("shop.spec.ts:7", "--project=phone")
    assert results.cpu_seconds == {"shop.spec.ts > buys (desktop)": 1.25}

    report.write_text(json.dumps({"suites": suites, "errors": [{"message": "no server"}]}))
    assert not cases.read_playwright().is_whole
