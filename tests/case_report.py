"""A pytest plugin: measures and reports each case for the gate, and can shuffle the order.

The report is written to ``CASE_REPORT``: CPU seconds of every case (its process and all child
processes), failures with their output, and whether anything failed outside of cases. A fixture
shared by several cases has its own entry, so that the first case does not pay for it.
"""

import json
import os
from collections.abc import Generator, Iterator
from pathlib import Path
from random import Random
from typing import Any, cast

import pytest
from api.dev.gate.processor import used_seconds

FILE_VARIABLE = "CASE_REPORT"
CASES_DECIDE = {pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED}


class CaseReport:
    """Measures in the processes that run cases, and collects where reports arrive."""

    def __init__(self) -> None:
        self._begun = 0.0
        self._nested: list[float] = []
        self._fixtures: dict[str, float] = {}
        self._cases: dict[str, float] = {}
        self._shared: dict[str, float] = {}
        self._failed: dict[str, str] = {}
        self._is_collected = True

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self) -> Iterator[None]:
        self._begun = used_seconds()
        self._fixtures.clear()
        return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: pytest.FixtureDef[Any]) -> Iterator[None]:
        if fixturedef.scope == "function":
            return (yield)
        started = used_seconds()
        self._nested.append(0.0)
        try:
            return (yield)
        finally:
            whole = used_seconds() - started
            name = f"{fixturedef.argname} ({fixturedef.scope})"
            _add(self._fixtures, name, whole - self._nested.pop())
            if self._nested:
                self._nested[-1] += whole

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        if call.when == "teardown":
            cost = used_seconds() - self._begun - sum(self._fixtures.values())
            report.user_properties = [("cpu", cost), ("shared cpu", dict(self._fixtures))]
        return report

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        self._is_collected &= not report.failed

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            before = self._failed.get(report.nodeid, "")
            captured = [f"\n--- {title}\n{text}" for title, text in report.sections]
            self._failed[report.nodeid] = "".join([before, report.longreprtext, *captured])
        for name, value in report.user_properties:
            if name == "cpu":
                self._cases[report.nodeid] = cast("float", value)
            elif name == "shared cpu":
                for fixture, cost in cast("dict[str, float]", value).items():
                    _add(self._shared, fixture, cost)

    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        file = os.environ.get(FILE_VARIABLE)
        if file is None or hasattr(session.config, "workerinput"):
            return
        report = {
            "cases": self._cases,
            "fixtures": self._shared,
            "failed": self._failed,
            "is_whole": self._is_collected and exitstatus in CASES_DECIDE,
        }
        Path(file).write_text(json.dumps(report), encoding="utf-8")


def _add(costs: dict[str, float], name: str, cost: float) -> None:
    costs[name] = costs.get(name, 0.0) + cost


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--shuffle", type=int, metavar="SEED", help="run modules and cases at random")


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(CaseReport(), "case-report")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Shuffle the modules, and the cases in each, so that module fixtures are created once."""
    seed = config.getoption("--shuffle")
    if seed is None:
        return
    chance = Random(seed)  # noqa: S311 an order, not a secret
    modules: dict[str, list[pytest.Item]] = {}
    for item in items:
        modules.setdefault(item.nodeid.partition("::")[0], []).append(item)
    shuffled = list(modules.values())
    chance.shuffle(shuffled)
    for cases in shuffled:
        chance.shuffle(cases)
    items[:] = [item for cases in shuffled for item in cases]
