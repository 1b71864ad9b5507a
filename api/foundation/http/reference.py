"""The API reference as a page: generated from the description, without any script.

It is on the origin that holds members' tokens, so it must not run any code.
"""

import json
import re
from collections.abc import Mapping
from html import escape
from typing import Any

from api.foundation.http.openapi_components import expand_paths

METHODS = ("get", "post", "put", "patch", "delete")
POLICY = (
    "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
STYLE_PATH = "/docs/reference.css"
STYLE = """
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { margin: 0 auto; max-width: 60rem; padding: 1rem; overflow-wrap: anywhere; }
nav { columns: 14rem; } nav ul { margin: 0; padding: 0; list-style: none; }
details { border: 1px solid #8886; border-radius: .5rem; margin: .5rem 0; padding: .5rem .75rem; }
summary { cursor: pointer; }
summary b { display: inline-block; min-width: 4.5rem; }
code, pre { font: .875rem/1.4 ui-monospace, monospace; }
pre { overflow: auto; background: #8882; border-radius: .25rem; padding: .5rem; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid #8884; padding: .25rem .5rem; text-align: left; }
td { vertical-align: top; }
@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }
"""

Json = Mapping[str, Any]


def render_reference(description: dict[str, Any]) -> str:
    """Return the page of an OpenAPI description."""
    info = description["info"]
    groups: dict[str, list[str]] = {}
    for path, operations in expand_paths(description).items():
        for method in METHODS:
            if method in operations:
                operation = operations[method]
                tag = next(iter(operation.get("tags", [])), "other")
                groups.setdefault(tag, []).append(_operation(path, method, operation))
    contents = "".join(f'<li><a href="#{escape(tag)}">{escape(tag)}</a></li>' for tag in groups)
    sections = "".join(
        f'<section id="{escape(tag)}"><h2>{escape(tag)}</h2>{"".join(shown)}</section>'
        for tag, shown in groups.items()
    )
    schemas = "".join(
        f'<details id="schema-{escape(name)}"><summary><b>{escape(name)}</b> '
        f"{escape(schema.get('description', ''))}</summary>{_code(schema)}</details>"
        for name, schema in sorted(description["components"]["schemas"].items())
    )
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(info['title'])}: the API</title>"
        f'<link rel="stylesheet" href="{STYLE_PATH}"></head><body>'
        f"<header><h1>{escape(info['title'])}: the API</h1><p>{_prose(info['description'])}</p>"
        '<p>The same for programs: <a href="/openapi.json">openapi.json</a>.</p></header>'
        f'<nav aria-label="Contents"><ul>{contents}<li><a href="#schemas">schemas</a></li></ul>'
        f'</nav><main>{sections}<section id="schemas"><h2>schemas</h2>{schemas}</section></main>'
        "</body></html>"
    )


def _prose(text: str) -> str:
    """Return HTML of a text, with backticks as code."""
    return re.sub(r"`+([^`]+)`+", r"<code>\1</code>", escape(text))


def _operation(path: str, method: str, operation: Json) -> str:
    lock = "" if operation.get("security") == [] else " 🔒"
    body = operation.get("requestBody", {}).get("content", {})
    asked = "".join(
        f"<h3>Body, {escape(kind)}</h3>{_shape(content.get('schema', {}))}"
        for kind, content in body.items()
    )
    answers = "".join(
        f"<tr><th>{escape(status)}</th><td>{escape(answer.get('description', ''))}</td>"
        f"<td>{_answer_shapes(answer)}</td></tr>"
        for status, answer in operation["responses"].items()
    )
    return (
        f'<details id="{escape(operation["operationId"])}"><summary><b>{method.upper()}</b> '
        f"<code>{escape(path)}</code>{lock} {escape(operation.get('summary', ''))}</summary>"
        f"<p>{_prose(operation.get('description', ''))}</p>{_parameters(operation)}{asked}"
        f"<h3>Answers</h3><table>{answers}</table></details>"
    )


def _parameters(operation: Json) -> str:
    rows = "".join(
        f"<tr><th><code>{escape(parameter['name'])}</code></th><td>{escape(parameter['in'])}"
        f"{', required' if parameter.get('required') else ''}</td>"
        f"<td>{escape(parameter.get('description', ''))} {_inline(parameter['schema'])}</td></tr>"
        for parameter in operation.get("parameters", [])
    )
    return f"<h3>Parameters</h3><table>{rows}</table>" if rows else ""


def _answer_shapes(answer: Json) -> str:
    return (
        " ".join(_inline(content.get("schema", {})) for content in answer["content"].values())
        if ("content" in answer)
        else ""
    )


def _shape(schema: Json) -> str:
    return f"<p>{_inline(schema)}</p>" if "$ref" in schema else _code(schema)


def _inline(schema: Json) -> str:
    """Return a schema in one line: a link to a named one, its JSON otherwise."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f'<a href="#schema-{escape(name)}">{escape(name)}</a>'
    shown = {key: value for key, value in schema.items() if key != "title"}
    return f"<code>{escape(json.dumps(shown))}</code>" if shown else ""


def _code(schema: Json) -> str:
    return f"<pre>{escape(json.dumps(schema, indent=2, ensure_ascii=False))}</pre>"
