"""Metrics in the Prometheus text format, per application so that tests do not share them."""

from dataclasses import dataclass

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector

BUCKETS_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5)


@dataclass(frozen=True)
class JobFigures:
    """One background job's metrics; its last success is missing before the first one."""

    name: str
    successes: Gauge
    failures: Counter
    restarts: Counter

    def succeeded_at(self, timestamp: float) -> None:
        """Record a success, in seconds since 1970."""
        self.successes.labels(self.name).set(timestamp)


class Metrics:
    """Metrics for operators: requests, rejections, sockets, incoming money, jobs and dependencies.

    ``registry`` holds metrics of this process, ``everybodys`` those read from the database, which
    are the same in every process.
    """

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.everybodys = CollectorRegistry()
        ProcessCollector(registry=self.registry)
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
        self.requests_in_flight = Gauge(
            "http_requests_in_flight", "Requests being answered", ["load"], registry=self.registry
        )
        self.requests_refused = Counter(
            "http_requests_refused",
            "Requests refused unread, because too many were being answered",
            ["load"],
            registry=self.registry,
        )
        # Resolving labels costs more than counting, so it is cached per route and status.
        self._counted: dict[tuple[str, int], tuple[Counter, Histogram]] = {}
        self.sockets = Gauge(
            "sockets_open", "Sockets in a namespace", ["namespace"], registry=self.registry
        )
        self.sockets_cut = Counter(
            "sockets_cut", "Sockets closed by us", ["reason"], registry=self.registry
        )
        self.fundings = Counter("fundings", "Fundings decided", ["state"], registry=self.registry)
        self.security_events = Counter(
            "security_events", "What SecurityLog recorded", ["event"], registry=self.registry
        )
        self.limits_reached = Counter(
            "limit_reached", "Calls refused by a limit", ["limit"], registry=self.registry
        )
        self.client_errors = Counter(
            "client_errors", "Errors that browsers reported", ["kind"], registry=self.registry
        )
        self.orders = Counter("orders", "Orders placed", ["method"], registry=self.registry)
        self.webhooks = Counter(
            "webhooks",
            "Reports of the payment provider, by outcome",
            ["outcome"],
            registry=self.registry,
        )
        self.webhook_seconds = Histogram(
            "webhook_seconds",
            "Time from a report's arrival until its funding was settled",
            buckets=BUCKETS_SECONDS,
            registry=self.registry,
        )
        self._add_process()
        self._add_jobs()
        self._add_database()
        self._add_dependencies()

    def _add_process(self) -> None:
        Counter(
            "server_process_starts", "Processes that began to serve", registry=self.registry
        ).inc()
        self.loop_lag = Histogram(
            "event_loop_lag_seconds",
            "How much later than asked the event loop woke its watcher",
            buckets=BUCKETS_SECONDS,
            registry=self.registry,
        )
        self.log_lines_dropped = Counter(
            "log_lines_dropped",
            "Lines not written because the log's reader did not keep up",
            registry=self.registry,
        )
        self.sockets_unsent_bytes = Gauge(
            "sockets_unsent_bytes",
            "Bytes that sockets' readers have not taken yet",
            registry=self.registry,
        )
        self.sockets_queued_packets = Gauge(
            "sockets_queued_packets",
            "Packets that wait for a socket's writer",
            registry=self.registry,
        )

    def _add_jobs(self) -> None:
        self._job_successes = Gauge(
            "job_last_success_seconds",
            "When a background job last succeeded, in seconds since 1970",
            ["job"],
            registry=self.registry,
        )
        self._job_failures = Counter(
            "job_failures", "Steps of a background job that failed", ["job"], registry=self.registry
        )
        self._job_restarts = Counter(
            "job_restarts", "Background jobs begun again", ["job"], registry=self.registry
        )

    def _add_database(self) -> None:
        self.database_places = Gauge(
            "database_places",
            "Places of a lane that are in use, free, or waited for",
            ["lane", "kind", "state"],
            registry=self.registry,
        )
        self.database_waits = Histogram(
            "database_wait_seconds",
            "Time waited for a place of a lane, by those who had to wait",
            ["lane"],
            buckets=BUCKETS_SECONDS,
            registry=self.registry,
        )
        self.database_connections_idle = Gauge(
            "database_connections_idle",
            "Connections that are kept for the next statement",
            registry=self.registry,
        )

    def _add_dependencies(self) -> None:
        self.connections_lost = Counter(
            "database_connections_lost",
            "Connections to the database that ended without our doing",
            registry=self.registry,
        )
        self.listener_reconnects = Counter(
            "listener_reconnects", "Listening connections found again", registry=self.registry
        )
        self.dependency_restarts = Counter(
            "dependency_restarts",
            "Times a server we depend on came back as another process",
            ["name"],
            registry=self.registry,
        )
        self.dependency_up = Gauge(
            "dependency_up",
            "Whether a server we depend on answered at the last look: 1 or 0",
            ["name"],
            registry=self.registry,
        )
        self.dependency_changed = Gauge(
            "dependency_changed_seconds",
            "When that last changed, in seconds since 1970",
            ["name"],
            registry=self.registry,
        )

    def job(self, name: str) -> JobFigures:
        """Return the metrics of one background job."""
        return JobFigures(
            name,
            self._job_successes,
            self._job_failures.labels(name),
            self._job_restarts.labels(name),
        )

    def count_request(self, route: str, status: int, seconds: float) -> None:
        """Count one request under its route's template, never under its raw path."""
        counted = self._counted.get((route, status))
        if counted is None:
            counted = (self._requests.labels(route, str(status)), self._seconds.labels(route))
            self._counted[route, status] = counted
        requests, duration = counted
        requests.inc()
        duration.observe(seconds)
