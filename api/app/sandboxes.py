"""The sandbox providers of payments, push and SMS in development."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

import httpx
from fastapi import FastAPI
from starlette.applications import Starlette
from starlette.routing import Mount

from api.app.adapters.flutterwave import FlutterwaveGateway
from api.app.adapters.paystack import PaystackGateway
from api.app.factories import SANDBOX_PATH, TERMII_PATH, WEBHOOK_PATH
from api.foundation.core.config import PaymentGatewayName, Settings

PUSH = "push"
TERMII = TERMII_PATH.rpartition("/")[2]
REPORTS_PATH = "/api/v1/sms/reports"


def make_sandbox(app: FastAPI, settings: Settings) -> Starlette | None:
    """Return the sandbox providers by name; production does not import them."""
    providers = {
        NAMES[gateway]: SANDBOXES[gateway](app, settings)
        for gateway in settings.gateways
        if gateway in SANDBOXES
    }
    if not settings.is_production:
        providers[PUSH] = _push_sandbox(settings)
    if settings.uses_sms_sandbox:
        providers[TERMII] = _termii_sandbox(app, settings)
    if not providers:
        return None

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            for provider in providers.values():
                await stack.enter_async_context(provider.router.lifespan_context(provider))
            yield

    return Starlette(
        routes=[Mount(f"/{name}", provider) for name, provider in providers.items()],
        lifespan=lifespan,
    )


def _paystack_sandbox(app: FastAPI, settings: Settings) -> Starlette:
    from api.dev.sandbox.paystack.app import create_sandbox  # noqa: PLC0415 never in production
    from api.dev.sandbox.paystack.config import SandboxConfig  # noqa: PLC0415 never in production
    from api.dev.sandbox.paystack.store import SqliteStore  # noqa: PLC0415 never in production

    return create_sandbox(
        SandboxConfig(
            secret_key=settings.paystack_secret_key.get_secret_value(),
            public_url=f"{settings.public_url}{SANDBOX_PATH}/{PaystackGateway.name}",
            webhook_url=f"{settings.public_url}{WEBHOOK_PATH}/{PaystackGateway.name}",
            app_origins=(settings.public_url, *settings.allowed_origins),
            merchant_name="King of Fans",
            store=SqliteStore(settings.var_dir / "sandbox.sqlite3"),
            delivery_transport=httpx.ASGITransport(app),
        )
    )


def _flutterwave_sandbox(app: FastAPI, settings: Settings) -> Starlette:
    from api.dev.sandbox.flutterwave.app import (  # noqa: PLC0415 never in production
        create_flutterwave_sandbox,
    )
    from api.dev.sandbox.flutterwave.config import (  # noqa: PLC0415 never in production
        FlutterwaveSandboxConfig,
    )

    return create_flutterwave_sandbox(
        FlutterwaveSandboxConfig(
            secret_key=settings.flw_secret_key.get_secret_value(),
            webhook_hash=settings.flw_webhook_hash.get_secret_value(),
            public_url=f"{settings.public_url}{SANDBOX_PATH}/{FlutterwaveGateway.name}",
            webhook_url=f"{settings.public_url}{WEBHOOK_PATH}/{FlutterwaveGateway.name}",
            file=settings.var_dir / "sandbox-flutterwave.sqlite3",
            delivery_transport=httpx.ASGITransport(app),
        )
    )


def _push_sandbox(settings: Settings) -> Starlette:
    from api.dev.sandbox.push.app import create_push_sandbox  # noqa: PLC0415 never in production
    from api.dev.sandbox.push.boxes import Boxes  # noqa: PLC0415 never in production

    return create_push_sandbox(
        Boxes(settings.var_dir / "sandbox-push"), f"{settings.public_url}{SANDBOX_PATH}/{PUSH}"
    )


def _termii_sandbox(app: FastAPI, settings: Settings) -> Starlette:
    from api.dev.sandbox.termii.app import (  # noqa: PLC0415 never in production
        TermiiSandboxConfig,
        create_termii_sandbox,
    )

    keys = [settings.termii_api_key, settings.termii_secret_key]
    api_key, secret_key = (key.get_secret_value() if key else "" for key in keys)
    return create_termii_sandbox(
        TermiiSandboxConfig(
            api_key=api_key,
            secret_key=secret_key,
            folder=settings.var_dir / "outbox",
            report_url=f"{settings.public_url}{REPORTS_PATH}",
            delivery_transport=httpx.ASGITransport(app),
            prints_codes=True,
        )
    )


SANDBOXES = {
    PaymentGatewayName.SANDBOX: _paystack_sandbox,
    PaymentGatewayName.FLUTTERWAVE_SANDBOX: _flutterwave_sandbox,
}
NAMES = {
    PaymentGatewayName.SANDBOX: PaystackGateway.name,
    PaymentGatewayName.FLUTTERWAVE_SANDBOX: FlutterwaveGateway.name,
}
