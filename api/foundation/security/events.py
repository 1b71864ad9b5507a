"""Security events: logged on one line each and counted, for operators to find later.

An event says who (an id), what and why in stable words. It never contains a password, a code, a
token, an email, a phone number or a whole address.
"""

import logging
import math
import time
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

import structlog

from api.foundation.core.metrics import Metrics
from api.foundation.core.supervisor import Job

# Independent of LOG_LEVEL: a deployment that hides notices must still find its attackers.
log: structlog.typing.FilteringBoundLogger = structlog.wrap_logger(
    None, wrapper_class=structlog.make_filtering_bound_logger(logging.INFO)
)


class SecurityEvent(StrEnum):
    """The event's name in the log and its label on the counter."""

    SIGNED_UP = "signed_up"
    ACTIVATED = "activated"
    SIGNED_IN = "signed_in"
    SIGN_IN_REFUSED = "sign_in_refused"
    SIGN_IN_LOCKED = "sign_in_locked"
    OPERATOR_SIGN_IN_DELAYED = "operator_sign_in_delayed"
    SIGNED_OUT = "signed_out"
    SESSIONS_REVOKED = "sessions_revoked"
    EMAIL_CORRECTED = "email_corrected"
    PHONE_CORRECTED = "phone_corrected"
    CODE_SENT = "code_sent"
    CODE_REFUSED = "code_refused"
    PASSWORD_CHANGED = "password_changed"  # noqa: S105 an event's name
    PROFILE_CHANGED = "profile_changed"
    DATA_EXPORTED = "data_exported"
    ACCOUNT_ERASED = "account_erased"
    TOKEN_REFUSED = "token_refused"  # noqa: S105 an event's name
    ACCESS_REFUSED = "access_refused"
    LIMIT_REACHED = "limit_reached"
    SIGNATURE_REFUSED = "signature_refused"
    CONNECTION_CLOSED = "connection_closed"
    OPERATOR_ACTED = "operator_acted"
    IDENTITY_CHANGED = "identity_changed"


# Rejections: of a flood, only the first few are logged, and the total once a minute.
REFUSALS = frozenset(
    {
        SecurityEvent.SIGN_IN_REFUSED,
        SecurityEvent.SIGN_IN_LOCKED,
        SecurityEvent.OPERATOR_SIGN_IN_DELAYED,
        SecurityEvent.CODE_REFUSED,
        SecurityEvent.TOKEN_REFUSED,
        SecurityEvent.ACCESS_REFUSED,
        SecurityEvent.LIMIT_REACHED,
        SecurityEvent.SIGNATURE_REFUSED,
        SecurityEvent.CONNECTION_CLOSED,
    }
)
WINDOW_SECONDS = 60.0
WRITTEN = 10  # lines per minute for identical rejections
MAX_WINDOWS = 1000  # distinct rejections per event and minute; the rest count as one
SUM_UP_SECONDS = 5.0


@dataclass
class Window:
    """A minute of identical rejections: its start, and their number."""

    event: SecurityEvent
    details: dict[str, str | int | bool]
    began: float
    count: int = 0


class SecurityLog:
    """Logs and counts security events; built once per process.

    Of identical rejections in a minute the first ``WRITTEN`` get a line each, and the others share
    one with their ``count``. The counter includes all of them.
    """

    def __init__(self, metrics: Metrics) -> None:
        self._counter = metrics.security_events
        self._limits = metrics.limits_reached
        for event in SecurityEvent:  # initialized, so that the first event shows as an increase
            self._counter.labels(event.value)
        # One map per event, so that a flood of one does not hide another.
        self._windows: dict[SecurityEvent, dict[object, Window]] = {}

    def job(self) -> Job:
        """Return the job that logs the totals of past minutes."""
        return Job(name="security_log", step=self._sum_up_due, every_seconds=SUM_UP_SECONDS)

    def record(
        self, event: SecurityEvent, *, user_id: UUID | None = None, **details: str | int | bool
    ) -> None:
        """Log and count an event; ``details`` are stable words, ids and numbers."""
        if user_id is not None:
            details["user_id"] = str(user_id)
        self._counter.labels(event.value).inc()
        if event is SecurityEvent.LIMIT_REACHED:
            self._limits.labels(details.get("limit", "other")).inc()
        if event not in REFUSALS or self._is_written(event, details):
            log.info("security_event", event_type=event.value, **details)

    def _is_written(self, event: SecurityEvent, details: dict[str, str | int | bool]) -> bool:
        """Count a rejection, and return whether it is among the first of its minute."""
        windows = self._windows.setdefault(event, {})
        key: object = (*details.items(),)
        if key not in windows and len(windows) >= MAX_WINDOWS:
            key, details = event, {}
        window = windows.get(key)
        if window is None or time.monotonic() >= window.began + WINDOW_SECONDS:
            if window is not None:
                self._sum_up(window)
            window = windows[key] = Window(event, details, time.monotonic())
        window.count += 1
        return window.count <= WRITTEN

    async def _sum_up_due(self) -> None:
        self.sum_up(time.monotonic() - WINDOW_SECONDS)

    def sum_up(self, began_before: float = math.inf) -> None:
        """Log the totals of windows that began before a time of the monotonic clock."""
        for windows in self._windows.values():
            for key, window in list(windows.items()):
                if window.began <= began_before:
                    del windows[key]
                    self._sum_up(window)

    def _sum_up(self, window: Window) -> None:
        if window.count > WRITTEN:
            log.info(
                "security_event",
                event_type=window.event.value,
                **window.details,
                count=window.count - WRITTEN,
                within_seconds=round(time.monotonic() - window.began),
            )
