"""Every alert uses existing metrics and has a page in the runbook."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from api.dev.postgres.embedded import EmbeddedPostgres
from api.foundation.core import clock
from api.foundation.core.ids import new_id
from api.foundation.jobs.figures import Vitals, record_beat, record_success, record_worker
from prometheus_client import CollectorRegistry

from tests.conftest import RunningApp
from tests.operations.alerts import DOCS, Figures, alerts, parse

TESTS = Path(__file__).with_name("alerts_test.yml")
SEVERITIES = {"critical", "warning"}
PROMETHEUS_OWN = {"up"}
# Not every deployment has a process that tests backups.
LATER = {"restore_proof", "backup"}  # kinds that appear after their first run


@pytest.fixture
async def figures(app: RunningApp) -> Figures:
    """The metrics of a running server with a worker and a Valkey."""
    services = app.asgi.state.services
    services.metrics.dependency_up.labels("valkey")
    services.metrics.dependency_restarts.labels("valkey")
    services.metrics.client_errors.labels("script")
    services.metrics.count_request("/api/v1/clubs", 503, 0.1)
    await record_beat(app.database, ["mail_code"])
    await record_worker(app.database, new_id(), clock.now(), Vitals(1, 1, 1))
    for kind in (
        *("mail_code", "expire_orders", "send_mails", "renew_plans", "remind_plans"),
        *("tidy", "media_sweep"),
    ):
        await record_success(app.database, kind)
    await app.client.get("/api/v1/clubs")
    return parse((await app.client.get("/metrics")).text)


async def test_every_figure_of_an_alert_is_shown_with_its_labels(figures: Figures) -> None:
    for alert in alerts().values():
        selectors = [one for one in alert.selectors() if one[0] not in PROMETHEUS_OWN]
        assert selectors or "up{" in alert.expression, alert.name
        for name, wanted in selectors:
            series = [labels for shown, labels, _ in figures if shown == name]
            assert series, (alert.name, name)
            for label, operator, value in wanted:
                if label == "kind" and value in LATER:
                    continue
                pattern = value if operator == "=~" else re.escape(value)
                assert any(re.fullmatch(pattern, one.get(label, "")) for one in series), (
                    alert.name,
                    name,
                    label,
                    value,
                )


async def test_labels_that_an_alert_keeps_or_tells_are_on_its_figures(figures: Figures) -> None:
    labels_of = {name: labels for name, labels, _ in figures}
    for alert in alerts().values():
        used = set(re.findall(r"\$labels\.(\w+)", alert.summary))
        assert used <= alert.grouped_by(), alert.name
        for name, _ in alert.selectors():
            if name not in PROMETHEUS_OWN:
                assert alert.grouped_by() <= labels_of[name].keys(), (alert.name, name)


def test_every_alert_has_a_severity_a_summary_and_a_page() -> None:
    sections = re.findall(r"^## (\w+)$", (DOCS / "runbook.md").read_text("utf-8"), re.MULTILINE)
    for alert in alerts().values():
        assert alert.severity in SEVERITIES
        assert alert.summary
        assert alert.runbook == f"runbook.md#{alert.name.lower()}"
    assert sections == list(alerts())


def test_every_page_of_the_runbook_says_what_when_and_what_to_do() -> None:
    page = (DOCS / "runbook.md").read_text(encoding="utf-8")
    for section in page.split("\n## ")[1:]:
        name = section.splitlines()[0]
        for part in ("**Means:**", "**Members see:**", "**Look:**", "**Do:**"):
            assert part in section, (name, part)


async def test_every_figure_is_in_the_operators_table(app: RunningApp) -> None:
    page = (DOCS / "operations.md").read_text(encoding="utf-8")
    metrics = app.asgi.state.services.metrics
    for registry in (metrics.registry, metrics.everybodys):
        assert isinstance(registry, CollectorRegistry)
        for family in registry.collect():
            if not family.name.startswith("process_"):
                assert f"`{family.name}" in page, family.name


def test_prometheus_takes_the_rules_and_they_fire_as_told() -> None:
    """Runs where promtool is installed; the other tests run everywhere."""
    tool = shutil.which("promtool")
    if tool is None:
        return
    subprocess.run([tool, "check", "rules", DOCS / "alerts.yml"], check=True, capture_output=True)
    used = subprocess.run([tool, "test", "rules", TESTS], capture_output=True, text=True)
    assert used.returncode == 0, used.stdout + used.stderr


async def test_the_runbooks_statements_run_and_its_patterns_find_figures(
    app: RunningApp, figures: Figures, postgres: EmbeddedPostgres
) -> None:
    page = (DOCS / "runbook.md").read_text(encoding="utf-8")
    statements = re.findall(r"`sql (?:\"([^\"]+)\"|'([^']+)')`", page)
    patterns = re.findall(r"`figures (?:'([^']+)'|(\S+))`", page)
    shown = (await app.client.get("/metrics")).text.splitlines()
    assert len(statements) > 5
    assert len(patterns) > 20

    for quoted, single in statements:
        statement = quoted or single
        if "PID" not in statement:
            postgres.run_sql(statement, "fans")
    for quoted, single in patterns:
        pattern = (quoted or single).replace("JOB", "fold")
        if pattern.removeprefix("stored_job.*") not in LATER:
            assert any(re.match(pattern, line) for line in shown), pattern
