"""Puts the house together: settings, pools, identity, doors, sockets, the web app."""

import functools
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import replace

import httpx
from fastapi import FastAPI, HTTPException, Request, Response
from fastapi.middleware.cors import CORSMiddleware
from fastapi.responses import HTMLResponse, JSONResponse, PlainTextResponse
from pydantic import SecretStr
from starlette.applications import Starlette
from starlette.types import ASGIApp, Receive, Scope, Send

from api.adapters.media_local import LocalMedia
from api.adapters.outbox import OutboxMailer
from api.adapters.paystack import PaystackGateway
from api.adapters.smtp import SmtpMailer
from api.auth import router as auth_router
from api.auth import service as auth
from api.auth.events import CodeIssued
from api.auth.live import CodeCourier, ResetRequests, Visitors
from api.auth.rules import SEEN_EVERY
from api.battle import router as battle_router
from api.battle.namespace import BattleNamespace
from api.chat import router as chat_router
from api.chat.live import PRESENCE_CHANNEL
from api.chat.namespace import ChatNamespace
from api.chat.service import HIDDEN_CHANNEL
from api.clubs import router as clubs_router
from api.core.config import Settings
from api.core.database import Database
from api.core.description import FACTS, DescribedApp
from api.core.doors import documented_only, may_watch
from api.core.engine import SocketServer, create_socket_server
from api.core.errors import DatabaseUnavailableError
from api.core.events import Bus
from api.core.housekeeping import tidy_job
from api.core.http import BodyLimit, Surface, add_error_handlers, refuse_handshake
from api.core.identity import Identity, SessionRevoked, TokenCodec
from api.core.identity_watch import IDENTITY_CHANNEL, IdentityWatch
from api.core.lanes import Lane
from api.core.listener import Listener
from api.core.logs import set_up_logs
from api.core.mail import Mailer
from api.core.media import StoredMedia, media_sweep_job
from api.core.metrics import Metrics
from api.core.money import KOBO_PER_NAIRA, Kobo
from api.core.passwords import PasswordHasher
from api.core.pictures import PictureStudio
from api.core.processes import STOPPING
from api.core.rate_limit import RateLimiter
from api.core.readiness import Readiness
from api.core.reference import POLICY, STYLE, STYLE_PATH, render_reference
from api.core.refusals import SENTENCES
from api.core.restarts import ValkeyWatch
from api.core.safety import SafetyCheck
from api.core.sealing import Sealer
from api.core.security import SecurityLog
from api.core.session_use import SessionUse
from api.core.spa import Media, WebApp
from api.core.storage import MediaStore
from api.core.supervisor import Job, Supervisor
from api.core.uploads import UploadGate
from api.moments import router as moments_router
from api.moments import service as moments
from api.payments import router as payments_router
from api.payments.events import FundingDecided
from api.payments.namespace import PaymentNamespace
from api.payments.rules import FundingLimits
from api.payments.schemas import CheckoutAddresses
from api.payments.service import Till, sweep_job
from api.privacy import router as privacy_router
from api.privacy.service import PrivacyDesk
from api.ranking import router as ranking_router
from api.ranking.events import PointsAwarded
from api.ranking.live import BoardFolder
from api.shop import router as shop_router
from api.shop.events import OrderPlaced
from api.shop.live import Shelf
from api.shop.service import expire_job
from api.subscriptions import router as subscriptions_router
from api.trivia import router as trivia_router
from api.users import router as users_router
from api.users import service as users
from api.wallet import router as wallet_router

SOCKET_PATH = "/socket.io"
# The engine bounds what it reads itself, and ends the session of a client that sends more.
SOCKET_BODIES = {SOCKET_PATH + "/": BodyLimit(2**63, SENTENCES[413])}
MAIL_DRAIN_SECONDS = 3.0
TEST_HASH_MEMORY_KIB = 1024
SANDBOX_PATH = "/sandbox/paystack"
CALLBACK_PATH = "/api/v1/payment/callback/paystack"
WEBHOOK_PATH = "/api/v1/payment/webhook/paystack"
MEDIA_OWNERS = {"avatars": users.named_keys, "moments": moments.named_keys}


class Sockets:
    """Middleware that hands the socket engine's path to the engine, and the rest on."""

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


def create_app(settings: Settings | None = None) -> FastAPI:
    """Return the application. Nothing connects to anything before it is started."""
    settings = settings or Settings()
    set_up_logs(settings.log_level)
    bus = Bus()
    metrics = Metrics()
    database = Database(
        settings.database_url,
        runtime_role=settings.database_runtime_role,
        pool_size=settings.database_pool_size,
        bus=bus,
        on_lost=metrics.connections_lost.inc,
    )
    visitors = Visitors(database)
    codec = TokenCodec(settings.token_key.get_secret_value())
    security = SecurityLog(metrics)
    look = functools.partial(auth.read_session, database, idle=settings.session_idle)
    identity = Identity(codec, functools.partial(look, notice=visitors.notice), security=security)
    code_key = settings.code_key.get_secret_value()
    sockets = create_socket_server(
        metrics=metrics,
        security=security,
        use=SessionUse(look, visitors.notice, idle=settings.session_idle, every=SEEN_EVERY),
        network_key=code_key,
        allowed_origins=[settings.public_url, *settings.allowed_origins],
        valkey_url=settings.valkey_url,
    )
    app = DescribedApp(
        lifespan=_lifespan,
        generate_unique_id_function=lambda route: route.name,
        redirect_slashes=False,
        docs_url=None,
        redoc_url=None,
        **FACTS,
    )
    app.state.settings = settings
    app.state.database = database
    app.state.metrics = metrics
    app.state.security = security
    app.state.identity = identity
    app.state.sockets = sockets
    app.state.identity_watch = IdentityWatch(identity, sockets, security)
    app.state.mailer = _mailer(settings)
    app.state.limiter = RateLimiter(
        database, key=code_key, leniency=settings.leniency, security=security
    )
    app.state.auth = auth.AuthDesk(
        database,
        _hasher(settings),
        codec,
        code_key,
        app.state.limiter,
        security,
        settings.session_idle,
    )
    app.state.resets = ResetRequests(app.state.auth)
    _open_media(app, settings)
    app.state.shelf = Shelf(database)
    app.state.sandbox = _sandbox(app, settings)
    app.state.gateway = _gateway(settings, app.state.sandbox)
    app.state.till = _till(app, settings)
    app.state.safety = SafetyCheck(database, is_needed=settings.is_production)
    app.state.readiness = Readiness(database, app.state.safety)
    app.state.supervisor = Supervisor(metrics)
    app.state.visitors = visitors
    app.state.folder = BoardFolder(database.lane(Lane.BACKGROUND))
    sockets.register_namespace(
        PaymentNamespace(identity=identity, metrics=metrics, database=database)
    )
    battle = BattleNamespace(identity=identity, metrics=metrics, database=database)
    sockets.register_namespace(battle)
    app.state.arena = battle.arena
    app.state.chat = ChatNamespace(identity=identity, metrics=metrics, database=database)
    sockets.register_namespace(app.state.chat)
    _wire_events(app, bus)
    add_error_handlers(app)
    _add_doors(app)
    if settings.allowed_origins:
        _allow_origins(app, settings.allowed_origins)
    app.add_middleware(Sockets, server=sockets)
    body_limits = moments_router.BODY_LIMITS | users_router.BODY_LIMITS | SOCKET_BODIES
    app.add_middleware(Surface, metrics=metrics, body_limits=body_limits)
    return app


def _allow_origins(app: FastAPI, origins: tuple[str, ...]) -> None:
    """Let pages of other origins call the API; tokens travel in a header, never in cookies."""
    app.add_middleware(
        CORSMiddleware,
        allow_origins=origins,
        allow_methods=["GET", "POST", "DELETE"],
        allow_headers=["Authorization", "Content-Type", "Idempotency-Key", "If-None-Match"],
        expose_headers=["ETag", "Idempotent-Replayed", "Retry-After", "X-Request-Id"],
        max_age=3600,
    )


def _hasher(settings: Settings) -> PasswordHasher:
    if settings.app_env == "test":
        return PasswordHasher(memory_kib=TEST_HASH_MEMORY_KIB)
    return PasswordHasher()


def _mailer(settings: Settings) -> Mailer:
    if settings.smtp_url is not None:
        return SmtpMailer(
            settings.smtp_url.get_secret_value(),
            sender=settings.mail_from,
            requires_tls=settings.is_production,
        )
    return OutboxMailer(settings.var_dir / "outbox", sender=settings.mail_from)


def _media_store(settings: Settings) -> MediaStore:
    """Return where media lie; the object store's client takes a second to load."""
    if settings.s3_bucket is None:
        return LocalMedia(settings.var_dir / "media")
    from api.adapters.media_s3 import Bucket, S3Media  # noqa: PLC0415 only where it is used

    def revealed(secret: SecretStr | None) -> str | None:
        return None if secret is None else secret.get_secret_value()

    return S3Media(
        Bucket(
            name=settings.s3_bucket,
            endpoint_url=settings.s3_endpoint_url,
            region=settings.s3_region,
            access_key=revealed(settings.s3_access_key),
            secret_key=revealed(settings.s3_secret_key),
        )
    )


def _open_media(app: FastAPI, settings: Settings) -> None:
    """Make what pictures, videos and the records that name them work with."""
    key_before = settings.profile_key_before
    sealer = Sealer(
        settings.profile_key.get_secret_value(),
        secret_before=None if key_before is None else key_before.get_secret_value(),
    )
    database, uploads = app.state.database, settings.var_dir / "uploads"
    app.state.media_store = store = _media_store(settings)
    app.state.studio = studio = PictureStudio()
    app.state.upload_gate = UploadGate()
    app.state.gallery = moments.Gallery(database, store, studio, uploads)
    app.state.profiles = users.ProfileDesk(
        database, store, studio, sealer, uploads, app.state.security
    )
    app.state.privacy = PrivacyDesk(database, store, app.state.auth, app.state.profiles)


def _sandbox(app: FastAPI, settings: Settings) -> Starlette | None:
    """Return the imitated provider, or None: production does not even load it."""
    if not settings.uses_sandbox:
        return None
    from api.sandbox.paystack.app import create_sandbox  # noqa: PLC0415 never in production
    from api.sandbox.paystack.config import SandboxConfig  # noqa: PLC0415 never in production
    from api.sandbox.paystack.store import SqliteStore  # noqa: PLC0415 never in production

    return create_sandbox(
        SandboxConfig(
            secret_key=settings.paystack_secret_key.get_secret_value(),
            public_url=settings.public_url + SANDBOX_PATH,
            webhook_url=settings.public_url + WEBHOOK_PATH,
            app_origins=(settings.public_url, *settings.allowed_origins),
            merchant_name="King of Fans",
            store=SqliteStore(settings.var_dir / "sandbox.sqlite3"),
            delivery_transport=httpx.ASGITransport(app),
        )
    )


def _gateway(settings: Settings, sandbox: Starlette | None) -> PaystackGateway:
    """Return the provider's adapter; with the sandbox, the same adapter on another address."""
    key = settings.paystack_secret_key.get_secret_value()
    if sandbox is None:
        return PaystackGateway(secret_key=key, base_url=settings.paystack_base_url)
    return PaystackGateway(
        secret_key=key,
        base_url=settings.public_url,
        transport=httpx.ASGITransport(sandbox),
    )


def _till(app: FastAPI, settings: Settings) -> Till:
    base = settings.public_url + SANDBOX_PATH + "/"
    addresses = CheckoutAddresses(checkout_url=base, paystack_api_url=base, payment_base_url=base)
    return Till(
        database=app.state.database,
        gateway=app.state.gateway,
        limits=FundingLimits(
            minimum_kobo=Kobo(settings.funding_min_naira * KOBO_PER_NAIRA),
            maximum_kobo=Kobo(settings.funding_max_naira * KOBO_PER_NAIRA),
            daily_maximum_kobo=Kobo(settings.funding_daily_max_naira * KOBO_PER_NAIRA),
        ),
        callback_url=settings.public_url + CALLBACK_PATH,
        checkout=addresses if settings.uses_sandbox else None,
    )


def _wire_events(app: FastAPI, bus: Bus) -> None:
    courier = CodeCourier(app.state.mailer)
    bus.subscribe(CodeIssued, courier.carry)
    bus.subscribe(SessionRevoked, app.state.identity.forget)

    async def count_order(event: OrderPlaced) -> None:
        app.state.metrics.orders.labels(event.payment_method.value).inc()

    bus.subscribe(OrderPlaced, count_order)
    bus.subscribe(PointsAwarded, app.state.folder.hear)
    payment = app.state.sockets.namespace_handlers["/payment"]
    bus.subscribe(FundingDecided, payment.push_funding_decided)


def _add_doors(app: FastAPI) -> None:
    # The calls that phones make most come first: every route passed costs two microseconds. The
    # routes stand side by side, because an included router is matched twice.
    documentation = list(app.router.routes)
    app.router.routes.clear()
    _add_operations(app)
    for door in (
        shop_router,
        wallet_router,
        payments_router,
        ranking_router,
        battle_router,
        subscriptions_router,
        trivia_router,
        chat_router,
        users_router,
        moments_router,
        privacy_router,
        auth_router,
        clubs_router,
    ):
        app.router.routes.extend(door.router.routes)
    app.router.routes.extend(documentation)
    _add_reference(app)
    settings: Settings = app.state.settings
    if app.state.sandbox is not None:
        app.mount(SANDBOX_PATH, app.state.sandbox)
    pictures = Media(directory=settings.var_dir / "media", check_dir=False)
    app.mount("/media", StoredMedia(app.state.media_store, pictures))
    app.router.default = _web_app_or_default(app, settings)


def _web_app_or_default(app: FastAPI, settings: Settings) -> ASGIApp:
    web_app = WebApp(settings.web_dist, public_url=settings.public_url)
    otherwise = app.router.default

    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await web_app(scope, receive, send)
        else:
            await otherwise(scope, receive, send)

    return serve


def _add_reference(app: FastAPI) -> None:
    @app.get(STYLE_PATH, include_in_schema=False)
    async def read_style() -> Response:
        """Return the reference's style."""
        return Response(STYLE, media_type="text/css", headers={"Cache-Control": "no-cache"})

    @app.get("/docs", include_in_schema=False)
    async def read_reference() -> HTMLResponse:
        """Return the API's reference."""
        page = render_reference(app.openapi())
        headers = {"Content-Security-Policy": POLICY, "Cache-Control": "no-cache"}
        return HTMLResponse(page, headers=headers)


def _add_operations(app: FastAPI) -> None:
    @app.get("/healthz", tags=["operations"], responses=documented_only(431))
    async def check_health() -> dict[str, str]:
        """Say that the process lives, without asking the database."""
        return {"status": "alive"}

    @app.get("/readyz", tags=["operations"], responses=documented_only(431))
    async def check_readiness(request: Request) -> JSONResponse:
        """Say whether requests can be served: 200, or 503 while stopping or unable to write."""
        readiness: Readiness = app.state.readiness
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
        """Return the figures of this process in Prometheus' format, to those who may watch it."""
        if not may_watch(request, app.state.settings):
            raise HTTPException(404)
        return Response(app.state.metrics.render(), media_type="text/plain; version=0.0.4")


def _jobs(app: FastAPI) -> list[Job]:
    """Return what this process does in the background, besides listening."""
    database: Database = app.state.database.lane(Lane.BACKGROUND)
    return [
        *app.state.folder.jobs(),
        sweep_job(replace(app.state.till, database=database)),
        expire_job(database),
        tidy_job(database),
        media_sweep_job(database, app.state.media_store, MEDIA_OWNERS),
        *app.state.arena.jobs(),
        *app.state.chat.presence.jobs(),
        app.state.chat.post_office.job(),
        app.state.visitors.job(),
        app.state.safety.job(),
    ]


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    sockets: SocketServer = app.state.sockets
    chat: ChatNamespace = app.state.chat
    identity_watch: IdentityWatch = app.state.identity_watch
    listener = Listener(
        app.state.database,
        {
            IDENTITY_CHANNEL: identity_watch.hear,
            PRESENCE_CHANNEL: chat.presence.hear,
            HIDDEN_CHANNEL: chat.hear_hidden,
        },
        app.state.metrics,
        on_up=identity_watch.start,
        on_down=identity_watch.stop,
    )
    # A database that is away right now is no reason not to start: it may be recovering.
    with suppress(DatabaseUnavailableError):
        await app.state.safety.make()
    supervisor: Supervisor = app.state.supervisor
    for job in (*_jobs(app), listener.job(), identity_watch.job()):
        supervisor.add(job)
    async with AsyncExitStack() as stack:
        sandbox = app.state.sandbox
        if sandbox is not None:
            await stack.enter_async_context(sandbox.router.lifespan_context(sandbox))
        valkey_url = app.state.settings.valkey_url
        if valkey_url is not None:
            watch = ValkeyWatch(valkey_url, app.state.metrics)
            stack.push_async_callback(watch.close)
            supervisor.add(watch.job())
        supervisor.start()
        try:
            yield
        finally:
            await supervisor.stop()
            await chat.presence.leave_all()
            await listener.close()
            await sockets.shutdown()
            await app.state.resets.settle()
            mailer = app.state.mailer
            if isinstance(mailer, SmtpMailer):
                await mailer.drain(MAIL_DRAIN_SECONDS)
            app.state.auth.hasher.close()
            app.state.studio.close()
            await app.state.media_store.aclose()
            await app.state.gateway.aclose()
    await app.state.database.close()
