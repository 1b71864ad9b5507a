"""The application: services, event subscriptions and routes."""

import sys

from fastapi import FastAPI

from api.app.lifespan import lifespan
from api.app.member_channel import RoomMoved
from api.app.routers import BODY_LIMITS
from api.app.routes import SocketMiddleware, add_routes, allow_origins
from api.app.services import Services, build_services
from api.community.chat.events import RoomAdvanced
from api.foundation.audit.events import OperatorActed
from api.foundation.core.config import Settings
from api.foundation.core.logs import set_up_logs
from api.foundation.http.admission import AdmissionMiddleware
from api.foundation.http.answers import add_error_handlers
from api.foundation.http.description import FACTS, WITHOUT_TELEMETRY, DescribedApp
from api.foundation.http.middleware import RequestLifecycleMiddleware
from api.foundation.http.request_log import RequestLog
from api.foundation.http.route_index import RouteIndex
from api.foundation.http.safety_gate import SafetyMiddleware
from api.foundation.metrics.line_buffer import LineBuffer
from api.foundation.security.events import SecurityEvent
from api.foundation.security.members import SessionRevoked
from api.games.ranking.events import PointsAwarded
from api.money.payments.events import FundingDecided
from api.shop.events import OrderPlaced


def create_app(settings: Settings | None = None) -> FastAPI:
    """Return the application, which connects to nothing before it starts."""
    settings = settings or Settings()
    set_up_logs(settings.log_level)
    app = DescribedApp(
        lifespan=lifespan,
        generate_unique_id_function=lambda route: route.name,
        redirect_slashes=False,
        openapi_url=None,  # routes.py serves it prebuilt, with the reference
        telemetry=WITHOUT_TELEMETRY,
        **FACTS,
    )
    app.state.services = services = build_services(settings, app)
    if isinstance(sys.stdout, LineBuffer):
        sys.stdout.on_dropped = services.metrics.log_lines_dropped.inc
    _subscribe(services)
    add_error_handlers(app)
    add_routes(app, services)
    app.router.middleware_stack = RouteIndex(app.router)
    if settings.allowed_origins:
        allow_origins(app, settings.allowed_origins)
    app.add_middleware(SocketMiddleware, server=services.sockets)
    app.add_middleware(SafetyMiddleware, safety=services.safety)
    app.add_middleware(
        RequestLifecycleMiddleware,
        metrics=services.metrics,
        request_log=RequestLog(settings.log_level),
        body_limits=BODY_LIMITS,
    )
    app.add_middleware(AdmissionMiddleware, admission=services.admission)
    return app


def _subscribe(services: Services) -> None:
    """Subscribe handlers to domain events, which are published after commit."""
    bus, member_channel = services.bus, services.member_channel

    async def count_order(event: OrderPlaced) -> None:
        services.metrics.orders.labels(event.payment_method.value).inc()

    async def notify_menus(event: RoomAdvanced) -> None:
        moved = RoomMoved(club=event.tab, last=event.last)
        await member_channel.push_room_moved(event.club_id, moved)

    async def record_act(event: OperatorActed) -> None:
        services.security.record(
            SecurityEvent.OPERATOR_ACTED,
            user_id=event.user_id,
            action=event.action,
            target_type=event.target_type,
            target_id=event.target_id,
        )

    bus.subscribe(OperatorActed, record_act)
    bus.subscribe(SessionRevoked, services.identity.forget)
    bus.subscribe(OrderPlaced, count_order)
    bus.subscribe(PointsAwarded, services.folder.on_points_awarded)
    bus.subscribe(FundingDecided, member_channel.push_funding_decided)
    bus.subscribe(RoomAdvanced, notify_menus)
