"""request-cost: where the CPU time of the hottest calls goes, layer by layer."""

import itertools
from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack
from typing import Any

from api.foundation.core.metrics import Metrics
from api.foundation.database.database import Database
from api.foundation.http.request_log import RequestLog
from api.foundation.http.route_index import RouteIndex
from api.foundation.security.identity import Identity
from fastapi import FastAPI
from starlette.routing import Match
from starlette.types import ASGIApp, Receive, Scope, Send

from bench.checkout import BILLING
from bench.database import BenchDatabase, database
from bench.harness import Verdict, get, http_slice
from bench.in_process import Request, cpu_us, recorded_statements, run, running_app, send_to
from bench.load import Plan
from bench.subjects import SignedIn, our_server, sign_in

CONNECTIONS = 8
SECONDS = 2.0
SHOPPER = "bench1@example.com"
TEMPLATE = "/api/v1/today"


def requests_of(rows: BenchDatabase, member: SignedIn) -> dict[str, Request]:
    """Return the calls: a balance, the products, Home and a checkout of one product."""
    product = rows.ids("SELECT id FROM product ORDER BY position OFFSET 4 LIMIT 1")[0]
    order = {
        "carts": [{"id": product, "quantity": 1}],
        "billing": BILLING,
        "paymentMethod": "wallet",
    }
    token = member.token
    return {
        "balance": Request("GET", f"/api/v1/payment/wallet-balance/{member.user_id}", token),
        "products": Request("GET", "/api/v1/products", token),
        "home": Request("GET", "/api/v1/today", token),
        "checkout": Request("POST", "/api/v1/products/checkout", token, order),
    }


def layers(app: FastAPI) -> Iterator[tuple[str, ASGIApp]]:
    """Yield the layers around the routes, from outside to inside."""
    layer: Any = app
    if app.middleware_stack is None:
        app.middleware_stack = app.build_middleware_stack()
    while layer is not None and layer is not app.router:
        yield type(layer).__name__, layer
        layer = app.middleware_stack if layer is app else _inner(layer)


def _inner(layer: object) -> ASGIApp | None:
    return next((getattr(layer, name) for name in ("app", "_app") if hasattr(layer, name)), None)


async def _in_process(rows: BenchDatabase) -> dict[str, dict[str, float]]:
    async with running_app(rows, SHOPPER) as (app, member):
        calls = requests_of(rows, member)
        costs = {"layers": await _layers(app, Request("GET", "/api/v1/clubs"))}
        for name, request in calls.items():
            costs[name] = await _parts_of(app, member, request)
    return costs


async def _layers(app: FastAPI, request: Request) -> dict[str, float]:
    """Return the cost of each layer of a call that reads nothing: with and without it."""
    chain: list[tuple[str, ASGIApp]] = [
        *layers(app),
        ("routing", RouteIndex(app.router)),
        ("endpoint", _endpoint(app, request)),
    ]
    measured = [(name, await _cost(app, layer, request)) for name, layer in chain]
    figures = {name: outer - inner for (name, outer), (_, inner) in itertools.pairwise(measured)}
    return figures | dict(measured[-1:])


def _endpoint(app: FastAPI, request: Request) -> ASGIApp:
    """Return the route of a request, as if it had been found already."""
    route, found = next(
        (one, more)
        for one in RouteIndex(app.router).candidates(request.path)
        for match, more in [one.matches(request.scope())]
        if match is Match.FULL
    )

    async def routed(scope: Scope, receive: Receive, send: Send) -> None:
        scope.update(found)
        await route.handle(scope, receive, send)

    return routed


async def _cost(app: FastAPI, layer: ASGIApp, request: Request) -> float:
    async def call() -> None:
        given = {"app": app, "request_id": "0", "fastapi_middleware_astack": AsyncExitStack()}
        await send_to(layer, request, request.scope() | given)

    return await cpu_us(call, count=300 if request.body else 1500)


async def _parts_of(app: FastAPI, member: SignedIn, request: Request) -> dict[str, float]:
    """Return a call's total and its endpoint, and what is part of either, measured alone."""
    services = app.state.services
    total, endpoint = (
        await _cost(app, app, request),
        await _cost(app, _endpoint(app, request), request),
    )
    with recorded_statements() as statements:
        await send_to(app, request)

    async def token() -> None:
        await services.get(Identity).member(member.token)

    log, metrics = RequestLog("INFO"), services.get(Metrics)
    scope = request.scope() | {"request_id": "0" * 16, "user_id": member.user_id}

    async def log_line() -> None:
        log.write(scope, TEMPLATE, 200, 0.01)

    async def count() -> None:
        metrics.count_request(TEMPLATE, 200, 0.01)

    parts = {
        "all layers": total - endpoint,
        "endpoint": endpoint,
        "  of it: token": await cpu_us(token),
        "  of it: log line": await cpu_us(log_line),
        "  of it: metrics": await cpu_us(count),
    }
    if not request.body:
        parts |= await _statements_alone(services.database, statements)
    return parts


async def _statements_alone(
    ours: Database, statements: Sequence[tuple[str, Sequence[Any]]]
) -> dict[str, float]:
    async def through_lanes() -> None:
        for text, arguments in statements:
            await ours.fetch_rows(text, *arguments)

    connection = await ours.connect_alone()

    async def driver() -> None:
        for text, arguments in statements:
            await connection.fetch(text, *arguments)

    bare = await cpu_us(driver)
    lanes = await cpu_us(through_lanes) - bare
    await connection.close()
    return {f"  of it: driver, {len(statements)} statements": bare, "  of it: lanes": lanes}


def request_cost(_verdict: Verdict) -> None:
    """Print the CPU time of each layer for a balance, the products, Home and a checkout."""
    with database() as rows:
        rows.add_members(1)
        with our_server(rows) as ours:
            member = sign_in(ours, SHOPPER)
            served = {}
            for name, request in requests_of(rows, member).items():
                if not request.body:
                    plan = Plan(ours.port, CONNECTIONS, SECONDS, [get(request.path, member.token)])
                    served[name] = http_slice(ours, plan).cpu_us_per_operation
        costs = run(_in_process(rows))
    for name, figures in costs.items():
        inside = sum(cost for layer, cost in figures.items() if not layer.startswith("  "))
        print(f"{name}: {inside:.0f} us in the process")
        if name in served:
            print(f"  {served[name] - inside:8.1f}  server protocol and sockets")
        for layer, cost in figures.items():
            print(f"  {cost:8.1f}  {layer}", flush=True)
