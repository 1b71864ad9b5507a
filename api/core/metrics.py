"""Metrics in Prometheus' text format, kept per application so that tests do not share them."""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from starlette.types import Scope

BUCKETS_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5)


class Metrics:
    """What operators watch: requests, refusals, sockets and money in."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._requests = Counter(
            "http_requests", "Requests answered", ["route", "status"], registry=self.registry
        )
        self._seconds = Histogram(
            "http_request_seconds",
            "Time to answer",
            ["route"],
            buckets=BUCKETS_SECONDS,
            registry=self.registry,
        )
        # Looking a label up costs more than counting: one look-up per route and status.
        self._counted: dict[tuple[str, int], tuple[Counter, Histogram]] = {}
        self.sockets = Gauge(
            "sockets_open", "Sockets in a namespace", ["namespace"], registry=self.registry
        )
        self.sockets_cut = Counter(
            "sockets_cut", "Sockets closed by us", ["reason"], registry=self.registry
        )
        self.fundings = Counter("fundings", "Fundings decided", ["state"], registry=self.registry)
        self.orders = Counter("orders", "Orders placed", ["method"], registry=self.registry)

    def count_request(self, scope: Scope, status: int, seconds: float) -> None:
        """Count one answered request under its route's template, never under its raw path."""
        route = getattr(scope.get("route"), "path", None) or "other"
        counted = self._counted.get((route, status))
        if counted is None:
            counted = (self._requests.labels(route, str(status)), self._seconds.labels(route))
            self._counted[route, status] = counted
        requests, duration = counted
        requests.inc()
        duration.observe(seconds)

    def render(self) -> bytes:
        """Return all figures in the exposition format."""
        return generate_latest(self.registry)
