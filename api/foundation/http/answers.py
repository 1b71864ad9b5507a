"""Error responses: every failure uses the envelope, including the framework's own."""

from typing import Any

import structlog
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException as StarletteHTTPException
from starlette.requests import HTTPConnection
from starlette.types import Message, Receive, Scope, Send

from api.foundation.core.errors import DomainError
from api.foundation.http.bodies import MalformedJsonError
from api.foundation.http.body_limits import BodyTooLargeError
from api.foundation.http.refusals import (
    API_HEADERS,
    SANDBOX_HEADERS,
    SECURITY_HEADERS,
    SENTENCES,
    STATUS_CODES,
)
from api.foundation.http.request_ids import new_request_id
from api.foundation.wire.schemas import ErrorDetail, Refusal, field_errors

log = structlog.get_logger(__name__)


def route_of(scope: Scope) -> str:
    """Return the template of the matched route, without members' ids."""
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
    """Return an error response in the envelope."""
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
    """Return the response for a domain error."""
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
        return refuse_error(request, MalformedJsonError())
    first, fields = field_errors(problems, from_part=1)
    return refuse(request, 422, "validation_failed", first, fields=fields)


async def _refuse_http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, StarletteHTTPException)  # noqa: S101 narrows the handler's type
    status = 404 if error.status_code == 403 else error.status_code
    sentence = SENTENCES.get(status, "The request was refused.")
    return refuse(
        request,
        status,
        STATUS_CODES.get(status, "refused"),
        error.detail if isinstance(error, BodyTooLargeError) else sentence,
        headers=dict(error.headers) if error.headers else None,
    )


async def refuse_crash(request: Request, error: Exception) -> Response:
    """Log an unexpected exception and return the envelope of a 500."""
    log.error("unhandled error", route=route_of(request.scope), exc_info=error)
    return refuse(request, 500, STATUS_CODES[500], SENTENCES[500])


def add_error_handlers(app: FastAPI) -> None:
    """Register handlers so that every failure of ``app`` uses the envelope."""
    app.add_exception_handler(DomainError, _refuse_domain_error)
    app.add_exception_handler(RequestValidationError, _refuse_invalid)
    app.add_exception_handler(StarletteHTTPException, _refuse_http_error)


async def refuse_handshake(scope: Scope, receive: Receive, send: Send, status: int) -> None:
    """Reject a WebSocket handshake before accepting it, with the envelope.

    A server without the extension for that closes the socket, which sends a 403.
    """
    if "websocket.http.response" not in scope.get("extensions", {}):
        await send({"type": "websocket.close"})
        return
    scope["request_id"] = request_id = new_request_id()

    async def send_with_headers(message: Message) -> None:
        if message["type"] == "websocket.http.response.start":
            add_headers(message, scope["path"], request_id)
        await send(message)

    answer = refuse(HTTPConnection(scope), status, STATUS_CODES[status], SENTENCES[status])
    await answer(scope, receive, send_with_headers)


def add_headers(message: Message, path: str, request_id: str) -> None:
    """Add the headers that the response lacks; as tuples, because this is a hot path."""
    headers = [*message["headers"], (b"x-request-id", request_id.encode())]
    said = {name for name, _ in headers}
    ours = SECURITY_HEADERS
    if path.startswith("/api/"):
        ours = API_HEADERS
    elif path.startswith("/sandbox/"):
        ours = SANDBOX_HEADERS
    headers += [header for header in ours if header[0] not in said]
    message["headers"] = headers
