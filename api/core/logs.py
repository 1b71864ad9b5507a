"""Structured logs: one JSON line per event, no secrets and no personal data."""

import logging
import sys
from collections.abc import MutableMapping
from typing import Any

import structlog

SECRET_WORDS = (
    "password",
    "token",
    "secret",
    "authorization",
    "code",
    "signature",
    "email",
    "phone",
)
ERROR_NAMES = frozenset({"code", "status_code", "error_code"})  # words, unless they are digits
HIDDEN = "[hidden]"


def hide_secrets(
    _logger: object, _method: str, entry: MutableMapping[str, Any]
) -> MutableMapping[str, Any]:
    """Blank every value whose name suggests a secret or a person's contact."""
    for name in entry:
        is_error = name in ERROR_NAMES and not (name == "code" and str(entry[name]).isdigit())
        if not is_error and any(word in name.lower() for word in SECRET_WORDS):
            entry[name] = HIDDEN
    return entry


def set_up_logs(level: str) -> None:
    """Send structlog and the standard library's loggers to stdout as JSON lines."""
    shared: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        hide_secrets,
    ]
    structlog.configure(
        processors=[
            *shared,
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelName(level)),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stdout)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.format_exc_info,
                structlog.processors.JSONRenderer(),
            ],
        )
    )
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(level)
    for noisy in ("httpx", "httpcore", "socketio", "engineio", "uvicorn.access"):
        logging.getLogger(noisy).setLevel(logging.WARNING)
