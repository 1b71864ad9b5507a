"""Structured logs: one JSON line per event, no secrets and no personal data."""

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
ERROR_NAMES = frozenset({"code", "status_code", "error_code"})  # words, unless they are digits
log = structlog.get_logger(__name__)

HIDDEN = "[hidden]"
SELDOM_SECONDS = 60.0
# Below these levels libraries repeat addresses, queries, headers and sessions. The engine's two
# would write lines of their own beside ours if they had no level.
LIBRARIES = {
    "httpx": logging.WARNING,
    "httpcore": logging.WARNING,
    "uvicorn.access": logging.WARNING,
    "uvicorn.error": logging.WARNING,
    "engineio.server": logging.ERROR,
    "pgqueuer": logging.ERROR,  # it repeats what the worker says of its jobs
    "socketio.server": logging.ERROR,
}
# What they call an error although a client made it: a handshake, or a session, that was refused.
CLIENTS_ERRORS = ("returned without completing handshake.", "will be logged with level INFO)")
SELDOM = ("Invalid HTTP request received.", "Unsupported upgrade request.")  # once a minute
# Where the database and its driver repeat the values of a statement that failed.
VALUES_OF_STATEMENTS = (
    re.compile(r"^(\s*DETAIL:).*$", re.MULTILINE),
    re.compile(r"^(\s*\[parameters:).*$", re.MULTILINE),
    re.compile(r"(invalid input for query argument \$\d+:).*$", re.MULTILINE),
    re.compile(r"(invalid (?:input|byte)[^\n:]*:).*$", re.MULTILINE),
)


def hide_secrets(
    _logger: object, _method: str, entry: MutableMapping[str, Any]
) -> MutableMapping[str, Any]:
    """Blank every value whose name suggests a secret or a person's contact."""
    for name in entry:
        is_error = name in ERROR_NAMES and not (name == "code" and str(entry[name]).isdigit())
        if not is_error and any(word in name.lower() for word in SECRET_WORDS):
            entry[name] = HIDDEN
    return entry


def describe_exception(exc_info: ExcInfo) -> str:
    """Return a traceback without the values that a failed statement carried.

    What stands below the driver's complaint about a value is the codec's, which quotes it.
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
    """Drops an entry marked ``seldom`` when it was written within the last minute.

    For what every request meets while a service is away: one line a minute says it as well.
    """

    def __init__(self) -> None:
        self._written_at: dict[tuple[str, ...], float] = {}

    def __call__(
        self, _logger: object, _method: str, entry: MutableMapping[str, Any]
    ) -> MutableMapping[str, Any]:
        """Return ``entry`` without its mark.

        Raises:
            structlog.DropEvent: the same was written a moment ago.
        """
        what = [str(value) for name, value in entry.items() if name != "request_id"]
        if entry.pop("seldom", False) and not self._is_due(*what):
            raise structlog.DropEvent
        return entry

    def lets_pass(self, record: logging.LogRecord) -> bool:
        """Say whether a library's record is written; what clients did wrong is seldom or never."""
        said = str(record.msg)
        return not said.endswith(CLIENTS_ERRORS) and (said not in SELDOM or self._is_due(said))

    def _is_due(self, *what: str) -> bool:
        moment = time.monotonic()
        if moment - self._written_at.get(what, -SELDOM_SECONDS) < SELDOM_SECONDS:
            return False
        self._written_at[what] = moment
        return True


def report_unavailable(service: str, error: BaseException) -> None:
    """Write, at most once a minute, that a service we stand on did not answer, and why."""
    error_type = type(error).__name__
    log.warning("service unavailable", service=service, error_type=error_type, seldom=True)


class LineLogger:
    """Hands each line over whole, to whatever is standard output at that moment if to no other."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream

    def msg(self, line: str) -> None:
        """Write one line."""
        write_line(line, self._stream)

    log = debug = info = warning = warn = error = err = exception = critical = fatal = failure = msg


def write_line(line: str, stream: TextIO | None = None) -> None:
    """Write one line in one piece, so that threads cannot mix theirs."""
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
        logging.getLogger(name).filters = [repeats.lets_pass]
