"""Middleware that rejects calls until production's database has passed the safety check."""

from collections.abc import Awaitable

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send

from api.foundation.core.errors import DatabaseUnavailableError
from api.foundation.database.safety import SafetyCheck
from api.foundation.http.answers import refuse_error, refuse_handshake

GUARDED = ("/api/", "/socket.io/")


class SafetyMiddleware:
    """Responds as if the database were unavailable until the check has passed."""

    def __init__(self, app: ASGIApp, *, safety: SafetyCheck) -> None:
        self._app = app
        self._safety = safety

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        """Serve one connection; not a coroutine function, because this is a hot path."""
        if self._safety.is_passed or not scope.get("path", "").startswith(GUARDED):
            return self._app(scope, receive, send)
        return _refuse(scope, receive, send)


async def _refuse(scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        await receive()
        await refuse_handshake(scope, receive, send, 503)
    else:
        answer = refuse_error(HTTPConnection(scope), DatabaseUnavailableError())
        await answer(scope, receive, send)
