"""An app that takes payments: real PostgreSQL, real server, real sockets, the sandbox provider.

Only the connections to and from the provider are simulated: ``ProviderLink`` may be down or slow,
``Postman`` may hold webhooks back.
"""

import asyncio
import functools
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any
from uuid import UUID

import httpx
import pytest
import socketio
import uvicorn
from api.app.adapters.paystack import PaystackGateway
from api.app.factories import make_statements
from api.app.member_channel import MemberChannel
from api.dev.postgres.embedded import EmbeddedPostgres
from api.dev.sandbox.paystack.app import create_sandbox
from api.dev.sandbox.paystack.config import SandboxConfig
from api.dev.sandbox.paystack.provider import Provider
from api.dev.sandbox.paystack.state import GatewayTransaction
from api.dev.sandbox.paystack.webhooks import sign
from api.foundation.core import clock
from api.foundation.core.config import PaymentGatewayName, Settings
from api.foundation.core.events import Bus
from api.foundation.core.ids import new_id
from api.foundation.core.metrics import Metrics
from api.foundation.core.money import Kobo
from api.foundation.database.database import Database
from api.foundation.database.rate_limit import RateLimiter
from api.foundation.http.answers import add_error_handlers
from api.foundation.http.middleware import RequestLifecycleMiddleware
from api.foundation.http.request_log import RequestLog
from api.foundation.realtime.engine import create_socket_server
from api.foundation.realtime.session_use import SessionUse
from api.foundation.security.events import SecurityLog
from api.foundation.security.identity import Identity
from api.foundation.security.tokens import TokenCodec
from api.messaging.notifications import router as notifications_router
from api.money.payments import router as payments_router
from api.money.payments.events import FundingDecided
from api.money.payments.rules import FundingLimits
from api.money.payments.schemas import CheckoutAddresses
from api.money.payments.service.context import PaymentContext
from api.money.wallet import router as wallet_router
from api.people.auth.models import Session
from api.people.auth.rules import SEEN_EVERY
from api.people.auth.service import sessions as auth_sessions
from api.people.clubs.models import Club
from api.people.users.models import User
from fastapi import FastAPI
from sqlalchemy import insert
from starlette.applications import Starlette
from starlette.routing import Mount
from typing_extensions import override

from tests.conftest import RunningApp as WholeHouse
from tests.conftest import SignedIn, client_of, open_running_app
from tests.databases import copy_migrated
from tests.waiting import DEADLINE_SECONDS

TWO_GATEWAYS = (PaymentGatewayName.SANDBOX, PaymentGatewayName.FLUTTERWAVE_SANDBOX)
SECRET_KEY = "sk_test_sandbox_house"
PUBLIC_URL = "http://app.test"
PROVIDER_URL = "http://app.test/sandbox/paystack"
TOKEN_KEY = "a key for tests that is long enough, surely"
POOL_SIZE = 10
PASSWORDLESS_LIFE = timedelta(days=1)


class ProviderLink(httpx.AsyncBaseTransport):
    """The connection to the provider: may be down, slow, or lose the answer."""

    def __init__(self, inner: httpx.AsyncBaseTransport) -> None:
        self._inner = inner
        self.restore()

    def restore(self) -> None:
        self.is_down = False
        self.loses_answers = False
        self.delay_seconds = 0.0
        self.asked: list[str] = []

    @override
    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        self.asked.append(request.url.path)
        if self.is_down:
            raise httpx.ConnectError("down")
        await asyncio.sleep(self.delay_seconds)
        answer = await self._inner.handle_async_request(request)
        if self.loses_answers:
            raise httpx.ReadError("lost")
        return answer


class Postman(httpx.AsyncBaseTransport):
    """The connection from the provider: delivers webhooks, or holds them back."""

    def __init__(self) -> None:
        self.target: httpx.AsyncBaseTransport | None = None
        self.restore()

    def restore(self) -> None:
        self.holds_back = False
        self.bag: list[bytes] = []

    @override
    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        self.bag.append(await request.aread())
        if self.holds_back or self.target is None:
            return httpx.Response(200)
        return await self.target.handle_async_request(request)


@dataclass
class RunningApp:
    """All running components, and helpers of the tests."""

    asgi: FastAPI
    database: Database
    context: PaymentContext
    provider: Provider
    link: ProviderLink
    postman: Postman
    codec: TokenCodec
    base_url: str
    namespace: MemberChannel
    club_id: UUID
    decided: list[FundingDecided] = field(default_factory=list)

    async def join(self) -> "Supporter":
        """Return a new signed-in member."""
        user_id, session_id = new_id(), new_id()
        figures = f"{user_id.int % 10**10:010d}"
        async with self.database.transaction() as tx:
            await tx.execute(
                insert(User).values(
                    id=user_id,
                    club_id=self.club_id,
                    first_name="Ada",
                    last_name="Obi",
                    email=f"{user_id.hex}@example.com",
                    phone=f"+234{figures}",
                    terms_accepted_at=clock.now(),
                    activated_at=clock.now(),
                )
            )
            await tx.execute(
                insert(Session).values(
                    id=session_id, user_id=user_id, expires_at=clock.now() + PASSWORDLESS_LIFE
                )
            )
        token = self.codec.issue(user_id, session_id, clock.now())
        client = client_of(
            self.base_url,
            headers={"Authorization": f"Bearer {token}"},
            timeout=30,
            limits=httpx.Limits(max_connections=200, max_keepalive_connections=0),
        )
        return Supporter(self, user_id, token, client)

    def transaction(self, reference: str) -> GatewayTransaction:
        found = self.provider.store.read_by_reference(reference)
        assert found is not None
        return found

    def pay(self, reference: str) -> None:
        """Pay at the provider, which then sends its webhook."""
        self.provider.pay_with_wallet(self.transaction(reference))

    async def webhooks_delivered(self) -> None:
        await self.provider.webhooks.settle()

    async def deliver(self, body: bytes, signature: str | None = None) -> httpx.Response:
        """Post a webhook as the provider does, signed unless a signature is given."""
        headers = {"x-paystack-signature": signature or sign(body, SECRET_KEY)}
        async with client_of(self.base_url, timeout=30) as client:
            return await client.post(
                "/api/v1/payment/webhook/paystack", content=body, headers=headers
            )

    async def run(self, statement: str, *arguments: object) -> None:
        await self.database.execute(statement, *arguments)

    async def leave_behind(self, reference: str) -> None:
        """Backdate a checkout until it no longer counts as open."""
        await self.run(
            "UPDATE funding SET created_at = created_at - interval '31 minutes' "
            "WHERE reference = $1",
            reference,
        )

    async def funding(self, reference: str) -> dict[str, Any]:
        row = await self.database.fetch_row("SELECT * FROM funding WHERE reference = $1", reference)
        assert row is not None
        return dict(row)

    async def fundings(self, user_id: UUID) -> list[dict[str, Any]]:
        rows = await self.database.fetch_rows(
            "SELECT * FROM funding WHERE user_id = $1 ORDER BY created_at", user_id
        )
        return [dict(row) for row in rows]

    async def credits(self, reference: str) -> int:
        """Return how many ledger transfers a funding has made."""
        row = await self.database.fetch_row(
            "SELECT count(*) AS n FROM ledger_transfer WHERE kind = 'fund' AND reference = $1",
            reference,
        )
        assert row is not None
        return int(row["n"])


@dataclass
class Supporter:
    """A signed-in member with a browser."""

    app: RunningApp
    user_id: UUID
    token: str
    client: httpx.AsyncClient

    async def prepare(
        self, amount: object, *, key: str | None = None, **changes: object
    ) -> httpx.Response:
        headers = {} if key is None else {"Idempotency-Key": key}
        body = {"amount": amount, "userId": str(self.user_id)} | changes
        return await self.client.post(
            "/api/v1/payment/prepare-wallet-funding", json=body, headers=headers
        )

    async def reference(self, amount: float) -> str:
        """Prepare a funding and return its reference."""
        answer = await self.prepare(amount)
        assert answer.status_code == 200, answer.text
        reference: str = answer.json()["data"]["reference"]
        return reference

    async def cancel(self, reference: object, *, key: str | None = None) -> httpx.Response:
        headers = {"Content-Type": "application/json"}
        return await self.client.post(
            "/api/v1/payment/cancel-funding",
            content=json.dumps({"reference": reference}),
            headers=headers if key is None else headers | {"Idempotency-Key": key},
        )

    async def left_today(self) -> float:
        """Return how much may still be funded today."""
        answer = await self.client.get("/api/v1/payment/funding-limits")
        left: float = answer.json()["data"]["remainingToday"]
        return left

    async def verify(self, reference: str) -> httpx.Response:
        return await self.client.get(f"/api/v1/payment/verify-transaction/{reference}")

    async def come_back(self, reference: str) -> httpx.Response:
        return await self.client.get(
            "/api/v1/payment/callback/paystack",
            params={"trxref": reference, "reference": reference},
        )

    async def balance(self) -> float:
        answer = await self.client.get(f"/api/v1/payment/wallet-balance/{self.user_id}")
        balance: float = answer.json()["data"]["balance"]
        return balance

    async def screen(self) -> "Screen":
        """Open the dashboard's socket."""
        screen = Screen()
        await screen.open(self)
        return screen


class Screen:
    """A browser's socket in the namespace ``/payment``."""

    def __init__(self) -> None:
        self.client = socketio.AsyncClient(reconnection=False)
        self.received: list[dict[str, Any]] = []
        self._heard_more = asyncio.Event()
        self.client.on("verify_wallet_transaction", self._receive, namespace="/payment")

    async def _receive(self, payload: dict[str, Any]) -> None:
        self.received.append(payload)
        self._heard_more.set()

    async def open(self, supporter: Supporter) -> None:
        await self.client.connect(
            f"{supporter.app.base_url}?userId={supporter.user_id}",
            namespaces=["/payment"],
            auth={"token": supporter.token},
            transports=["websocket"],
        )

    async def receive(self, count: int) -> list[dict[str, Any]]:
        """Wait for ``count`` events and a little longer, in case more arrive."""
        async with asyncio.timeout(DEADLINE_SECONDS):
            while len(self.received) < count:
                self._heard_more.clear()
                await self._heard_more.wait()
        await asyncio.sleep(0.15)
        return self.received

    async def close(self) -> None:
        await self.client.disconnect()


@pytest.fixture(scope="session")
def payments_database_url(postgres: EmbeddedPostgres) -> str:
    """A separate migrated database, so that members of other tests do not interfere."""
    return copy_migrated(postgres, "payments")


async def _club(database: Database) -> UUID:
    club_id = new_id()
    async with database.transaction() as tx:
        await tx.execute(
            insert(Club).values(
                id=club_id, name=f"Club {club_id}", colour_a="#0A4DA2", colour_b="#FFFFFF"
            )
        )
    return club_id


@pytest.fixture(scope="session")
async def running_app(payments_database_url: str) -> AsyncIterator[RunningApp]:
    settings = Settings(database_url=payments_database_url, public_url=PUBLIC_URL)
    bus, metrics = Bus(), Metrics()
    database = Database(
        payments_database_url,
        runtime_role=settings.database_runtime_role,
        pool_size=POOL_SIZE,
        bus=bus,
    )
    codec = TokenCodec(TOKEN_KEY)
    security = SecurityLog(metrics)
    read_by_token = functools.partial(
        auth_sessions.read_session, database, idle=settings.session_idle
    )
    identity = Identity(codec, read_by_token, security=security)
    postman = Postman()
    sandbox = create_sandbox(
        SandboxConfig(
            secret_key=SECRET_KEY,
            public_url=PROVIDER_URL,
            webhook_url="http://app.test/api/v1/payment/webhook/paystack",
            webhook_delays_seconds=(0, 0.05, 0.1),
            delivery_transport=postman,
        )
    )
    mounted = Starlette(routes=[Mount("/sandbox/paystack", sandbox)])
    link = ProviderLink(httpx.ASGITransport(app=mounted))
    gateway = PaystackGateway(secret_key=SECRET_KEY, base_url=PROVIDER_URL, transport=link)
    context = PaymentContext(
        database=database,
        gateway=gateway,
        limits=FundingLimits(
            minimum_kobo=Kobo(10_000),
            maximum_kobo=Kobo(100_000_000),
            daily_maximum_kobo=Kobo(200_000_000),
        ),
        callback_url=f"{PUBLIC_URL}/api/v1/payment/callback/paystack",
        checkout=CheckoutAddresses(
            checkout_url=f"{PROVIDER_URL}/",
            paystack_api_url=f"{PROVIDER_URL}/",
            payment_base_url=f"{PROVIDER_URL}/",
        ),
        timeout_seconds=0.5,
    )
    sockets = create_socket_server(
        metrics=metrics,
        security=SecurityLog(metrics),
        use=SessionUse(read_by_token, lambda _: None, idle=settings.session_idle, every=SEEN_EVERY),
        network_key="tests",
        max_anonymous=200,
        allowed_origins=[PUBLIC_URL],
        valkey_url=None,
    )
    namespace = MemberChannel(identity=identity, metrics=metrics, database=database)
    sockets.register_namespace(namespace)
    asgi = FastAPI()
    limiter = RateLimiter(database, key="tests", leniency=settings.leniency, security=security)
    statements = make_statements(database)
    services = (
        *(settings, database, identity, metrics, limiter, context, statements),
        SecurityLog(metrics),
    )
    asgi.state.services = {type(service): service for service in services}
    add_error_handlers(asgi)
    for module in (wallet_router, payments_router, notifications_router):
        asgi.include_router(module.router)
    asgi.add_middleware(
        RequestLifecycleMiddleware, metrics=metrics, request_log=RequestLog("WARNING")
    )
    postman.target = httpx.ASGITransport(app=asgi)
    server = uvicorn.Server(
        uvicorn.Config(socketio.ASGIApp(sockets, asgi), port=0, log_config=None, lifespan="off")
    )
    serving = asyncio.create_task(server.serve())
    while not server.started:  # noqa: ASYNC110 - the server offers no event
        await asyncio.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    app = RunningApp(
        asgi=asgi,
        database=database,
        context=context,
        provider=sandbox.state.provider,
        link=link,
        postman=postman,
        codec=codec,
        base_url=f"http://127.0.0.1:{port}",
        namespace=namespace,
        club_id=await _club(database),
    )

    async def note(event: FundingDecided) -> None:
        app.decided.append(event)

    bus.subscribe(FundingDecided, namespace.push_funding_decided)
    bus.subscribe(FundingDecided, note)
    yield app
    server.should_exit = True
    await serving
    await app.provider.webhooks.aclose()
    await gateway.aclose()
    await database.close()


@pytest.fixture
async def app(running_app: RunningApp) -> AsyncIterator[RunningApp]:
    """The app, with both connections to the provider restored."""
    running_app.link.restore()
    running_app.postman.restore()
    running_app.decided.clear()
    yield running_app
    await running_app.webhooks_delivered()


@pytest.fixture
async def ada(app: RunningApp) -> AsyncIterator[Supporter]:
    supporter = await app.join()
    yield supporter
    await supporter.client.aclose()


@pytest.fixture
async def bello(app: RunningApp) -> AsyncIterator[Supporter]:
    supporter = await app.join()
    yield supporter
    await supporter.client.aclose()


OpenScreen = Callable[[Supporter], Awaitable[Screen]]


@pytest.fixture
async def open_screen() -> AsyncIterator[OpenScreen]:
    """Open screens that are closed after the test."""
    opened: list[Screen] = []

    async def open_one(supporter: Supporter) -> Screen:
        screen = await supporter.screen()
        opened.append(screen)
        return screen

    yield open_one
    for screen in opened:
        await screen.close()


@pytest.fixture
async def office(settings: Settings, _empty_tables: None) -> AsyncIterator[WholeHouse]:
    """The whole application with two gateways."""
    changed = settings.model_copy(update={"payment_gateways": TWO_GATEWAYS})
    async with open_running_app(changed) as opened:
        yield opened


@pytest.fixture
async def member(office: WholeHouse) -> SignedIn:
    return await office.member("ada")
