"""Middleware that keeps calls out until production's database was found safe."""

from collections.abc import Awaitable

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send

from api.core.errors import DatabaseUnavailableError
from api.database.safety import SafetyCheck
from api.http.answers import refuse_error, refuse_handshake

GUARDED = ("/api/", "/socket.io/")


class SafetyMiddleware:
    """Middleware that answers as without a database until the check has passed."""

    def __init__(self, app: ASGIApp, *, safety: SafetyCheck) -> None:
        self._app = app
        self._safety = safety

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        """Serve one connection; no coroutine of its own, because this runs on every call."""
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
