"""Puts the house together: settings, pools, identity, doors, sockets, the web app."""

import functools
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import replace

from fastapi import FastAPI

from api.adapters.smtp import SmtpMailer
from api.auth import service as auth
from api.auth.events import CodeIssued
from api.auth.live import CodeCourier, ResetRequests, Visitors
from api.auth.rules import SEEN_EVERY
from api.battle.namespace import BattleNamespace
from api.chat.events import RoomMoved
from api.chat.live import PRESENCE_CHANNEL
from api.chat.namespace import ChatNamespace
from api.chat.service import HIDDEN_CHANNEL
from api.client_errors.service import ClientErrors
from api.core.config import Settings
from api.core.errors import DatabaseUnavailableError
from api.core.events import Bus
from api.core.logs import set_up_logs
from api.core.metrics import Metrics
from api.core.supervisor import Job, Supervisor
from api.database.database import Database
from api.database.housekeeping import tidy_job
from api.database.lanes import Lane
from api.database.listener import Listener
from api.database.rate_limit import RateLimiter
from api.database.readiness import Readiness
from api.database.safety import SafetyCheck
from api.http.answers import add_error_handlers
from api.http.description import FACTS, DescribedApp
from api.http.middleware import Surface
from api.http.safety_gate import SafetyGate
from api.http.uploads import UploadGate
from api.media.pictures import PictureStudio
from api.media.sweeping import media_sweep_job
from api.moments import service as moments
from api.parts import (
    make_gateway,
    make_hasher,
    make_mailer,
    make_media_store,
    make_sandbox,
    make_till,
)
from api.payments import schemas as payments_schemas
from api.payments.events import FundingDecided
from api.payments.namespace import PaymentNamespace
from api.payments.service import sweep_job
from api.privacy.service import PrivacyDesk
from api.ranking.events import PointsAwarded
from api.ranking.live import BoardFolder
from api.realtime.engine import SocketServer, create_socket_server
from api.realtime.identity_watch import IDENTITY_CHANNEL, IdentityWatch
from api.realtime.session_use import SessionUse
from api.realtime.valkey_watch import ValkeyWatch
from api.routes import BODY_LIMITS, Sockets, add_doors, allow_origins
from api.security.events import SecurityLog
from api.security.identity import Identity
from api.security.members import SessionRevoked
from api.security.sealing import Sealer
from api.security.tokens import TokenCodec
from api.shop.events import OrderPlaced
from api.shop.live import Shelf
from api.shop.service import expire_job
from api.users import service as users

MAIL_DRAIN_SECONDS = 3.0
MEDIA_OWNERS = {"avatars": users.named_keys, "moments": moments.named_keys}


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
    app.state.mailer = make_mailer(settings)
    app.state.limiter = RateLimiter(
        database, key=code_key, leniency=settings.leniency, security=security
    )
    app.state.client_errors = ClientErrors(app.state.limiter, metrics)
    app.state.auth = auth.AuthDesk(
        database,
        make_hasher(settings),
        codec,
        code_key,
        app.state.limiter,
        security,
        settings.session_idle,
    )
    app.state.resets = ResetRequests(app.state.auth)
    _open_media(app, settings)
    app.state.shelf = Shelf(database)
    app.state.sandbox = make_sandbox(app, settings)
    app.state.gateway = make_gateway(settings, app.state.sandbox)
    app.state.till = make_till(app, settings)
    app.state.safety = SafetyCheck(
        database,
        runtime_role=settings.database_runtime_role,
        is_needed=settings.is_production,
    )
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
    add_doors(app)
    if settings.allowed_origins:
        allow_origins(app, settings.allowed_origins)
    app.add_middleware(Sockets, server=sockets)
    app.add_middleware(SafetyGate, safety=app.state.safety)
    app.add_middleware(Surface, metrics=metrics, body_limits=BODY_LIMITS)
    return app


def _open_media(app: FastAPI, settings: Settings) -> None:
    """Make what pictures, videos and the records that name them work with."""
    key_before = settings.profile_key_before
    sealer = Sealer(
        settings.profile_key.get_secret_value(),
        secret_before=None if key_before is None else key_before.get_secret_value(),
    )
    database, uploads = app.state.database, settings.var_dir / "uploads"
    app.state.media_store = store = make_media_store(settings)
    app.state.studio = studio = PictureStudio()
    app.state.upload_gate = UploadGate()
    app.state.gallery = moments.Gallery(database, store, studio, uploads)
    app.state.profiles = users.ProfileDesk(
        database, store, studio, sealer, uploads, app.state.security
    )
    app.state.privacy = PrivacyDesk(database, store, app.state.auth, app.state.profiles)


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

    async def tell_menus(event: RoomMoved) -> None:
        moved = payments_schemas.RoomMoved(club=event.tab, last=event.last)
        await payment.push_room_moved(event.club_id, moved)

    bus.subscribe(RoomMoved, tell_menus)


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
        app.state.chat.room_watch.job(),
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
