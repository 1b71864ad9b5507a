"""One line for each request: what was asked, by whom, and how it ended; never from where.

Put together by hand, because it is on every request's way: the log's own processors cost ten times
as much. What is in it needs no hiding: ids, words of ours, numbers, and the method.
"""

import functools
import json
import logging

from starlette.types import Scope

from api.core import clock
from api.core.logs import write_line

SLOW_SECONDS = 2.0
CLIENT_LEFT = 499  # the status of a request whose client left before it was answered
LOGGED_PREFIXES = ("/api/", "/socket.io/", "/sandbox/")
USER_ID = "user_id"  # where a request's scope holds whose token it carried


class RequestLog:
    """Writes a line a request at INFO, of pages, files and probes at DEBUG.

    What was slow or failed is a warning, wherever it was.
    """

    def __init__(self, level: str) -> None:
        self._least: int = logging.getLevelNamesMapping()[level]

    def write(self, scope: Scope, route: str, status: int, seconds: float) -> None:
        """Write the line of a request that is over."""
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
