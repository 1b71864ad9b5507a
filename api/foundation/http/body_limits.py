"""How large the bodies of each path may be."""

import sys
from collections.abc import Mapping
from dataclasses import dataclass

from starlette.exceptions import HTTPException
from starlette.types import Scope

from api.foundation.core.strict_json import MAX_INTEGER_DIGITS
from api.foundation.http.refusals import SENTENCES

BODY_LIMIT_BYTES = 256 * 1024
BODY_LIMIT = "body_limit"  # the scope's key of the path's limit


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


class BodyTooLargeError(HTTPException):
    """The body exceeds its path's limit; ``detail`` is the message for the caller."""

    def __init__(self, sentence: str) -> None:
        super().__init__(413, sentence)


def require_size(scope: Scope) -> None:
    """Check the announced length of a body before anything of it is read.

    Raises:
        BodyTooLargeError: it exceeds the limit of the path.
    """
    limit: BodyLimit | None = scope.get(BODY_LIMIT)
    if limit is not None and _announced_bytes(scope) > limit.size_bytes:
        raise BodyTooLargeError(limit.sentence)


def _announced_bytes(scope: Scope) -> int:
    for name, value in scope["headers"]:
        if name == b"content-length":
            if len(value) > MAX_INTEGER_DIGITS:
                return sys.maxsize
            return int(value) if value.isdigit() else 0
    return 0
