"""A compiled call resolves every kind of dependency as the framework itself does."""

from collections.abc import AsyncIterator
from typing import Annotated

import httpx
import pytest
from api.foundation.core.errors import TokenMissingError
from api.foundation.http.answers import add_error_handlers
from api.foundation.http.body_limits import BODY_LIMIT, BodyLimit
from api.foundation.http.compiled_routes import compile_handler
from api.foundation.http.strict_requests import StrictRoute
from api.foundation.wire.schemas import WireModel
from fastapi import APIRouter, Body, Depends, FastAPI, Header, Query, Request, Response
from fastapi.routing import APIRoute
from starlette.types import ASGIApp, Receive, Scope, Send

calls: list[str] = []


class Seen(WireModel):
    """What an endpoint was called with."""

    values: list[str]


async def first(request: Request) -> str:
    calls.append("first")
    if request.headers.get("x-token") == "none":
        raise TokenMissingError
    return "first"


async def second(before: Annotated[str, Depends(first)], limit: int = 1) -> str:
    calls.append("second")
    return f"second {limit} after {before}"


async def third(size: Annotated[int, Query(ge=1)]) -> str:
    calls.append("third")
    return f"third {size}"


async def after_third(before: Annotated[str, Depends(third)]) -> str:
    calls.append("after third")
    return f"after {before}"


class Callable:
    """A dependency with state."""

    def __init__(self, name: str) -> None:
        self.name = name

    async def __call__(self) -> str:
        calls.append(self.name)
        return self.name


def add_calls(router: APIRouter) -> None:
    @router.get("/all/{place}", status_code=206)
    async def read_all(
        place: int,
        one: Annotated[str, Depends(second)],
        two: Annotated[str, Depends(first)],
        again: Annotated[str, Depends(first, use_cache=False)],
        lasting: Annotated[str, Depends(after_third)],
        left: Annotated[str, Depends(Callable("left"))],
        right: Annotated[str, Depends(Callable("right"))],
        x_device: Annotated[list[str], Header()],
        word: Annotated[list[str] | None, Query()] = None,
    ) -> Seen:
        values = [str(place), one, two, again, lasting, left, right, *x_device, *(word or [])]
        return Seen(values=values)

    @router.delete("/plain")
    async def remove() -> Seen:
        return Seen(values=[])

    @router.get("/answer")
    async def answer(one: Annotated[str, Depends(first)]) -> Seen | None:
        return Seen(values=[one])


def client_of(route_class: type[APIRoute]) -> httpx.AsyncClient:
    app = FastAPI()
    router = APIRouter(route_class=route_class)
    add_calls(router)
    add_error_handlers(app)
    app.router.routes.extend(router.routes)

    async def limited(scope: Scope, receive: Receive, send: Send) -> None:
        scope[BODY_LIMIT] = BodyLimit(10, "Too large.")
        await app(scope, receive, send)

    served: ASGIApp = limited
    return httpx.AsyncClient(transport=httpx.ASGITransport(served), base_url="http://house")


@pytest.mark.parametrize(
    ("path", "headers"),
    [
        ("/all/3?size=2", {"X-Device": "a"}),
        ("/all/3?size=2&limit=7&word=x&word=y", {"X-Device": "a"}),
        ("/all/3?size=2", {}),
        ("/all/three?size=none&limit=x", {}),
        ("/all/3?limit=x&size=2", {"X-Device": "a"}),
        ("/all/3?size=0", {"X-Device": "a"}),
        ("/all/3", {"X-Device": "a", "X-Token": "none"}),
        ("/all/x", {"X-Token": "none"}),
        ("/answer", {}),
        ("/answer?unknown=1", {"X-Token": "none"}),
    ],
)
async def test_every_call_runs_the_same_dependencies_and_answers_the_same(
    path: str, headers: dict[str, str]
) -> None:
    outcomes = []
    for route_class in (APIRoute, StrictRoute):
        calls.clear()
        async with client_of(route_class) as client:
            response = await client.get(path, headers=headers)
        outcomes.append((response.status_code, response.json(), list(calls)))
    expected, found = outcomes
    assert found == expected


def test_the_calls_above_are_compiled_and_what_needs_the_framework_is_not() -> None:
    router = APIRouter(route_class=StrictRoute)
    add_calls(router)
    routes = [route for route in router.routes if isinstance(route, APIRoute)]
    assert [compile_handler(route) is not None for route in routes] == [True] * 3

    def threaded() -> str:
        return ""

    async def closed() -> AsyncIterator[str]:
        yield ""

    async def with_response(response: Response) -> str:
        return str(response.status_code)

    left = APIRouter(route_class=StrictRoute)
    for place, dependency in enumerate((threaded, closed, with_response)):

        @left.get(f"/left/{place}")
        async def read(_one: Annotated[str, Depends(dependency)]) -> Seen:
            return Seen(values=[])

    @left.post("/left")
    async def write(content: Annotated[Seen, Body()]) -> Seen:
        return content

    assert all(
        compile_handler(route) is None for route in left.routes if isinstance(route, APIRoute)
    )


async def test_a_body_that_is_too_large_is_refused_although_the_call_reads_none() -> None:
    async with client_of(StrictRoute) as client:
        kept = await client.request("DELETE", "/plain", content=b"x" * 10)
        refused = await client.request("DELETE", "/plain", content=b"x" * 11)
    assert (kept.status_code, refused.status_code) == (200, 413)
