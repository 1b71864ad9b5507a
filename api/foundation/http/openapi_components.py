"""Shares what the operations of an OpenAPI description have in common, through its components.

Written out in each operation, errors and parameters are more than half of the description.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

from api.foundation.http.responses import REFUSAL

Json: TypeAlias = dict[str, Any]

# Below these keys are values, which may have a field called "title".
VALUES = frozenset({"const", "default", "enum", "example", "examples"})


def share_components(description: Json) -> Json:
    """Return an equivalent description whose operations refer to shared components.

    An error response is shared under its status, a parameter under its name. The titles of schemas
    are left out, because the framework derives them from the names.
    """
    responses = _common_errors(description)
    parameters = _common_parameters(description)

    def response(status: str, whole: Json) -> Json:
        return _reference("responses", status) if responses.get(status) == whole else whole

    def parameter(whole: Json) -> Json:
        name = whole["name"]
        return _reference("parameters", name) if parameters.get(name) == whole else whole

    paths = _map_parts(description, response=response, parameter=parameter)
    components = description["components"] | {"responses": responses, "parameters": parameters}
    return description | {
        "paths": without_titles(paths),
        "components": without_titles(components),
    }


def expand_paths(description: Json) -> dict[str, dict[str, Json]]:
    """Return the paths with all parameters and responses written out in their operations."""
    components = description["components"]

    def whole(part: Json) -> Json:
        if "$ref" not in part:
            return part
        kind, name = part["$ref"].split("/")[-2:]
        found: Json = components[kind][name]
        return found

    return _map_parts(description, response=lambda _, part: whole(part), parameter=whole)


def without_titles(node: Any, *, is_by_name: bool = False) -> Any:
    """Return a part of a description without the titles of its schemas.

    If ``is_by_name``, the keys of ``node`` are names of properties.
    """
    if isinstance(node, list):
        return [without_titles(item) for item in node]
    if not isinstance(node, dict):
        return node
    if is_by_name:
        return {name: without_titles(schema) for name, schema in node.items()}
    return {
        key: value if key in VALUES else without_titles(value, is_by_name=key == "properties")
        for key, value in node.items()
        if key != "title"
    }


def _map_parts(
    description: Json,
    *,
    response: Callable[[str, Json], Json],
    parameter: Callable[[Json], Json],
) -> dict[str, dict[str, Json]]:
    """Return the paths with each operation's responses and parameters replaced."""

    def replaced(operation: Json) -> Json:
        parts: Json = {
            "responses": {
                status: response(status, part) for status, part in operation["responses"].items()
            }
        }
        if "parameters" in operation:
            parts["parameters"] = [parameter(part) for part in operation["parameters"]]
        return operation | parts

    return {
        path: {method: replaced(operation) for method, operation in methods.items()}
        for path, methods in description["paths"].items()
    }


def _common_errors(description: Json) -> Json:
    """Return the first form of each status's error response."""
    found: Json = {}
    for operation in _operations(description):
        for status, response in operation["responses"].items():
            content = response.get("content", {}).get("application/json", {})
            if content.get("schema") == {"$ref": REFUSAL}:
                found.setdefault(status, response)
    return {status: found[status] for status in sorted(found)}


def _common_parameters(description: Json) -> Json:
    """Return the most frequent form of each parameter that several operations have."""
    forms = Counter(
        json.dumps(parameter)
        for operation in _operations(description)
        for parameter in operation.get("parameters", ())
    )
    found: Json = {}
    for form, count in forms.most_common():
        if count > 1:
            parameter = json.loads(form)
            found.setdefault(parameter["name"], parameter)
    return {name: found[name] for name in sorted(found)}


def _operations(description: Json) -> Iterator[Json]:
    for methods in description["paths"].values():
        yield from methods.values()


def _reference(kind: str, name: str) -> Json:
    return {"$ref": f"#/components/{kind}/{name}"}
