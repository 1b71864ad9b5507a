"""Requests with strict JSON parsing, and routes that use them."""

from typing import Any

from fastapi import Request, Response
from fastapi.routing import APIRoute
from starlette.types import ASGIApp, Receive, Scope, Send
from typing_extensions import override

from api.foundation.http.bodies import read_json_body
from api.foundation.http.body_limits import require_size
from api.foundation.http.compiled_routes import Handler, compile_handler


class StrictRequest(Request):
    """A request whose JSON is parsed without losing numbers (``read_json``)."""

    @override
    async def json(self) -> Any:
        """Parse the body.

        Raises:
            json.JSONDecodeError: it is not JSON, or not UTF-8.
        """
        if not hasattr(self, "_json"):
            self._json = read_json_body(await self.body())
        return self._json


class StrictRoute(APIRoute):
    """A route that passes a ``StrictRequest`` to its endpoint, if its body is not too large.

    A route that can be compiled is called without the framework's exit stacks, which close
    generators and uploads that it does not have.
    """

    _compiled: Handler | None = None

    @override
    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        if self._compiled is not None:
            self.app = _direct(self.get_route_handler())

    @override
    def get_route_handler(self) -> Handler:
        """Return the compiled handler, or the default one with the strict request."""
        self._compiled = compile_handler(self)
        handler = self._compiled or _with_strict_request(super().get_route_handler())

        async def checked_handler(request: Request) -> Response:
            require_size(request.scope)
            return await handler(request)

        return checked_handler


def _with_strict_request(handler: Handler) -> Handler:
    async def strict_handler(request: Request) -> Response:
        return await handler(StrictRequest(request.scope, request.receive))

    return strict_handler


def _direct(handler: Handler) -> ASGIApp:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        response = await handler(Request(scope, receive, send))
        await response(scope, receive, send)

    return app
