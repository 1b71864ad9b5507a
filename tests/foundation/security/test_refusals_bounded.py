"""A flood of rejections is counted completely, and logged as a few lines a minute and their sum."""

import json
from typing import Any

import pytest
from api.foundation.core.metrics import Metrics
from api.foundation.security import events
from api.foundation.security.events import SecurityEvent, SecurityLog

from tests.conftest import RunningApp


def logged(printed: str) -> list[dict[str, Any]]:
    lines = (json.loads(line) for line in printed.splitlines() if line.startswith("{"))
    return [line for line in lines if line["event"] == "security_event"]


def counted(metrics: Metrics, event: SecurityEvent) -> float | None:
    return metrics.registry.get_sample_value("security_events_total", {"event": event.value})


async def test_a_flood_of_calls_is_a_few_lines_and_their_sum(
    app: RunningApp, capsys: pytest.CaptureFixture[str]
) -> None:
    app.asgi.state.services.limiter._leniency = 1
    for _ in range(330):
        await app.client.get("/api/v1/invites/code/NOBODYS1")

    first, *others = logged(capsys.readouterr().out)
    assert len(others) == events.WRITTEN - 1
    assert (first["event_type"], first["limit"]) == ("limit_reached", "anonymous")
    assert first["request_id"]

    security: SecurityLog = app.asgi.state.services.security
    security.sum_up()
    (summary,) = logged(capsys.readouterr().out)
    assert (summary["origin"], summary["limit"]) == (first["origin"], "anonymous")
    assert summary["count"] == 30 - events.WRITTEN
    assert counted(app.asgi.state.services.metrics, SecurityEvent.LIMIT_REACHED) == 30


def test_origins_are_told_apart_and_deeds_are_always_written(
    capsys: pytest.CaptureFixture[str],
) -> None:
    metrics = Metrics()
    security = SecurityLog(metrics)
    for _ in range(3 * events.WRITTEN):
        for origin in ("one", "other"):
            security.record(SecurityEvent.SIGN_IN_REFUSED, origin=origin)
        security.record(SecurityEvent.SIGNED_IN, origin="one")

    written = [line["event_type"] for line in logged(capsys.readouterr().out)]

    assert written.count("sign_in_refused") == 2 * events.WRITTEN
    assert written.count("signed_in") == 3 * events.WRITTEN
    assert counted(metrics, SecurityEvent.SIGN_IN_REFUSED) == 6 * events.WRITTEN


async def test_the_next_minute_has_a_line_of_its_own_and_the_last_ones_sum(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    security = SecurityLog(Metrics())
    for _ in range(events.WRITTEN + 4):
        security.record(SecurityEvent.SIGNATURE_REFUSED, origin="one")
    monkeypatch.setattr(events, "WINDOW_SECONDS", 0.0)
    capsys.readouterr()

    await security.job().step()
    (summary,) = logged(capsys.readouterr().out)
    await security.job().step()

    assert summary["count"] == 4
    assert logged(capsys.readouterr().out) == [], "a sum is told once"


def test_a_flood_of_one_event_hides_no_details_of_another(
    capsys: pytest.CaptureFixture[str],
) -> None:
    security = SecurityLog(Metrics())
    for number in range(2 * events.MAX_WINDOWS):
        security.record(SecurityEvent.LIMIT_REACHED, origin=f"origin {number}")
    capsys.readouterr()

    origins = [f"origin {number}" for number in range(3 * events.WRITTEN)]
    for origin in origins:
        security.record(SecurityEvent.SIGN_IN_LOCKED, origin=origin)

    assert [line["origin"] for line in logged(capsys.readouterr().out)] == origins


def test_a_thousand_origins_are_a_bounded_number_of_lines(
    capsys: pytest.CaptureFixture[str],
) -> None:
    metrics = Metrics()
    security = SecurityLog(metrics)
    for number in range(3 * events.MAX_WINDOWS):
        security.record(SecurityEvent.LIMIT_REACHED, origin=f"origin {number}")
    security.sum_up()

    lines = logged(capsys.readouterr().out)
    assert len(lines) <= events.MAX_WINDOWS + events.WRITTEN + 1
    assert lines[-1]["count"] == 2 * events.MAX_WINDOWS - events.WRITTEN
    assert counted(metrics, SecurityEvent.LIMIT_REACHED) == 3 * events.MAX_WINDOWS
