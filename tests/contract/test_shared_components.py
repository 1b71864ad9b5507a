"""The description's shared components lose no fact, and keep it and its types small."""

import json
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from api.dev.client import OPENAPI, TYPES
from api.foundation.core.config import Settings
from api.foundation.http.description import DescribedApp
from api.foundation.http.openapi_components import without_titles
from api.foundation.http.reference import render_reference
from api.main import create_app

MAX_DESCRIPTION_BYTES = 450 * 1024  # 1 kB is 1,024 bytes, as in the benchmarks
MAX_TYPES_LINES = 15_000
SHARED = ("parameters", "responses")
# The framework names the schema of a body after the function or its argument.
OF_A_BODY = re.compile(r"/content/[\w/+-]+/schema$")
VALUES = {"const", "default", "enum", "example", "examples"}


@cache
def app() -> DescribedApp:
    created = create_app(Settings())
    assert isinstance(created, DescribedApp)
    return created


def operations_and_schemas(description: dict[str, Any]) -> dict[str, Any]:
    return {name: description[name] for name in ("paths", "components")}


def resolved(node: Any, components: dict[str, Any]) -> Any:
    """Return ``node`` with every reference to a shared component replaced by it."""
    if isinstance(node, list):
        return [resolved(item, components) for item in node]
    if not isinstance(node, dict):
        return node
    reference = node.get("$ref", "")
    _, _, kind, name = reference.split("/") if reference else ("", "", "", "")
    if kind in SHARED:
        return resolved(components[kind][name], components)
    return {key: resolved(value, components) for key, value in node.items()}


def titles(node: Any, name: str, path: str = "") -> Iterator[tuple[str, str, str]]:
    """Yield the title of each schema with the name and the path of what it describes."""
    if isinstance(node, list):
        for item in node:
            yield from titles(item, name, path)
    elif isinstance(node, dict):
        if "title" in node:
            yield node["title"], name, path
        for part in parts(node, name, path):
            yield from titles(*part)


def parts(node: dict[str, Any], name: str, path: str) -> Iterator[tuple[Any, str, str]]:
    """Yield what may contain schemas in ``node``, with its name and its path."""
    if "in" in node:  # a parameter
        name = node["name"]
    for key in node.keys() - VALUES - {"title"}:
        if key in {"properties", "schemas"}:
            for each, schema in node[key].items():
                yield schema, each, f"{path}/{key}/{each}"
        else:
            yield node[key], name, f"{path}/{key}"


def letters(text: str) -> str:
    return "".join(filter(str.isalnum, text)).lower()


def test_the_description_without_references_is_that_of_the_framework() -> None:
    written_out, shared = app().expanded_openapi(), app().openapi()
    components = shared["components"]
    kept = {kind: parts for kind, parts in components.items() if kind not in SHARED}

    assert resolved(shared["paths"], components) == without_titles(written_out["paths"])
    assert kept == without_titles(written_out["components"])
    for part in shared.keys() - {"paths", "components"}:
        assert shared[part] == written_out[part]
    assert list(shared) == list(written_out)


def test_an_optional_parameter_is_omitted_and_never_null() -> None:
    parameters = [
        parameter
        for methods in app().expanded_openapi()["paths"].values()
        for operation in methods.values()
        for parameter in operation.get("parameters", ())
    ]
    optional = {"kind", "from", "q", "idempotency-key"}

    assert optional <= {parameter["name"] for parameter in parameters if not parameter["required"]}
    for parameter in parameters:
        assert {"type": "null"} not in parameter["schema"].get("anyOf", ()), parameter
        assert parameter["schema"].keys() & {"type", "$ref", "const", "anyOf"}, parameter


def test_every_shared_component_is_referred_to_more_than_once() -> None:
    shared = app().openapi()
    text = json.dumps(shared["paths"])

    for kind in SHARED:
        assert shared["components"][kind]
        for name in shared["components"][kind]:
            assert text.count(f'"#/components/{kind}/{name}"') > 1, name


def test_a_title_that_is_left_out_only_repeats_a_name() -> None:
    found = list(titles(operations_and_schemas(app().expanded_openapi()), ""))
    own = [
        (title, path)
        for title, name, path in found
        if letters(title) != letters(name) and not OF_A_BODY.search(path)
    ]

    assert len(found) > 1000
    assert own == []
    assert list(titles(operations_and_schemas(app().openapi()), "")) == []


def test_a_property_called_title_is_kept() -> None:
    schema = {
        "title": "Article",
        "properties": {"title": {"title": "Title", "type": "string"}},
        "examples": [{"title": "Derby"}],
    }

    assert without_titles(schema) == {
        "properties": {"title": {"type": "string"}},
        "examples": [{"title": "Derby"}],
    }


def test_the_reference_is_the_same_page_as_without_references() -> None:
    written_out = app().expanded_openapi()
    untitled = written_out | without_titles(operations_and_schemas(written_out))

    assert render_reference(app().openapi()) == render_reference(untitled)


def test_the_committed_description_is_the_served_one_and_small() -> None:
    assert json.loads(OPENAPI.read_text(encoding="utf-8")) == app().openapi()
    assert OPENAPI.stat().st_size <= MAX_DESCRIPTION_BYTES


def test_the_generated_types_are_small() -> None:
    assert len(TYPES.read_text(encoding="utf-8").splitlines()) <= MAX_TYPES_LINES
