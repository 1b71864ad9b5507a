"""Notices that a server we depend on answers or not, or is another process than before."""

from typing import Any

from prometheus_client import Counter, Gauge

from api.core import clock
from api.core.metrics import Metrics


class DependencyWatch:
    """Says whether one server answers, and counts its restarts by what tells its processes apart.

    It counts as away until it was seen.
    """

    def __init__(self, name: str, metrics: Metrics) -> None:
        self._restarts: Counter = metrics.dependency_restarts.labels(name)
        self._up: Gauge = metrics.dependency_up.labels(name)
        self._changed: Gauge = metrics.dependency_changed.labels(name)
        self._identity: Any = None
        self._is_up: bool | None = None
        self._note(is_up=False)

    def saw(self, identity: Any) -> None:
        """Take notice of who answers."""
        self._note(is_up=True)
        if self._identity is not None and identity != self._identity:
            self._restarts.inc()
        self._identity = identity

    def lost(self) -> None:
        """Take notice that nobody answers."""
        self._note(is_up=False)

    def _note(self, *, is_up: bool) -> None:
        if is_up != self._is_up:
            self._is_up = is_up
            self._up.set(is_up)
            self._changed.set(clock.now().timestamp())
