"""The metric that compares a server's clock with the database's."""

import math
from datetime import timedelta

import pytest
from api.foundation.core import clock
from api.foundation.core.errors import DatabaseUnavailableError
from api.foundation.core.metrics import Metrics
from api.foundation.database.database import Database
from api.foundation.database.figures import ClockFigure

from tests.conftest import RunningApp


@pytest.mark.parametrize("seconds", [-7.0, 0.0, 7.0])
async def test_a_clock_that_runs_ahead_or_behind_is_shown(
    app: RunningApp, monkeypatch: pytest.MonkeyPatch, seconds: float
) -> None:
    metrics, real_now = Metrics(), clock.now
    monkeypatch.setattr(clock, "now", lambda: real_now() + timedelta(seconds=seconds))

    await ClockFigure(app.database, metrics).refresh()

    shown = metrics.everybodys.get_sample_value("clock_offset_seconds")
    assert shown == pytest.approx(seconds, abs=0.5)


async def test_without_a_database_no_offset_is_shown() -> None:
    metrics = Metrics()
    lost = Database("postgresql://nobody@127.0.0.1:1/none", runtime_role="", pool_size=1)

    with pytest.raises(DatabaseUnavailableError):
        await ClockFigure(lost, metrics).refresh()

    shown = metrics.everybodys.get_sample_value("clock_offset_seconds")
    assert shown is not None
    assert math.isnan(shown)
