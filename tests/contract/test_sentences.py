"""No library's message reaches a member; every message is specific to a field."""

import json
import re
from typing import Any, TypeVar

import pytest
from api.foundation.core.errors import NotFoundError
from api.foundation.http.openapi_components import expand_paths
from api.foundation.wire.schemas import WireInput, field_errors
from pydantic import BaseModel, ValidationError

from tests.conftest import RunningApp

ModelT = TypeVar("ModelT", bound=BaseModel)
LIBRARY = re.compile(
    r"should (be|have|match)|\binput\b(?<!email input)(?<!username input)"
    r"|valid (string|integer|number|boolean|list|dictionary|enumeration|UUID|date(?! of birth)"
    r"|datetime)|Field required|validation"
    r"|Extra inputs|Value error|Assertion failed|unable to parse|instance of|pydantic|NoneType"
    r"|errors?\b",
    re.IGNORECASE,
)
PLAIN = re.compile(r"^[A-Z].*[^.:,\s]\.?$")
WRONG: tuple[Any, ...] = (
    None,
    True,
    7,
    -1,
    10**30,
    1.5,
    "",
    " ",
    "x",
    "\x00",
    "x" * 20_000,
    "2026-13-45",
    [],
    ["x"],
    [{}],
    [7] * 200,
    [[]],
    {},
    {"x": 1},
)


def every_model(kind: type[ModelT]) -> list[type[ModelT]]:
    """Return all models of a kind."""
    found: list[type[ModelT]] = []
    for model in kind.__subclasses__():
        if model.__module__.startswith("api."):
            found += [model, *every_model(model)]
    return found


# The names that may be in the place of an error; a union would add those of its types.
DECLARED = {"", "x", "nobodyKnowsThis"}.union(
    field.alias or name
    for model in every_model(BaseModel)
    for name, field in model.model_fields.items()
)


def assert_ours(sentence: str) -> None:
    assert not LIBRARY.search(sentence), sentence
    assert PLAIN.match(sentence), sentence


@pytest.mark.parametrize("model", every_model(WireInput), ids=lambda model: model.__name__)
def test_every_field_of_every_input_is_refused_in_our_words(model: type[WireInput]) -> None:
    refused = 0
    names = [field.alias or name for name, field in model.model_fields.items()]
    payloads: list[Any] = [{}, {"nobodyKnowsThis": 1}, [], "x"]
    payloads += [{name: wrong} for name in names for wrong in WRONG]
    for payload in payloads:
        try:
            model.model_validate(payload)
        except ValidationError as error:
            message, fields = field_errors(error.errors())
            refused += 1
            assert message == next(iter(fields.values()))
            for place, sentence in fields.items():
                assert_ours(sentence)
                parts = {part for part in place.split(".") if not part.isdigit()}
                assert parts <= DECLARED
        except NotFoundError:  # an unknown id is not found, whatever else is invalid
            continue
    assert refused


async def test_every_call_refuses_wrong_bodies_and_queries_in_our_words(app: RunningApp) -> None:
    member = await app.member()
    refused = 0
    for path, operations in expand_paths(app.asgi.openapi()).items():
        address = re.sub(r"\{.*?\}", str(member.id), path)
        for method, operation in operations.items():
            if "sign-out" in path or method == "delete":
                continue
            for options in wrong_requests(operation):
                answer = await app.client.request(
                    method, address, headers=member.headers | options.pop("headers", {}), **options
                )
                assert answer.status_code < 500, (path, answer.text)
                if answer.status_code != 422:
                    continue
                refused += 1
                body = answer.json()
                assert_ours(body["message"])
                for sentence in body["error"]["fields"].values():
                    assert_ours(sentence)
                if body["error"]["fields"]:
                    assert body["message"] == next(iter(body["error"]["fields"].values()))
    assert refused > 100


def wrong_requests(operation: dict[str, Any]) -> list[dict[str, Any]]:
    """Return requests that an operation should reject."""
    requests: list[dict[str, Any]] = []
    if "application/json" in operation.get("requestBody", {}).get("content", {}):
        bodies: tuple[Any, ...] = ({}, [], "x", None, {"nobodyKnowsThis": 1})
        requests += [{"json": wrong} for wrong in bodies]
        requests.append({"content": json.dumps({}), "headers": {"Content-Type": "text/plain"}})
    for parameter in operation.get("parameters", []):
        if parameter["in"] == "query":
            name = parameter["name"]
            requests += [{"params": {name: wrong}} for wrong in ("x" * 500, "-1", "1e9", "", "\0")]
    return requests
