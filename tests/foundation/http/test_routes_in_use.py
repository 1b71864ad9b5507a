"""Requests find the routes, and get the responses, that the framework alone would give them."""

import json
import re
from collections.abc import Iterator
from contextlib import AsyncExitStack
from typing import Any
from urllib.parse import urlencode

import pytest
from api.foundation.core.errors import DomainError
from api.foundation.core.ids import new_id
from api.foundation.http.admin_calls import AdminRoute
from api.foundation.http.compiled_routes import compile_handler
from api.foundation.http.route_index import MAX_PATH_CHARACTERS, RouteIndex
from api.foundation.http.strict_requests import StrictRoute
from fastapi import HTTPException, Request
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from starlette.routing import BaseRoute, Host, Match, Router
from starlette.types import Receive, Scope, Send

from tests.conftest import RunningApp, SignedIn

METHODS = ("GET", "DELETE")
PARAMETER = re.compile(r"\{(\w+)(:\w+)?\}")
# Its responses tell the time of day, or count what was called before.
CHANGING = {"/api/v1/time", "/healthz", "/readyz"}


def first_match(routes: list[BaseRoute], method: str, path: str) -> tuple[Match, object]:
    """Return what the framework's own loop over all routes finds."""
    partial: BaseRoute | None = None
    for route in routes:
        match, _ = route.matches(scope_of(method, path))
        if match is Match.FULL:
            return match, route
        if match is Match.PARTIAL and partial is None:
            partial = route
    return (Match.NONE, None) if partial is None else (Match.PARTIAL, partial)


def scope_of(method: str, path: str) -> dict[str, Any]:
    return {"type": "http", "method": method, "path": path, "root_path": "", "headers": []}


def paths_like(template: str) -> Iterator[str]:
    """Yield paths that a route has, and others that are nearly the same."""
    for value in ("0", "", "today"):
        path = PARAMETER.sub(value, template)
        yield from (path, path + "/", path + "/more", path.upper())
        yield from (path.rpartition("/")[0], "/" + path)


async def test_every_path_leads_to_the_route_that_trying_all_in_order_would_find(
    app: RunningApp,
) -> None:
    routes = app.asgi.router.routes
    index = RouteIndex(app.asgi.router)
    templates = [getattr(route, "path", "") for route in routes]
    paths = {path for template in templates for path in paths_like(template)}
    assert len(templates) > 250

    for path in sorted(paths):
        candidates = index.candidates(path)
        assert len(candidates) <= 6, path
        for method in METHODS:
            assert first_match(candidates, method, path) == first_match(routes, method, path), path


async def test_a_route_that_is_added_later_is_found_and_one_that_is_removed_is_not(
    app: RunningApp,
) -> None:
    async def later() -> dict[str, str]:
        return {"came": "later"}

    assert (await app.client.get("/api/v1/later")).status_code == 404
    app.asgi.add_api_route("/api/v1/later", later)
    assert (await app.client.get("/api/v1/later")).json() == {"came": "later"}
    app.asgi.router.routes.pop()
    assert (await app.client.get("/api/v1/later")).status_code == 404


def test_a_kind_of_route_that_the_index_could_never_find_is_refused() -> None:
    index = RouteIndex(Router([Host("example.com", Router())]))
    with pytest.raises(TypeError, match="index of routes"):
        index.candidates("/")


def compiled_routes(app: RunningApp) -> list[APIRoute]:
    return [
        route
        for route in app.asgi.router.routes
        if isinstance(route, StrictRoute)
        and not isinstance(route, AdminRoute)
        and compile_handler(route) is not None
    ]


async def outcome(
    app: RunningApp, route: APIRoute, handler: Any, scope: dict[str, Any]
) -> tuple[object, ...]:
    """Call one handler of a route and return what comes of it: a response or an error."""

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async with AsyncExitStack() as stack:
        names = ("fastapi_inner_astack", "fastapi_function_astack", "fastapi_middleware_astack")
        scope = scope | {"app": app.asgi, "route": route} | dict.fromkeys(names, stack)
        try:
            response = await handler(Request(scope, receive))
        except RequestValidationError as error:
            return ("invalid", json.dumps(error.errors(), default=str))
        except (DomainError, HTTPException) as error:
            return (type(error), getattr(error, "detail", None), getattr(error, "fields", None))
        return (response.status_code, response.headers.get("content-type"), bytes(response.body))


def requests_of(route: APIRoute, member: SignedIn) -> Iterator[dict[str, Any]]:
    """Yield requests without a token, valid ones, and ones with every kind of bad parameter."""
    token = [(b"authorization", b"Bearer " + member.token.encode())]
    names = [one.alias for one in route.dependant.query_params]
    for one in route.dependant.dependencies:
        names += [field.alias for field in one.query_params]
    queries = [{}, *({name: value} for name in names for value in ("!", "", "1", "-1"))]
    queries.append(dict.fromkeys(names, "!"))
    in_path = PARAMETER.findall(route.path)
    for value in (str(member.id), str(new_id()), "!", "0"):
        parameters = {name: value for name, _ in in_path}
        path = PARAMETER.sub(value, route.path)
        for query in queries:
            for headers in ([], [(b"authorization", b"Basic x")], token):
                yield {
                    "type": "http",
                    "method": "GET",
                    "scheme": "http",
                    "server": ("house", 80),
                    "client": ("127.0.0.1", 1),
                    "path": path,
                    "root_path": "",
                    "query_string": urlencode(query).encode(),
                    "headers": headers,
                    "path_params": parameters,
                    "request_id": "1",
                }
        if not in_path:
            return


async def test_a_compiled_route_gives_the_framework_s_own_response_to_good_and_bad_requests(
    app: RunningApp, member: SignedIn
) -> None:
    reads = [
        route
        for route in compiled_routes(app)
        if route.methods == {"GET"} and route.path not in CHANGING
    ]
    assert len(reads) > 40
    seen: set[object] = set()
    for route in reads:
        ours, theirs = compile_handler(route), APIRoute.get_route_handler(route)
        for scope in requests_of(route, member):
            expected = await outcome(app, route, theirs, scope)
            found = await outcome(app, route, ours, scope)
            if expected[0] == found[0] == 200 and expected != found:
                again = await outcome(app, route, theirs, scope)
                assert again != expected, route.path  # it tells the time
                continue
            assert found == expected, (route.path, scope["query_string"])
            seen.add(found[0])
    assert {200, "invalid"} <= seen


@pytest.mark.parametrize("start", ["/", "/api/v1/", "/media/", "/m/"])
async def test_a_path_that_is_longer_than_any_of_ours_is_not_paths_served(
    app: RunningApp, start: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths_served = []

    async def default(scope: Scope, _receive: Receive, _send: Send) -> None:
        paths_served.append(scope["path"])

    monkeypatch.setattr(app.asgi.router, "default", default)
    refused = await app.client.get(start + "a/" * MAX_PATH_CHARACTERS)
    assert (refused.status_code, refused.json()["error"]["code"]) == (404, "not_found")
    assert paths_served == []
