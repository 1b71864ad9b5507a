"""Security events: what an operator must be able to find afterwards, counted and on one line each.

An event says who (an id), what and why in stable words. It never holds a password, a code, a token,
an e-mail, a phone number or a whole address.
"""

import logging
from enum import StrEnum
from uuid import UUID

import structlog

from api.core.metrics import Metrics

# Not silenced by LOG_LEVEL: a deployment that hides its notices must still find its attackers.
log: structlog.typing.FilteringBoundLogger = structlog.wrap_logger(
    None, wrapper_class=structlog.make_filtering_bound_logger(logging.INFO)
)


class SecurityEvent(StrEnum):
    """What happened; the values are words of the log and labels of the counter."""

    SIGNED_UP = "signed_up"
    ACTIVATED = "activated"
    SIGNED_IN = "signed_in"
    SIGN_IN_REFUSED = "sign_in_refused"
    SIGN_IN_LOCKED = "sign_in_locked"
    SIGNED_OUT = "signed_out"
    SESSIONS_REVOKED = "sessions_revoked"
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


class SecurityLog:
    """Writes and counts security events; made once per process."""

    def __init__(self, metrics: Metrics) -> None:
        self._counter = metrics.security_events

    def record(
        self, event: SecurityEvent, *, user_id: UUID | None = None, **details: str | int | bool
    ) -> None:
        """Write one line and count it; ``details`` are stable words, ids and numbers."""
        if user_id is not None:
            details["user_id"] = str(user_id)
        log.info("security_event", event_type=event.value, **details)
        self._counter.labels(event.value).inc()
