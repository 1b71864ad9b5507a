"""Structured logs: one JSON line per event, without secrets or personal data."""

import logging
import re
import sys
import time
import traceback
from collections.abc import MutableMapping
from typing import Any, TextIO

import asyncpg
import structlog
from structlog.typing import ExcInfo

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
ERROR_NAMES = frozenset({"code", "status_code", "error_code"})  # values: words or digits
log = structlog.get_logger(__name__)

HIDDEN = "[hidden]"
SELDOM_SECONDS = 60.0
# Below these levels, libraries log addresses, queries, headers and sessions. The two of Engine.IO
# would print their own lines beside ours if they had no level.
LIBRARIES = {
    "httpx": logging.WARNING,
    "httpcore": logging.WARNING,
    "uvicorn.access": logging.WARNING,
    "uvicorn.error": logging.WARNING,
    "engineio.server": logging.ERROR,
    "pgqueuer": logging.ERROR,  # duplicates what the worker logs about its jobs
    "socketio.server": logging.ERROR,
}
# Logged as errors although a client caused them: a rejected handshake or session.
CLIENTS_ERRORS = ("returned without completing handshake.", "will be logged with level INFO)")
SELDOM = ("Invalid HTTP request received.", "Unsupported upgrade request.")  # once a minute
# Where the database and its driver quote the values of a failed statement.
VALUES_OF_STATEMENTS = (
    re.compile(r"^(\s*DETAIL:).*$", re.MULTILINE),
    re.compile(r"^(\s*\[parameters:).*$", re.MULTILINE),
    re.compile(r"(invalid input for query argument \$\d+:).*$", re.MULTILINE),
    re.compile(r"(invalid (?:input|byte)[^\n:]*:).*$", re.MULTILINE),
)


def hide_secrets(
    _logger: object, _method: str, entry: MutableMapping[str, Any]
) -> MutableMapping[str, Any]:
    """Mask every value whose name suggests a secret or contact details."""
    for name in entry:
        is_error = name in ERROR_NAMES and not (name == "code" and str(entry[name]).isdigit())
        if not is_error and any(word in name.lower() for word in SECRET_WORDS):
            entry[name] = HIDDEN
    return entry


def describe_exception(exc_info: ExcInfo) -> str:
    """Return a traceback without the values of a failed statement.

    The cause of the driver's error about a value is the codec's error, which quotes the value.
    """
    blocks: list[str] = []
    error: BaseException | None = exc_info[1]
    is_codecs = False
    while error is not None:
        frames = "".join(traceback.format_tb(error.__traceback__))
        sentence = HIDDEN if is_codecs else _without_values(str(error))
        blocks.append(f"Traceback:\n{frames}{type(error).__qualname__}: {sentence}")
        is_codecs = is_codecs or isinstance(error, asyncpg.DataError)
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return "\n\nafter which\n\n".join(reversed(blocks))


def _without_values(sentence: str) -> str:
    for pattern in VALUES_OF_STATEMENTS:
        sentence = pattern.sub(rf"\1 {HIDDEN}", sentence)
    return sentence


format_exceptions = structlog.processors.ExceptionRenderer(describe_exception)


class RepeatFilter:
    """Drops an entry marked ``seldom`` if the same one was logged within the last minute.

    For errors that every request hits while a service is down: one line a minute is enough.
    """

    def __init__(self) -> None:
        self._written_at: dict[tuple[str, ...], float] = {}

    def __call__(
        self, _logger: object, _method: str, entry: MutableMapping[str, Any]
    ) -> MutableMapping[str, Any]:
        """Return ``entry`` without its mark.

        Raises:
            structlog.DropEvent: the same entry was logged within the last minute.
        """
        what = [str(value) for name, value in entry.items() if name != "request_id"]
        if entry.pop("seldom", False) and not self._is_due(*what):
            raise structlog.DropEvent
        return entry

    def is_logged(self, record: logging.LogRecord) -> bool:
        """Return whether a library's record is logged; client errors are limited or dropped."""
        said = str(record.msg)
        return not said.endswith(CLIENTS_ERRORS) and (said not in SELDOM or self._is_due(said))

    def _is_due(self, *what: str) -> bool:
        moment = time.monotonic()
        if moment - self._written_at.get(what, -SELDOM_SECONDS) < SELDOM_SECONDS:
            return False
        self._written_at[what] = moment
        return True


def report_unavailable(service: str, error: BaseException) -> None:
    """Log, at most once a minute, that a service we depend on did not respond, and why."""
    error_type = type(error).__name__
    log.warning("service unavailable", service=service, error_type=error_type, seldom=True)


class LineLogger:
    """Writes whole lines, by default to the current standard output."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream

    def msg(self, line: str) -> None:
        """Write one line."""
        write_line(line, self._stream)

    log = debug = info = warning = warn = error = err = exception = critical = fatal = failure = msg


def write_line(line: str, stream: TextIO | None = None) -> None:
    """Write one line with a single call, so that threads do not interleave."""
    stream = stream or sys.stdout
    stream.write(line + "\n")
    stream.flush()


def set_up_logs(level: str, stream: TextIO | None = None) -> None:
    """Send structlog and the standard library's loggers to ``stream``, or stdout, as JSON lines."""
    shared: list[Any] = [
        structlog.contextvars.merge_contextvars,
        repeats := RepeatFilter(),
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        hide_secrets,
    ]
    structlog.configure(
        processors=[
            *shared,
            format_exceptions,
            structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelName(level)),
        logger_factory=lambda *_: LineLogger(stream),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(stream or sys.stdout)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                format_exceptions,
                structlog.processors.JSONRenderer(),
            ],
        )
    )
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(level)
    for name, least in LIBRARIES.items():
        logging.getLogger(name).setLevel(least)
        logging.getLogger(name).filters = [repeats.is_logged]
