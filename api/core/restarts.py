"""Notices that a server we depend on is another process than before."""

from typing import Any

from prometheus_client import Counter

from api.core.metrics import Metrics


class RestartWatch:
    """Counts the restarts of one server, by whatever tells its processes apart."""

    def __init__(self, name: str, metrics: Metrics) -> None:
        self._restarts: Counter = metrics.dependency_restarts.labels(name)
        self._identity: Any = None

    def saw(self, identity: Any) -> None:
        """Take notice of who answers."""
        if self._identity is not None and identity != self._identity:
            self._restarts.inc()
        self._identity = identity
