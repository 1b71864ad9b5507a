"""A sandbox provider, a merchant's server that receives its webhooks, and a clock."""

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
from api.dev.sandbox.paystack.app import create_sandbox
from api.dev.sandbox.paystack.config import SandboxConfig
from api.dev.sandbox.paystack.provider import Provider
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

SECRET_KEY = "sk_test_sandbox_tests"
PUBLIC_URL = "http://provider.test/sandbox/paystack"
APP_ORIGIN = "http://app.test"


@dataclass
class Clock:
    """A clock that moves only when advanced."""

    now: datetime = field(default_factory=lambda: datetime(2026, 3, 1, 12, 0, tzinfo=UTC))

    def __call__(self) -> datetime:
        return self.now

    def advance(self, **duration: float) -> None:
        self.now += timedelta(**duration)


@dataclass
class Receiver:
    """The merchant's webhook address; answers with ``statuses`` in turn, then 200."""

    statuses: list[int] = field(default_factory=list)
    received: list[tuple[bytes, str]] = field(default_factory=list)

    def app(self) -> Starlette:
        async def receive(request: Request) -> Response:
            signature = request.headers.get("x-paystack-signature", "")
            self.received.append((await request.body(), signature))
            return Response(status_code=self.statuses.pop(0) if self.statuses else 200)

        return Starlette(routes=[Route("/hook", receive, methods=["POST"])])


@dataclass
class Browser:
    """Calls the provider as its checkout page does."""

    client: httpx.AsyncClient
    public_key: str

    async def charge(
        self, transaction_id: str, number: str, cvv: str, expiry: str = "12*30"
    ) -> dict[str, Any]:
        return await self.form(
            "/charge/", trans=transaction_id, clientdata=f"{number}*{cvv}*{expiry}"
        )

    async def form(self, path: str, **fields: str) -> dict[str, Any]:
        answer = await self.client.post(path, data=fields)
        content: dict[str, Any] = answer.json()
        return content

    async def open(self, access_code: str) -> dict[str, Any]:
        answer = await self.client.get(f"/transaction/verify_access_code/{access_code}")
        content: dict[str, Any] = answer.json()["data"]
        return content

    async def post(self, path: str, content: dict[str, Any] | None = None) -> httpx.Response:
        return await self.client.post(
            path,
            json=content or {},
            headers={"Authorization": f"Bearer {self.public_key}"},
        )


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def receiver() -> Receiver:
    return Receiver()


@pytest.fixture
def config(clock: Clock, receiver: Receiver) -> SandboxConfig:
    return SandboxConfig(
        secret_key=SECRET_KEY,
        public_url=PUBLIC_URL,
        webhook_url="http://shop.test/hook",
        app_origins=(APP_ORIGIN,),
        webhook_delays_seconds=(0, 0.01, 0.02),
        delivery_transport=httpx.ASGITransport(app=receiver.app()),
        clock=clock,
    )


@pytest.fixture
async def provider(config: SandboxConfig) -> AsyncIterator[tuple[Provider, Starlette]]:
    app = create_sandbox(config)
    async with app.router.lifespan_context(app):
        yield app.state.provider, app


@pytest.fixture
async def merchant(
    provider: tuple[Provider, Starlette],
) -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(app=provider[1])
    async with httpx.AsyncClient(
        transport=transport,
        base_url="http://provider.test",
        headers={"Authorization": f"Bearer {SECRET_KEY}"},
    ) as client:
        yield client


@pytest.fixture
async def browser(provider: tuple[Provider, Starlette]) -> AsyncIterator[Browser]:
    transport = httpx.ASGITransport(app=provider[1])
    async with httpx.AsyncClient(transport=transport, base_url="http://provider.test") as client:
        yield Browser(client, provider[0].config.public_key)


@dataclass
class Opened:
    """A transaction that the merchant has started."""

    id: str
    reference: str
    access_code: str


Begin = Callable[..., Any]


@pytest.fixture
def begin(merchant: httpx.AsyncClient, browser: Browser) -> Begin:
    """Start a transaction as a merchant's server does."""
    count = 0

    async def begin_transaction(**changes: object) -> Opened:
        nonlocal count
        count += 1
        body = {
            "email": "ada@example.com",
            "amount": 500_000,
            "reference": f"FW-{count:06d}",
            "callback_url": "http://shop.test/callback",
            "metadata": {"user_id": "ada"},
        } | changes
        opened = (await merchant.post("/transaction/initialize", json=body)).json()["data"]
        view = await browser.open(opened["access_code"])
        return Opened(
            id=view["id"], reference=opened["reference"], access_code=opened["access_code"]
        )

    return begin_transaction
