"""Middleware around every request: id, headers, body limit, log line, metrics, error handler."""

import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass

import structlog
from fastapi import HTTPException, Request
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.foundation.core.metrics import Metrics
from api.foundation.core.strict_json import MAX_INTEGER_DIGITS
from api.foundation.http.answers import add_headers, refuse, refuse_crash, route_of
from api.foundation.http.refusals import SENTENCES, STATUS_CODES
from api.foundation.http.request_ids import new_request_id
from api.foundation.http.request_log import CLIENT_LEFT, RequestLog

ADMIN = "/api/v1/admin"
BODY_LIMIT_BYTES = 256 * 1024
WITHOUT_BODY = frozenset({"GET", "HEAD"})


@dataclass(frozen=True)
class BodyLimit:
    """The size limit of a path's bodies, and the message for larger ones."""

    size_bytes: int
    sentence: str


class BodyLimits:
    """Body limits by path; a ``{name}`` in a path matches any one segment."""

    def __init__(self, limits: Mapping[str, BodyLimit]) -> None:
        self._exact = {path: limit for path, limit in limits.items() if "{" not in path}
        self._named = [
            (path.partition("{")[0], path.partition("}")[2], limit)
            for path, limit in limits.items()
            if "{" in path
        ]

    def of(self, path: str) -> BodyLimit:
        """Return the limit of a path."""
        for start, end, limit in self._named:
            if path.startswith(start) and path.endswith(end):
                return limit
        return self._exact.get(path, JSON_LIMIT)


JSON_LIMIT = BodyLimit(BODY_LIMIT_BYTES, SENTENCES[413])


class RequestLifecycleMiddleware:
    """Gives a request its id, headers, log line and metrics, and handles unexpected errors.

    A client that disconnects before the response is not an error: its status is 499.

    Written against ASGI itself: the framework's own middleware base costs 170 µs a request.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        metrics: Metrics,
        request_log: RequestLog,
        body_limits: Mapping[str, BodyLimit] | None = None,
    ) -> None:
        self._app = app
        self._metrics = metrics
        self._request_log = request_log
        self._body_limits = BodyLimits(body_limits or {})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        exchange = Exchange(scope, receive, send)
        started = time.perf_counter()
        structlog.contextvars.bind_contextvars(request_id=exchange.request_id)
        try:
            await self._serve(scope, exchange)
        finally:
            seconds, route = time.perf_counter() - started, route_of(scope)
            status = CLIENT_LEFT if exchange.has_left else exchange.status
            self._metrics.count_request(route, status, seconds)
            self._request_log.write(scope, route, status, seconds)
            structlog.contextvars.unbind_contextvars("request_id")

    async def _serve(self, scope: Scope, exchange: "Exchange") -> None:
        try:
            if scope["method"] in WITHOUT_BODY:
                await self._app(scope, exchange.receive, exchange.send)
            else:
                await self._serve_body(scope, exchange.receive, exchange.send)
        except ClientDisconnect:
            exchange.has_left = True
        except Exception as error:  # unexpected: the caller still gets the envelope
            if exchange.status:
                raise
            response = await refuse_crash(Request(scope), error)
            await response(scope, exchange.receive, exchange.send)

    async def _serve_body(self, scope: Scope, receive: Receive, send: Send) -> None:
        limit = self._body_limits.of(scope["path"])
        # For the back office this is checked after authentication, before the body is read.
        may_say = not scope["path"].startswith(ADMIN)
        if may_say and _announced_length(scope) > limit.size_bytes:
            too_large = refuse(Request(scope), 413, STATUS_CODES[413], limit.sentence)
            await too_large(scope, receive, send)
        else:
            await self._app(scope, _limited(receive, limit.size_bytes), send)


class Exchange:
    """The state of a request and its response; ``status`` is 0 before the response."""

    __slots__ = ("_path", "_receive", "_send", "has_left", "request_id", "status")

    def __init__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._receive = receive
        self._send = send
        self._path: str = scope["path"]
        self.request_id = scope["request_id"] = new_request_id()
        self.status = 0
        self.has_left = False

    async def receive(self) -> Message:
        """Receive, and detect a client that disconnects before the response starts."""
        message = await self._receive()
        if message["type"] == "http.disconnect" and not self.status:
            self.has_left = True
        return message

    async def send(self, message: Message) -> None:
        """Send, with our headers."""
        if message["type"] == "http.response.start":
            self.status = message["status"]
            add_headers(message, self._path, self.request_id)
        await self._send(message)


def _announced_length(scope: Scope) -> int:
    for name, value in scope["headers"]:
        if name == b"content-length":
            if len(value) > MAX_INTEGER_DIGITS:
                return sys.maxsize
            return int(value) if value.isdigit() else 0
    return 0


def _limited(receive: Receive, limit_bytes: int) -> Receive:
    """Count the bytes of a body as they arrive: the declared length may be missing."""
    received = 0

    async def receive_within_limit() -> Message:
        nonlocal received
        message = await receive()
        if message["type"] == "http.request":
            received += len(message.get("body", b""))
            if received > limit_bytes:
                raise HTTPException(413)
        return message

    return receive_within_limit
