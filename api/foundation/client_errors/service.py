"""Accepts error reports: rate-limited, counted by kind, and logged on one line each."""

import time
from contextlib import suppress
from datetime import timedelta

import structlog

from api.foundation.client_errors.enums import ErrorKind
from api.foundation.client_errors.rules import without_persons
from api.foundation.client_errors.schemas import ClientErrorReport
from api.foundation.core.errors import DatabaseUnavailableError, TooManyRequestsError
from api.foundation.core.metrics import Metrics
from api.foundation.database.rate_limit import Limit, RateLimiter

log = structlog.get_logger(__name__)

REPORTS = Limit("client-error", 10, timedelta(minutes=1))
WINDOW_SECONDS = 60.0
MAX_COUNTED = 600  # reports per worker and minute that count against their networks
MAX_LOGGED_REPORTS = 120  # enough to see an error that affects all members


class ReportWindow:
    """A rate limit within this process, independent of the number of clients."""

    def __init__(self, max_hits: int) -> None:
        self._max_hits = max_hits
        self._hits = 0
        self._ends = 0.0

    def hit(self) -> None:
        """Count one hit; raise if the limit is reached."""
        now = time.monotonic()
        if now >= self._ends:
            self._hits, self._ends = 0, now + WINDOW_SECONDS
        if self._hits >= self._max_hits:
            raise TooManyRequestsError(retry_after_seconds=int(self._ends - now) + 1)
        self._hits += 1


class ClientErrors:
    """Reports from browsers to this process."""

    def __init__(self, limiter: RateLimiter, metrics: Metrics) -> None:
        self._limiter = limiter
        self._counted = ReportWindow(MAX_COUNTED)
        self._taken = ReportWindow(MAX_LOGGED_REPORTS)
        self._figures = {kind: metrics.client_errors.labels(kind.value) for kind in ErrorKind}

    async def accept(self, report: ClientErrorReport, address: str) -> None:
        """Count and log a report; the sender is not recorded.

        While the database is unavailable, reports are accepted without the limit per network,
        because that is when they matter most.

        Raises:
            TooManyRequestsError: the network, or all clients together, reached the limit.
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
