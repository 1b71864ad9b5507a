"""Bodies in JSON, also those that a call reads itself because they are signed as they came."""

import json
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from api.core.errors import DomainError, InvalidFieldError
from api.core.strict_json import read_json
from api.http.wire import explain

ModelT = TypeVar("ModelT", bound=BaseModel)


class MalformedJsonError(DomainError):
    """What was sent is not JSON."""

    status = 400
    code = "malformed_json"
    message = "The request is not valid JSON."


def read_json_body(body: bytes) -> Any:
    """Parse a caller's JSON; whatever keeps it from being read is one error.

    Raises:
        json.JSONDecodeError: it is not JSON, not UTF-8, or nested too deep.
    """
    try:
        return read_json(body)
    except (UnicodeDecodeError, RecursionError) as error:
        raise json.JSONDecodeError(str(type(error).__name__), "", 0) from error


def read_model(model: type[ModelT], body: bytes) -> ModelT:
    """Read a body as the framework reads those of other calls, and refuse it alike.

    Raises:
        MalformedJsonError: it is not JSON.
        InvalidFieldError: it is JSON that does not fit; ``body`` is all of it.
    """
    try:
        return model.model_validate(read_json_body(body) if body else None)
    except json.JSONDecodeError:
        raise MalformedJsonError from None
    except ValidationError as error:
        problems = error.errors(include_url=False, include_input=False)
        told = [{**problem, "loc": ("body", *problem["loc"])} for problem in problems]
        sentence, fields = explain(told, from_part=1)
        raise InvalidFieldError(sentence, fields=fields) from None
