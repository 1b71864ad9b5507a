"""The sandbox as one ASGI app, to be mounted under any path or served on a separate port."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware

from api.dev.sandbox.paystack.charge import ChargeEndpoints
from api.dev.sandbox.paystack.checkout import CheckoutEndpoints
from api.dev.sandbox.paystack.config import SandboxConfig
from api.dev.sandbox.paystack.merchant import MerchantEndpoints
from api.dev.sandbox.paystack.page import page_routes
from api.dev.sandbox.paystack.provider import Provider
from api.dev.sandbox.paystack.wire import ProviderRefusal, refuse
from api.dev.sandbox.paystack.workbench import Workbench

MAX_BODY_BYTES = 256 * 1024


def create_sandbox(config: SandboxConfig) -> Starlette:
    """Return the provider as an app; ``app.state.provider`` is the provider itself.

    Its lifespan resumes undelivered webhooks and closes the storage. An app that mounts it enters
    ``sandbox.router.lifespan_context(sandbox)`` itself, because a host does not run the lifespan of
    mounted apps.
    """
    provider = Provider(config)

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        provider.webhooks.resume()
        try:
            yield
        finally:
            await provider.webhooks.aclose()
            provider.store.close()

    app = Starlette(
        routes=[
            *CheckoutEndpoints(provider).routes(),
            *MerchantEndpoints(provider).routes(),
            *ChargeEndpoints(provider).routes(),
            *Workbench(provider).routes(),
            *page_routes(config),
        ],
        middleware=[
            Middleware(
                CORSMiddleware,
                allow_origins=config.app_origins,
                allow_methods=["GET", "POST", "PATCH"],
                allow_headers=[
                    "Authorization",
                    "Content-Type",
                    "Accept-Language",
                    "x-connect-account",
                ],
            )
        ],
        exception_handlers={ProviderRefusal: refuse},
        lifespan=lifespan,
        max_body_size=MAX_BODY_BYTES,
    )
    app.state.provider = provider
    return app
