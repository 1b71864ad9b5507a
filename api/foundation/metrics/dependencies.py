"""Tracks whether a server we depend on responds, and whether it has restarted."""

from typing import Any

from prometheus_client import Counter, Gauge

from api.foundation.core import clock
from api.foundation.core.metrics import Metrics


class DependencyWatch:
    """Tracks one server: whether it responds, and its restarts by a process identity.

    It counts as unavailable until the first response.
    """

    def __init__(self, name: str, metrics: Metrics) -> None:
        self._restarts: Counter = metrics.dependency_restarts.labels(name)
        self._up: Gauge = metrics.dependency_up.labels(name)
        self._changed: Gauge = metrics.dependency_changed.labels(name)
        self._identity: Any = None
        self._is_up: bool | None = None
        self._update(is_up=False)

    def saw(self, identity: Any) -> None:
        """Record a response of the process ``identity``."""
        self._update(is_up=True)
        if self._identity is not None and identity != self._identity:
            self._restarts.inc()
        self._identity = identity

    def lost(self) -> None:
        """Record that the server does not respond."""
        self._update(is_up=False)

    def _update(self, *, is_up: bool) -> None:
        if is_up != self._is_up:
            self._is_up = is_up
            self._up.set(is_up)
            self._changed.set(clock.now().timestamp())
