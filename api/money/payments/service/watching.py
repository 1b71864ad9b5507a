"""Metrics of fundings: how many wait, and for how long."""

import math

from prometheus_client import Gauge

from api.foundation.core import clock
from api.foundation.core.metrics import Metrics
from api.foundation.database.database import Database
from api.money.payments.repository import undecided


class FundingMetrics:
    """Gauges of fundings, refreshed when they are read."""

    def __init__(self, database: Database, metrics: Metrics) -> None:
        self._database = database
        self._waits = Gauge(
            "funding_oldest_unsettled_seconds",
            "How long the oldest unsettled funding has waited",
            ["since"],
            registry=metrics.everybodys,
        )
        self._reviews = Gauge(
            "review_cases_open",
            "Money set aside until somebody decides",
            registry=metrics.everybodys,
        )

    async def refresh(self) -> None:
        """Read the figures from the database; while it is unavailable, they are absent."""
        self._waits.clear()
        self._reviews.set(math.nan)
        now = clock.now()
        waiting = await undecided.read_waiting(self._database, now)
        # The checkout was created (abandoned ones wait until they expire), the provider reported
        # the payment, the provider should have been asked.
        waits = {"begun": waiting.started, "reported": waiting.reported, "due": waiting.due}
        for since, oldest in waits.items():
            self._waits.labels(since).set((now - oldest).total_seconds() if oldest else 0)
        self._reviews.set(waiting.open_cases)
