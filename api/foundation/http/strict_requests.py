"""Requests with strict JSON parsing, and routes that use them."""

from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import Request, Response
from fastapi.routing import APIRoute
from typing_extensions import override

from api.foundation.http.bodies import read_json_body
from api.foundation.http.body_limits import require_size
from api.foundation.http.compiled_routes import compile_handler


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
    """A route that passes a ``StrictRequest`` to its endpoint, if its body is not too large."""

    @override
    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Return the compiled handler, or the default one with the strict request."""
        compiled, handler = compile_handler(self), super().get_route_handler()

        async def strict_handler(request: Request) -> Response:
            require_size(request.scope)
            if compiled is not None:
                return await compiled(request)
            return await handler(StrictRequest(request.scope, request.receive))

        return strict_handler
