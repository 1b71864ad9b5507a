"""The HTTP surface: the envelope on every answer, strict JSON, security headers, request ids."""

import json
import sys
import time
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass
from typing import Any

import structlog
from fastapi import FastAPI, HTTPException, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException as StarletteHTTPException
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from typing_extensions import override

from api.core.errors import DomainError
from api.core.ids import new_request_id
from api.core.metrics import Metrics
from api.core.refusals import (
    API_HEADERS,
    SANDBOX_HEADERS,
    SECURITY_HEADERS,
    SENTENCES,
    STATUS_CODES,
)
from api.core.strict_json import LONGEST_INTEGER_DIGITS, read_json
from api.core.wire import ErrorDetail, Refusal, explain

log = structlog.get_logger(__name__)

BODY_LIMIT_BYTES = 256 * 1024
SLOW_SECONDS = 2.0
WITHOUT_BODY = frozenset({"GET", "HEAD"})


@dataclass(frozen=True)
class BodyLimit:
    """How large the bodies of one path may be, and what is said of a larger one."""

    size_bytes: int
    sentence: str


JSON_LIMIT = BodyLimit(BODY_LIMIT_BYTES, SENTENCES[413])


class StrictRequest(Request):
    """A request whose JSON is read without losing numbers (``read_json``)."""

    @override
    async def json(self) -> Any:
        """Parse the body.

        Raises:
            json.JSONDecodeError: it is not JSON, or not UTF-8.
        """
        if not hasattr(self, "_json"):
            body = await self.body()
            try:
                self._json = read_json(body)
            except (UnicodeDecodeError, RecursionError) as error:
                raise json.JSONDecodeError(str(type(error).__name__), "", 0) from error
        return self._json


class StrictRoute(APIRoute):
    """A route that hands its endpoint a ``StrictRequest``."""

    @override
    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Return the stock handler behind the strict request."""
        handler = super().get_route_handler()

        async def strict_handler(request: Request) -> Response:
            return await handler(StrictRequest(request.scope, request.receive))

        return strict_handler


def route_of(scope: Scope) -> str:
    """Return the template of the route that served a request: without members' ids."""
    return getattr(scope.get("route"), "path", None) or "other"


def refuse(
    request: HTTPConnection,
    status: int,
    code: str,
    message: str,
    *,
    fields: dict[str, str] | None = None,
    content: Any = None,
    headers: dict[str, str] | None = None,
) -> JSONResponse:
    """Answer a failure in the envelope."""
    refusal = Refusal(
        status=status,
        message=message,
        data=content,
        error=ErrorDetail(
            code=code, fields=fields or {}, request_id=request.scope.get("request_id", "")
        ),
    )
    return JSONResponse(
        refusal.model_dump(mode="json", by_alias=True), status_code=status, headers=headers
    )


async def _refuse_domain_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, DomainError)  # noqa: S101 narrows the handler's type
    return refuse_error(request, error)


def refuse_error(request: HTTPConnection, error: DomainError) -> JSONResponse:
    """Answer a member's refusal in the envelope."""
    headers = {}
    if error.retry_after_seconds is not None:
        headers["Retry-After"] = str(max(1, error.retry_after_seconds))
    if error.status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    return refuse(
        request,
        error.status,
        error.code,
        error.sentence,
        fields=error.fields,
        content=error.content,
        headers=headers,
    )


async def _refuse_invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)  # noqa: S101 narrows the handler's type
    problems = error.errors()
    if any(problem["type"] == "json_invalid" for problem in problems):
        return refuse(request, 400, "malformed_json", "The request is not valid JSON.")
    first, fields = explain(problems, from_part=1)
    return refuse(request, 422, "validation_failed", first, fields=fields)


async def _refuse_http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, StarletteHTTPException)  # noqa: S101 narrows the handler's type
    status = 404 if error.status_code == 403 else error.status_code
    return refuse(
        request,
        status,
        STATUS_CODES.get(status, "refused"),
        SENTENCES.get(status, "The request was refused."),
        headers=dict(error.headers) if error.headers else None,
    )


async def _refuse_crash(request: Request, error: Exception) -> Response:
    log.error("unhandled error", route=route_of(request.scope), exc_info=error)
    return refuse(request, 500, STATUS_CODES[500], SENTENCES[500])


def add_error_handlers(app: FastAPI) -> None:
    """Make every failure of ``app`` leave in the envelope, framework errors included."""
    app.add_exception_handler(DomainError, _refuse_domain_error)
    app.add_exception_handler(RequestValidationError, _refuse_invalid)
    app.add_exception_handler(StarletteHTTPException, _refuse_http_error)


class Surface:
    """Outermost middleware: request id, headers, metrics, slow calls, and the last net.

    Written against ASGI itself: the framework's own middleware base costs 170 µs a request.
    """

    def __init__(
        self, app: ASGIApp, *, metrics: Metrics, body_limits: Mapping[str, BodyLimit] | None = None
    ) -> None:
        self._app = app
        self._metrics = metrics
        self._body_limits = body_limits or {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request_id = new_request_id()
        scope["request_id"] = request_id
        started = time.perf_counter()
        status = 0

        async def send_with_headers(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                _add_headers(message, scope["path"], request_id)
            await send(message)

        structlog.contextvars.bind_contextvars(request_id=request_id)
        try:
            if scope["method"] in WITHOUT_BODY:
                await self._app(scope, receive, send_with_headers)
            else:
                await self._serve_body(scope, receive, send_with_headers)
        except Exception as error:  # the last net: whatever it is, the caller gets the envelope
            if status:
                raise
            response = await _refuse_crash(Request(scope), error)
            await response(scope, receive, send_with_headers)
        finally:
            seconds = time.perf_counter() - started
            self._metrics.count_request(route_of(scope), status, seconds)
            if seconds > SLOW_SECONDS:
                log.warning("slow request", route=route_of(scope), status=status, seconds=seconds)
            structlog.contextvars.unbind_contextvars("request_id")

    async def _serve_body(self, scope: Scope, receive: Receive, send: Send) -> None:
        limit = self._body_limits.get(scope["path"], JSON_LIMIT)
        if _announced_length(scope) > limit.size_bytes:
            too_large = refuse(Request(scope), 413, STATUS_CODES[413], limit.sentence)
            await too_large(scope, receive, send)
        else:
            await self._app(scope, _limited(receive, limit.size_bytes), send)


async def refuse_handshake(scope: Scope, receive: Receive, send: Send, status: int) -> None:
    """Answer a WebSocket's handshake, not yet accepted, in the envelope.

    A server that has no way to say so closes it; it answers 403 then.
    """
    if "websocket.http.response" not in scope.get("extensions", {}):
        await send({"type": "websocket.close"})
        return
    scope["request_id"] = request_id = new_request_id()

    async def send_with_headers(message: Message) -> None:
        if message["type"] == "websocket.http.response.start":
            _add_headers(message, scope["path"], request_id)
        await send(message)

    answer = refuse(HTTPConnection(scope), status, STATUS_CODES[status], SENTENCES[status])
    await answer(scope, receive, send_with_headers)


def _announced_length(scope: Scope) -> int:
    for name, value in scope["headers"]:
        if name == b"content-length":
            if len(value) > LONGEST_INTEGER_DIGITS:
                return sys.maxsize
            return int(value) if value.isdigit() else 0
    return 0


def _limited(receive: Receive, limit_bytes: int) -> Receive:
    """Count what a body really brings: its announced length may be missing."""
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


def _add_headers(message: Message, path: str, request_id: str) -> None:
    """Add what the answer does not say itself; tuples, because this runs on every answer."""
    headers = [*message["headers"], (b"x-request-id", request_id.encode())]
    said = {name for name, _ in headers}
    ours = SECURITY_HEADERS
    if path.startswith("/api/"):
        ours = API_HEADERS
    elif path.startswith("/sandbox/"):
        ours = SANDBOX_HEADERS
    headers.extend(header for header in ours if header[0] not in said)
    message["headers"] = headers
