"""Bodies: their size limits, and JSON, including what a route reads itself for its signature."""

import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from starlette.exceptions import HTTPException
from starlette.types import Scope

from api.foundation.core.errors import DomainError, InvalidFieldError
from api.foundation.core.strict_json import MAX_INTEGER_DIGITS, read_json
from api.foundation.http.refusals import SENTENCES
from api.foundation.wire.schemas import field_errors

ModelT = TypeVar("ModelT", bound=BaseModel)
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


class MalformedJsonError(DomainError):
    """The body is not JSON."""

    status = 400
    code = "malformed_json"
    message = "The request is not valid JSON."


def read_json_body(body: bytes) -> Any:
    """Parse a caller's JSON; every failure raises the same error.

    Raises:
        json.JSONDecodeError: it is not JSON, not UTF-8, or nested too deep.
    """
    try:
        return read_json(body)
    except (UnicodeDecodeError, RecursionError) as error:
        raise json.JSONDecodeError(str(type(error).__name__), "", 0) from error


def read_model(model: type[ModelT], body: bytes) -> ModelT:
    """Validate a body like the framework does, with the same errors.

    Raises:
        MalformedJsonError: it is not JSON.
        InvalidFieldError: it is JSON that does not match; the field ``body`` is the whole body.
    """
    try:
        return model.model_validate(read_json_body(body) if body else None)
    except json.JSONDecodeError:
        raise MalformedJsonError from None
    except ValidationError as error:
        problems = error.errors(include_url=False, include_input=False)
        prefixed = [{**problem, "loc": ("body", *problem["loc"])} for problem in problems]
        sentence, fields = field_errors(prefixed, from_part=1)
        raise InvalidFieldError(sentence, fields=fields) from None
