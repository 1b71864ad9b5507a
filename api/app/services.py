"""All services of one process, built once from its settings."""

import functools
from dataclasses import dataclass, fields
from typing import Any, TypeVar

from fastapi import FastAPI
from starlette.applications import Starlette

from api.app.back_office import make_mails, make_operators, make_oversight
from api.app.factories import (
    NETWORK_LIMITS,
    chat_limits,
    code_channels,
    make_database,
    make_gateways,
    make_hasher,
    make_limiter,
    make_media_store,
    make_payments,
    make_push,
    make_sealer,
    make_site,
    make_sms_reports,
    make_statements,
)
from api.app.member_channel import MemberChannel
from api.app.routers import CLASSES
from api.app.sandboxes import make_sandbox
from api.backoffice.members.service.queries import MembersContext
from api.backoffice.oversight.service.context import OversightContext
from api.backoffice.refunds.service import listing as refunds_listing
from api.backoffice.system.ports import MailContext
from api.community.chat.namespace import ChatNamespace
from api.foundation.client_errors.service import ClientErrors
from api.foundation.core.config import Settings
from api.foundation.core.events import Bus
from api.foundation.core.metrics import Metrics
from api.foundation.core.supervisor import Supervisor
from api.foundation.database.challenges import ChallengeGate
from api.foundation.database.database import Database
from api.foundation.database.figures import ClockFigure, DatabaseFigures, Reader, watch_lanes
from api.foundation.database.lanes import Priority
from api.foundation.database.rate_limit import RateLimiter
from api.foundation.database.readiness import Readiness
from api.foundation.database.safety import SafetyCheck
from api.foundation.http.admission import Admission
from api.foundation.http.uploads import UploadGate
from api.foundation.jobs.figures import StoredJobFigures
from api.foundation.jobs.queue import JobQueue
from api.foundation.media.pictures import ImageProcessor
from api.foundation.media.storage import MediaStore
from api.foundation.media.uploading import UploadContext
from api.foundation.metrics.loop_watch import LoopWatch
from api.foundation.metrics.multiprocess import MultiprocessMetrics, metrics_of_processes
from api.foundation.realtime.engine import SocketServer, create_socket_server
from api.foundation.realtime.identity_watch import IdentityWatch
from api.foundation.realtime.namespaces import EventHandler
from api.foundation.realtime.session_use import SessionUse
from api.foundation.security.challenges import Challenges
from api.foundation.security.events import SecurityLog
from api.foundation.security.identity import Identity
from api.foundation.security.operators import OperatorIdentity
from api.foundation.security.tokens import TokenCodec
from api.foundation.wire.encoded import AnswerCache
from api.games.battle.namespace import BattleNamespace
from api.games.invites.service import InviteContext, StoredInvitations
from api.games.matches.live import MatchUpdates
from api.games.matches.schemas.members import WatchFixtures
from api.games.matches.service.context import FixtureContext
from api.games.predictions.live import CrowdReader
from api.games.predictions.service.context import PredictionContext
from api.games.predictions.service.queries import OpenMatches
from api.games.predictions.service.settling import MatchDecisions
from api.games.ranking.live import BoardFolder
from api.home.privacy.service import PrivacyContext
from api.home.public.pages import PageWriter
from api.home.public.service.questions import VisitorClaims
from api.home.public.service.site import Site
from api.home.today.service.home import TodayContext
from api.messaging.notifications.live import NotificationEmitter
from api.messaging.push.service import PushContext
from api.money.ledger_audit.live import ProofMetrics
from api.money.payments.ports import PaymentGateway
from api.money.payments.service.context import PaymentContext
from api.money.payments.service.explaining import list_reported_payments
from api.money.payments.service.settling import WebhookOutcome
from api.money.payments.service.watching import FundingMetrics
from api.money.receipts.service import ReceiptContext
from api.money.wallet.ports import ReviewContext, StatementContext
from api.people.auth.live import ResetRequests, SessionActivity
from api.people.auth.rules import SEEN_EVERY
from api.people.auth.service import context as context_service
from api.people.auth.service import sessions as auth_sessions
from api.people.auth.service.sms_metrics import SmsMetrics
from api.people.operators.service import sessions as operators_sessions
from api.people.operators.service.context import OperatorContext
from api.people.users.service import profile as users_profile
from api.shop.service.placing import OrderPlacer

LISTS_SECONDS = 1.0  # the age of lists that every phone requests first

ServiceT = TypeVar("ServiceT")


@dataclass(frozen=True, kw_only=True)
class Services:
    """The services of one process; routers request them by type."""

    settings: Settings
    bus: Bus
    metrics: Metrics
    security: SecurityLog
    supervisor: Supervisor

    database: Database
    safety: SafetyCheck
    readiness: Readiness
    limiter: RateLimiter
    admission: Admission

    identity: Identity
    identity_watch: IdentityWatch
    activity: SessionActivity
    auth: context_service.AuthContext
    resets: ResetRequests

    operators: OperatorContext
    oversight: OversightContext
    operator_identity: OperatorIdentity

    media_store: MediaStore
    images: ImageProcessor
    upload_gate: UploadGate
    uploads: UploadContext
    profiles: users_profile.ProfileContext
    privacy: PrivacyContext
    site: Site
    pages: PageWriter
    members: MembersContext

    answers: AnswerCache
    orders: OrderPlacer
    sandbox: Starlette | None
    payments: PaymentContext
    statements: StatementContext
    reviews: ReviewContext
    mails: MailContext
    push: PushContext
    receipts: ReceiptContext
    folder: BoardFolder
    fixtures: FixtureContext
    today: TodayContext
    predictions: PredictionContext
    invites: InviteContext
    client_errors: ClientErrors
    loop_watch: LoopWatch
    process_metrics: MultiprocessMetrics | None
    figures: DatabaseFigures

    sockets: SocketServer
    notices: NotificationEmitter
    matches: MatchUpdates
    member_channel: MemberChannel
    battle: BattleNamespace
    chat: ChatNamespace

    @property
    def gateway(self) -> PaymentGateway:
        """The default payment gateway."""
        return self.payments.gateway

    def get(self, kind: type[ServiceT]) -> ServiceT:
        """Return the service of exactly this type.

        Raises:
            KeyError: there is none.
        """
        service: ServiceT = self._by_type[kind]
        return service

    @functools.cached_property
    def _by_type(self) -> dict[type, Any]:
        services = [getattr(self, field.name) for field in fields(self)]
        return {type(service): service for service in services}


def build_services(settings: Settings, app: FastAPI) -> Services:
    """Return the services of a process, not yet connected to anything.

    ``app`` receives the reports of the sandbox provider, if there is one.
    """
    bus, metrics = Bus(), Metrics()
    security = SecurityLog(metrics)
    database = make_database(
        settings, settings.database_pool_size, bus=bus, on_lost=metrics.connections_lost.inc
    )
    activity = SessionActivity(database)
    codec = TokenCodec(settings.token_key.get_secret_value())
    code_key = settings.code_key.get_secret_value()
    read_session = functools.partial(
        auth_sessions.read_session, database, idle=settings.session_idle
    )
    identity = Identity(
        codec, functools.partial(read_session, notice=activity.notice), security=security
    )
    sockets = create_socket_server(
        metrics=metrics,
        security=security,
        use=SessionUse(read_session, activity.notice, idle=settings.session_idle, every=SEEN_EVERY),
        network_key=code_key,
        max_anonymous=settings.limit_sockets,
        allowed_origins=[settings.public_url, *settings.allowed_origins],
        valkey_url=settings.valkey_url,
    )
    member_channel = MemberChannel(identity=identity, metrics=metrics, database=database)
    battle = BattleNamespace(identity=identity, metrics=metrics, database=database)
    limiter = make_limiter(settings, database, security)
    chat = ChatNamespace(identity, metrics, database, limiter, chat_limits(settings))
    for namespace in (member_channel, battle, chat):
        sockets.register_namespace(namespace)
    sealer = make_sealer(settings)
    auth_context = context_service.AuthContext(
        database,
        make_hasher(settings),
        codec,
        code_key,
        limiter,
        ChallengeGate(database, limiter, Challenges(code_key)),
        security,
        JobQueue(sealer),
        settings.session_idle,
        StoredInvitations(),
        VisitorClaims(code_key),
        code_channels(settings),
        make_sms_reports(settings),
        settings.sms_per_day,
    )
    operators = make_operators(
        settings, database, hasher=auth_context.hasher, limiter=limiter, security=security
    )
    store, images = make_media_store(settings), ImageProcessor(limiter)
    uploads = settings.var_dir / "uploads"
    profiles = users_profile.ProfileContext(database, store, images, sealer, uploads, security)
    sandbox = make_sandbox(app, settings)
    payments = make_payments(settings, database, make_gateways(settings, sandbox))
    statements = make_statements(database)
    fixtures = FixtureContext(
        database,
        settings.fixture_feed_key.get_secret_value(),
        predictions=CrowdReader(database),
        follower=MatchDecisions(auth_context.queue),
    )
    matches = MatchUpdates(fixtures, watch=member_channel.watch, emit=member_channel.push_to)
    member_channel.handle("watch_fixtures", EventHandler(WatchFixtures, matches.answer))
    uploading = UploadContext(database, store, images, uploads)
    invites = InviteContext(database, settings.public_url.rstrip("/"))
    safety = SafetyCheck(
        database, runtime_role=settings.database_runtime_role, is_needed=settings.is_production
    )
    readiness = Readiness(database, safety)
    return Services(
        settings=settings,
        bus=bus,
        metrics=metrics,
        security=security,
        supervisor=Supervisor(metrics),
        database=database,
        safety=safety,
        readiness=readiness,
        limiter=limiter,
        admission=Admission(classes=CLASSES, metrics=metrics),
        identity=identity,
        identity_watch=IdentityWatch(identity, sockets, security),
        activity=activity,
        auth=auth_context,
        resets=ResetRequests(auth_context),
        operators=operators,
        oversight=make_oversight(settings, database),
        operator_identity=OperatorIdentity(
            operators.codec,
            functools.partial(operators_sessions.read_session, database, life=operators.life),
            functools.partial(operators_sessions.record_use, database),
            security=security,
        ),
        media_store=store,
        images=images,
        upload_gate=UploadGate(per_network=settings.limit_uploads, metrics=metrics),
        uploads=uploading,
        profiles=profiles,
        privacy=PrivacyContext(
            database, store, auth_context, profiles, refunds_owed=refunds_listing.owed
        ),
        site=make_site(settings, uploading, fixtures, invites),
        pages=PageWriter(settings.web_dist, invites.public_url),
        members=MembersContext(database, auth_context, profiles, statements),
        answers=AnswerCache(max_age_seconds=LISTS_SECONDS),
        orders=OrderPlacer(database),
        sandbox=sandbox,
        payments=payments,
        statements=statements,
        reviews=ReviewContext(database, functools.partial(list_reported_payments, payments)),
        mails=make_mails(database, auth_context.queue),
        push=make_push(settings, database),
        receipts=ReceiptContext.of(database, settings),
        folder=BoardFolder(database.lane(Priority.BACKGROUND)),
        fixtures=fixtures,
        today=TodayContext(
            database, fixtures, settings.trivia_questions_per_day, predictor=OpenMatches()
        ),
        predictions=PredictionContext(database, fixtures),
        invites=invites,
        client_errors=ClientErrors(limiter, metrics),
        loop_watch=LoopWatch(metrics),
        process_metrics=metrics_of_processes(metrics),
        figures=_watch(metrics, database, readiness, sockets),
        sockets=sockets,
        notices=NotificationEmitter(
            database.lane(Priority.BACKGROUND),
            is_here=member_channel.has_socket_of,
            members=member_channel.members,
            emit=member_channel.push_notification,
        ),
        matches=matches,
        member_channel=member_channel,
        battle=battle,
        chat=chat,
    )


def _watch(
    metrics: Metrics, database: Database, readiness: Readiness, sockets: SocketServer
) -> DatabaseFigures:
    """Register metrics of lanes and sockets; return those that cost a query."""
    watch_lanes(database, metrics)
    for limit in NETWORK_LIMITS.values():  # initialized, for the same reason
        metrics.limits_reached.labels(limit.name)
    for outcome in WebhookOutcome:  # initialized, so that the first one shows as an increase
        metrics.webhooks.labels(outcome.value)
    metrics.sockets_unsent_bytes.set_function(lambda: sockets.count_unsent()[0])
    metrics.sockets_queued_packets.set_function(lambda: sockets.count_unsent()[1])
    background = database.lane(Priority.BACKGROUND)
    readers: list[Reader] = [
        StoredJobFigures(background, metrics),
        FundingMetrics(background, metrics),
        SmsMetrics(background, metrics),
        ProofMetrics(background, metrics),
        ClockFigure(background, metrics),
    ]
    return DatabaseFigures(metrics, readers, readiness.is_ready)
