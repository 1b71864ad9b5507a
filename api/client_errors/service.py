"""Takes reports of errors: few enough, counted by kind, and logged on one line each."""

import time
from contextlib import suppress
from datetime import timedelta

import structlog

from api.client_errors.enums import ErrorKind
from api.client_errors.rules import without_persons
from api.client_errors.schemas import ClientErrorReport
from api.core.errors import DatabaseUnavailableError, TooManyRequestsError
from api.core.metrics import Metrics
from api.database.rate_limit import Limit, RateLimiter

log = structlog.get_logger(__name__)

REPORTS = Limit("client-error", 10, timedelta(minutes=1))
WINDOW_SECONDS = 60.0
MAX_COUNTED = 600  # reports of a worker and minute that are counted against their networks
MAX_LOGGED_REPORTS = 120  # and that are logged: a fault that all members meet is told by far fewer


class ReportWindow:
    """Counts hits within this process; no crowd can make it do more."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._hits = 0
        self._ends = 0.0

    def hit(self) -> None:
        """Count one hit.

        Raises:
            TooManyRequestsError: the window is full.
        """
        now = time.monotonic()
        if now >= self._ends:
            self._hits, self._ends = 0, now + WINDOW_SECONDS
        if self._hits >= self._most:
            raise TooManyRequestsError(retry_after_seconds=int(self._ends - now) + 1)
        self._hits += 1


class ClientErrors:
    """What browsers report to this process."""

    def __init__(self, limiter: RateLimiter, metrics: Metrics) -> None:
        self._limiter = limiter
        self._counted = ReportWindow(MAX_COUNTED)
        self._taken = ReportWindow(MAX_LOGGED_REPORTS)
        self._figures = {kind: metrics.client_errors.labels(kind.value) for kind in ErrorKind}

    async def take(self, report: ClientErrorReport, address: str) -> None:
        """Count and log a report; who sent it is told nowhere.

        A report is taken without the count of its network while the database is away: then they
        matter most.

        Raises:
            TooManyRequestsError: the network, or everybody together, reported too often.
        """
        self._counted.hit()
        with suppress(DatabaseUnavailableError):
            await self._limiter.hit_address(REPORTS, address)
        self._taken.hit()
        self._figures[report.kind].inc()
        log.warning(
            "client error",
            kind=report.kind.value,
            error_name=without_persons(report.name),
            message=without_persons(report.message),
            path=without_persons(report.path),
            build=report.build,
        )
