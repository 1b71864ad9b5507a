"""Generates the back office's description of its API: rights, and the fields of forms and filters.

Menus, buttons and forms are generated from it, so that no screen duplicates facts of the API.
"""

import json
from typing import Any, TypeAlias

from api.foundation.http.openapi_components import expand_paths

Description: TypeAlias = dict[str, Any]

ADMIN = "/api/v1/admin/"
PAGING = {"before", "limit"}
FORMATS = {"uuid": "id", "date": "day", "date-time": "moment", "time": "time", "binary": "file"}
HEAD = """\
// Made from openapi.json by `python3 run.py client`; do not edit.
import type { CallFacts } from "~/lib/facts";

export const CALLS = """
TAIL = " as const satisfies Record<string, CallFacts>;\n"


def call_facts_text(description: Description) -> str:
    """Return the generated script, which is deterministic."""
    facts = {
        f"{method.upper()} {path}": _facts(operation, description)
        for path, methods in sorted(expand_paths(description).items())
        if path.startswith(ADMIN)
        for method, operation in methods.items()
    }
    return HEAD + json.dumps(facts, indent=2, ensure_ascii=False) + TAIL


def _facts(operation: Description, description: Description) -> Description:
    facts: Description = {"right": operation.get("x-right")}
    if operation.get("x-fresh-code"):
        facts["fresh"] = True
    query = {
        one["name"]: _field(one["schema"], description)
        for one in operation.get("parameters", [])
        if one["in"] == "query" and one["name"] not in PAGING
    }
    if query:
        facts["query"] = query
    content = operation.get("requestBody", {}).get("content", {})
    if content:
        (media_type, body) = next(iter(content.items()))
        schema = _resolved(body["schema"], description)
        facts["body"] = _fields(schema, description)
        if media_type == "multipart/form-data":
            facts["form"] = True
    return facts


def _fields(schema: Description, description: Description) -> Description:
    required = set(schema.get("required", []))
    return {
        name: _field(one, description) | ({"required": True} if name in required else {})
        for name, one in schema.get("properties", {}).items()
    }


def _resolved(schema: Description, description: Description) -> Description:
    """Resolve a schema's reference and drop "or null"."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return _resolved(description["components"]["schemas"][name], description)
    choices = [one for one in schema.get("anyOf", []) if one.get("type") != "null"]
    if choices:
        rest = {name: value for name, value in schema.items() if name != "anyOf"}
        return {**rest, **_resolved(choices[0], description)}
    return schema


def _field(schema: Description, description: Description) -> Description:
    schema = _resolved(schema, description)
    if "enum" in schema or "const" in schema:
        return {"kind": "choice", "options": schema.get("enum", [schema.get("const")])}
    match schema.get("type"):
        case "string":
            kind = FORMATS.get(schema.get("format", ""), "text")
            if schema.get("contentMediaType"):
                kind = "file"
            return {"kind": kind} | _limits(schema, "minLength", "maxLength")
        case "integer" | "number" as kind:
            return {"kind": kind} | _limits(schema, "minimum", "maximum")
        case "boolean":
            return {"kind": "boolean"}
        case "array":
            item = _field(schema["items"], description)
            return {"kind": "list", "of": item} | _limits(schema, "minItems", "maxItems")
        case _:
            return {"kind": "group", "fields": _fields(schema, description)}


def _limits(schema: Description, minimum: str, maximum: str) -> Description:
    found = {"min": schema.get(minimum), "max": schema.get(maximum)}
    return {name: _whole(value) for name, value in found.items() if value is not None}


def _whole(value: float) -> float:
    return int(value) if value == int(value) else value
