"""The OpenAPI description, from which clients are generated."""

from typing import Any

from fastapi import FastAPI
from fastapi.encoders import jsonable_encoder
from fastapi.routing import APIRoute
from typing_extensions import override

from api.foundation.http.admin_calls import AdminRoute
from api.foundation.http.openapi_components import share_components
from api.foundation.wire.schemas import Refusal

DESCRIPTION = """
The API of King of Fans. JSON responses of `/api/v1` are an envelope `{status, message, data}`;
`status` equals the HTTP status, and errors add `error: {code, fields, requestId}`. Amounts are
naira numbers with at most two decimals. Calls marked with a lock need the header
`Authorization: Bearer <access_token>`; a 401 means that the token is missing or invalid, and 403 is
never used. Writes that accept `Idempotency-Key` answer a retry with the first response and the
header `Idempotent-Replayed: true`. A list with `rows` and `next` is a page, newest first unless its
call says otherwise; send `next` as `before` for the next page, until it is null.
"""
FACTS: dict[str, Any] = {
    "title": "King of Fans",
    "version": "1.0.0",
    "summary": "Get Connected Get Rewarded",
    "description": DESCRIPTION,
    "license_info": {"name": "Proprietary", "identifier": "LicenseRef-Proprietary"},
    "servers": [{"url": "/", "description": "The host that serves this description"}],
}
# The framework would ask OpenTelemetry's three providers at every request whether one is set.
WITHOUT_TELEMETRY: Any = {"tracing": False, "metrics": False, "logs": False}


def _add_refusal(schemas: dict[str, Any]) -> None:
    """Add the schema that all documented errors refer to.

    If it were given to each as its model, the framework would build it a thousand times at startup.
    """
    refusal = Refusal.model_json_schema(ref_template="#/components/schemas/{model}")
    schemas |= jsonable_encoder({**refusal.pop("$defs"), "Refusal": refusal}, exclude_none=True)
    for name in sorted(schemas):
        schemas[name] = schemas.pop(name)


def _parameter_schema(parameter: dict[str, Any]) -> dict[str, Any]:
    """Return a parameter's schema without what a URL cannot say or the parameter says itself.

    An optional parameter is omitted, never null; its description is the parameter's.
    """
    schema = {key: value for key, value in parameter["schema"].items() if key != "description"}
    choices = [choice for choice in schema.get("anyOf", ()) if choice != {"type": "null"}]
    if len(choices) == 1:
        del schema["anyOf"]
        schema |= choices[0]
    return schema


class DescribedApp(FastAPI):
    """The application with an OpenAPI description for client generators."""

    @override
    def openapi(self) -> dict[str, Any]:
        """Return the description, which refers to shared components."""
        return share_components(self.expanded_openapi())

    def expanded_openapi(self) -> dict[str, Any]:
        """Return the description with everything written out in each operation.

        Every operation is named after its function, and one without a token has ``security: []``.
        Operations of the back office document their right and whether they need a fresh code.
        Parameters are never null: one that is optional can only be omitted.
        """
        for route in self.routes:
            if isinstance(route, APIRoute):
                route.operation_id = route.name
            if isinstance(route, AdminRoute):
                access = route.access
                said = {"x-right": access.right} | ({"x-fresh-code": True} if access.fresh else {})
                route.openapi_extra = {**(route.openapi_extra or {}), **said}
        description = super().openapi()
        _add_refusal(description["components"]["schemas"])
        for methods in description["paths"].values():
            for operation in methods.values():
                operation.setdefault("security", [])
                for parameter in operation.get("parameters", ()):
                    parameter["schema"] = _parameter_schema(parameter)
        return description
