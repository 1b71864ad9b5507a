"""Routes: the socket engine, the API, operators' pages, the web app."""

import asyncio
import functools
import json

from fastapi import FastAPI, HTTPException, Request, Response
from fastapi.middleware.cors import CORSMiddleware
from fastapi.responses import JSONResponse, PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from api.app.factories import SANDBOX_PATH
from api.app.routers import ROUTERS, SOCKET_PATH
from api.app.services import Services
from api.community.moments.service import moderation as moments_moderation
from api.foundation.core import clock
from api.foundation.core.processes import STOPPING
from api.foundation.http.answers import refuse_handshake
from api.foundation.http.dependencies import may_watch
from api.foundation.http.prebuilt import PrebuiltResponse
from api.foundation.http.reference import POLICY, STYLE, STYLE_PATH, render_reference
from api.foundation.http.responses import documented_only
from api.foundation.http.spa import Media, ScreenHead, WebApp
from api.foundation.http.strict_requests import StrictRoute
from api.foundation.media.serving import StoredMedia
from api.foundation.media.storage import FOLDERS
from api.foundation.metrics.multiprocess import processes_wanted
from api.foundation.metrics.snapshots import render
from api.foundation.realtime.engine import SocketServer
from api.home.public import screens

DESCRIPTION_HEADERS = {
    "Content-Type": "application/json",
    "Cache-Control": "public, max-age=3600",
}
REFERENCE_HEADERS = {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": POLICY,
    "Cache-Control": "no-cache",
}


class SocketMiddleware:
    """Middleware that routes the socket path to the engine."""

    def __init__(self, app: ASGIApp, *, server: SocketServer) -> None:
        self._app = app
        self._server = server

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        if scope["type"] in {"http", "websocket"} and scope["path"].startswith(SOCKET_PATH + "/"):
            await self._server.handle_request(scope, receive, send)
        elif scope["type"] == "websocket":
            await receive()
            await refuse_handshake(scope, receive, send, 404)
        else:
            await self._app(scope, receive, send)


def allow_origins(app: FastAPI, origins: tuple[str, ...]) -> None:
    """Enable CORS for other origins; tokens travel in a header, never in cookies."""
    app.add_middleware(
        CORSMiddleware,
        allow_origins=origins,
        allow_methods=["GET", "POST", "PUT", "PATCH", "DELETE"],
        allow_headers=[
            "Authorization",
            "Content-Type",
            "Idempotency-Key",
            "If-None-Match",
            "X-Challenge",
        ],
        expose_headers=["ETag", "Idempotent-Replayed", "Retry-After", "X-Request-Id"],
        max_age=3600,
    )


def add_routes(app: FastAPI, services: Services) -> None:
    """Add all routes of the application."""
    # All routes are at the top level, because an included router is matched twice.
    _add_operations(app, services)
    for calls in ROUTERS:
        app.router.routes.extend(calls.router.routes)
    if not services.settings.is_production:
        from api.dev.time_travel import (  # noqa: PLC0415 never in production
            router as time_travel_router,
        )

        app.router.routes.extend(time_travel_router.router.routes)
    _add_description(app)
    settings = services.settings
    if services.sandbox is not None:
        app.mount(SANDBOX_PATH, services.sandbox)
    pictures = Media(directory=settings.var_dir / "media", not_here=FOLDERS)
    withheld = {"moments": functools.partial(moments_moderation.is_hidden, services.database)}
    app.mount("/media", StoredMedia(services.media_store, pictures, withheld))
    app.router.default = _web_app_or_default(app, services)


def _web_app_or_default(app: FastAPI, services: Services) -> ASGIApp:
    async def head_of(path: str) -> ScreenHead:
        head = await services.site.head_of(path, clock.now())
        is_screen = screens.is_screen(path)
        return ScreenHead(services.pages.head(head), 200 if is_screen else 404)

    settings = services.settings
    web_app = WebApp(settings.web_dist, public_url=settings.public_url, heads=head_of)
    otherwise = app.router.default

    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await web_app(scope, receive, send)
        else:
            await otherwise(scope, receive, send)

    return serve


def _add_description(app: FastAPI) -> None:
    async def describe() -> bytes:
        return await asyncio.to_thread(
            lambda: json.dumps(app.openapi(), ensure_ascii=False, separators=(",", ":")).encode()
        )

    async def refer() -> bytes:
        plain = (await description.built()).plain
        return await asyncio.to_thread(lambda: render_reference(json.loads(plain)).encode())

    description = PrebuiltResponse(describe, DESCRIPTION_HEADERS)
    reference = PrebuiltResponse(refer, REFERENCE_HEADERS)

    async def read_style(_request: Request) -> Response:
        return Response(STYLE, media_type="text/css", headers={"Cache-Control": "no-cache"})

    app.add_route("/openapi.json", description.answer, include_in_schema=False)
    app.add_route("/docs", reference.answer, include_in_schema=False)
    app.add_route(STYLE_PATH, read_style, include_in_schema=False)


def _add_operations(app: FastAPI, services: Services) -> None:
    app.router.route_class = StrictRoute

    @app.get("/healthz", tags=["operations"], responses=documented_only(431))
    async def check_health() -> dict[str, str]:
        """Check that the process is alive; does not query the database."""
        return {"status": "alive"}

    @app.get("/readyz", tags=["operations"], responses=documented_only(431))
    async def check_readiness(request: Request) -> JSONResponse:
        """Check readiness: 200, or 503 while stopping, unable to write or unsafe."""
        readiness = services.readiness
        takes_writes = await readiness.database_takes_writes()
        stopping = getattr(request.state, STOPPING, None)
        is_stopping = stopping is not None and stopping.is_set()
        is_ready = takes_writes and readiness.is_safe() and not is_stopping
        return JSONResponse(
            {"status": "ready" if is_ready else "not ready", "database": takes_writes},
            status_code=200 if is_ready else 503,
        )

    @app.get(
        "/metrics",
        tags=["operations"],
        response_class=PlainTextResponse,
        responses=documented_only(404, 431),
    )
    async def read_metrics(request: Request) -> Response:
        """Return the metrics of all processes in Prometheus format; 404 without access."""
        if not may_watch(request, services.settings):
            raise HTTPException(404)
        await services.figures.refresh()
        others = (
            await services.process_metrics.read() if services.process_metrics is not None else ()
        )
        shown = render(services.metrics, others, wanted=processes_wanted())
        return Response(shown, media_type="text/plain; version=0.0.4")
