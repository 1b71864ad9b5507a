"""One line per request: route, caller, result; never the address.

Formatted by hand because it is a hot path: structlog's processors cost ten times as much. Its
values need no masking: ids, our own words, numbers, and the method.
"""

import functools
import json
import logging

from starlette.types import Scope

from api.foundation.core import clock
from api.foundation.core.logs import write_line

SLOW_SECONDS = 2.0
CLIENT_LEFT = 499  # logged if the client disconnects before the response
LOGGED_PREFIXES = ("/api/", "/socket.io/", "/sandbox/")
USER_ID = "user_id"  # the scope's key of the authenticated user's id


class RequestLog:
    """Logs one line per request, at INFO; pages, files and probes at DEBUG.

    Slow and failed requests are warnings, whatever their path.
    """

    def __init__(self, level: str) -> None:
        self._least: int = logging.getLevelNamesMapping()[level]

    def write(self, scope: Scope, route: str, status: int, seconds: float) -> None:
        """Log a finished request."""
        if seconds > SLOW_SECONDS or status >= 500:
            level, number = "warning", logging.WARNING
        elif scope["path"].startswith(LOGGED_PREFIXES):
            level, number = "info", logging.INFO
        else:
            level, number = "debug", logging.DEBUG
        if number < self._least:
            return
        user_id = scope.get(USER_ID)
        whose = f'"user_id": "{user_id}", ' if user_id is not None else ""
        write_line(
            f'{{"event": "request", "request_id": "{scope["request_id"]}", '
            f'{_what(scope["method"], route)}, "status": {status}, "ms": {seconds * 1000:.1f}, '
            f'{whose}"level": "{level}", "timestamp": "{clock.now().isoformat()[:26]}Z"}}'
        )


@functools.lru_cache(maxsize=1024)
def _what(method: str, route: str) -> str:
    return f'"method": {json.dumps(method)}, "route": {json.dumps(route)}'
