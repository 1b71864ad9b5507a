"""JSON bodies, including those that a route reads itself to verify their signature."""

import json
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from api.foundation.core.errors import DomainError, InvalidFieldError
from api.foundation.core.strict_json import read_json
from api.foundation.wire.schemas import field_errors

ModelT = TypeVar("ModelT", bound=BaseModel)


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
