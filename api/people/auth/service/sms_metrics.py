"""Metrics of codes by SMS: how many of a day have which outcome."""

from datetime import timedelta

from prometheus_client import Gauge

from api.foundation.core import clock
from api.foundation.core.metrics import Metrics
from api.foundation.database.database import Database
from api.people.auth.enums import SmsState
from api.people.auth.repository import messages


class SmsMetrics:
    """A gauge of the last day's messages by state, refreshed when it is read."""

    def __init__(self, database: Database, metrics: Metrics) -> None:
        self._database = database
        self._messages = Gauge(
            "sms_messages",
            "Codes by SMS of the last 24 hours",
            ["state"],
            registry=metrics.everybodys,
        )

    async def refresh(self) -> None:
        """Read the figures from the database; while it is unavailable, they are absent."""
        self._messages.clear()
        counts = await messages.count_states(self._database, clock.now() - timedelta(days=1))
        for state in SmsState:
            self._messages.labels(state).set(counts.get(state, 0))
