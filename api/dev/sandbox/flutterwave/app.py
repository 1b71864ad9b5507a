"""The sandbox as one ASGI app that can be mounted under any path."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from decimal import Decimal
from typing import Any
from urllib.parse import urlencode

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from api.dev.sandbox.flutterwave.config import FlutterwaveSandboxConfig
from api.dev.sandbox.flutterwave.page import STYLE, STYLE_NAME, policy, render
from api.dev.sandbox.flutterwave.payments import ChargeStatus, HostedPayment, PaymentStore
from api.dev.sandbox.flutterwave.webhooks import ChargeReporter
from api.dev.sandbox.flutterwave.wire import (
    FlutterwaveRefusalError,
    agree,
    charge_of,
    read_amount,
    read_body,
    read_currency,
    read_payment,
    refuse_call,
    require_merchant,
)

MAX_BODY_BYTES = 64 * 1024
NOT_FOUND = "No transaction was found for this id"
FORCED = {each.value: each for each in ChargeStatus if each is not ChargeStatus.UNTRIED}
UNKNOWN_STATUS = "status is successful, failed, pending or cancelled"
ENDINGS = frozenset({ChargeStatus.SUCCESSFUL, ChargeStatus.FAILED})  # statuses that are reported
CHOICES = {
    "pay": ChargeStatus.SUCCESSFUL,
    "fail": ChargeStatus.FAILED,
    "cancel": ChargeStatus.CANCELLED,
}


class FlutterwaveSandbox:
    """The provider: stores payments, serves their page and reports their outcome."""

    def __init__(self, config: FlutterwaveSandboxConfig) -> None:
        self._config = config
        self.payments = PaymentStore(config.file)
        self.webhooks = ChargeReporter(config)

    def end(
        self,
        tx_ref: str,
        status: ChargeStatus,
        *,
        amount: Decimal | None = None,
        currency: str | None = None,
    ) -> HostedPayment:
        """End a payment, optionally with another amount or currency than requested.

        Raises:
            FlutterwaveRefusalError: there is no such payment.
        """
        changes: dict[str, Any] = {"status": status}
        changes |= {} if amount is None else {"amount": amount}
        changes |= {} if currency is None else {"currency": currency}
        try:
            _, after = self.payments.change(tx_ref, lambda each: replace(each, **changes))
        except LookupError:
            raise FlutterwaveRefusalError(NOT_FOUND, 404) from None
        if status in ENDINGS:
            self.webhooks.report(charge_of(after))
        return after

    async def create(self, request: Request) -> JSONResponse:
        """Return the link of a payment; the same one for the same reference."""
        require_merchant(request, self._config.secret_key)
        payment = self.payments.insert(read_payment(await read_body(request)))
        return agree(
            "Hosted Link", {"link": f"{self._config.public_url}/v3/hosted/pay/{payment.code}"}
        )

    async def verify_by_reference(self, request: Request) -> JSONResponse:
        """Return a payment by the merchant's reference."""
        require_merchant(request, self._config.secret_key)
        return _respond(self.payments.find("tx_ref", request.query_params.get("tx_ref", "")))

    async def verify(self, request: Request) -> JSONResponse:
        """Return a payment by the provider's id."""
        require_merchant(request, self._config.secret_key)
        return _respond(self.payments.find("id", request.path_params["id"]))

    async def show_page(self, request: Request) -> Response:
        """Show the hosted page."""
        payment = self._opened(request)
        headers = {
            "Content-Security-Policy": policy(payment.redirect_url),
            "Cache-Control": "no-store",
            "X-Content-Type-Options": "nosniff",
        }
        return HTMLResponse(render(payment), headers=headers)

    async def choose(self, request: Request) -> Response:
        """Apply the payer's choice and redirect them to the merchant; a success is final."""
        payment = self._opened(request)
        status = CHOICES.get(request.path_params["choice"])
        if status is None:
            raise FlutterwaveRefusalError("Not found", 404)
        if payment.status is not ChargeStatus.SUCCESSFUL:
            payment = self.end(payment.tx_ref, status)
        query = {"status": payment.status.value, "tx_ref": payment.tx_ref}
        if payment.is_tried:
            query["transaction_id"] = str(payment.id)
        joint = "&" if "?" in payment.redirect_url else "?"
        return RedirectResponse(payment.redirect_url + joint + urlencode(query), 303)

    async def force(self, request: Request) -> JSONResponse:
        """Set the state of a payment for a test: ``{status, amount?, currency?}``."""
        content = await read_body(request)
        status = FORCED.get(str(content.get("status")))
        if status is None:
            raise FlutterwaveRefusalError(UNKNOWN_STATUS)
        amount, currency = content.get("amount"), content.get("currency")
        payment = self.end(
            request.path_params["tx_ref"],
            status,
            amount=None if amount is None else read_amount(amount),
            currency=None if currency is None else read_currency(currency),
        )
        return agree("Changed", charge_of(payment))

    def routes(self) -> list[Route]:
        """Return the routes."""
        return [
            Route("/v3/payments", self.create, methods=["POST"]),
            Route("/v3/transactions/verify_by_reference", self.verify_by_reference),
            Route("/v3/transactions/{id:int}/verify", self.verify),
            Route("/v3/hosted/pay/{code}", self.show_page),
            Route("/v3/hosted/pay/{code}/{choice}", self.choose, methods=["POST"]),
            Route(f"/v3/hosted/{STYLE_NAME}", _send_style),
            Route("/_sandbox/{tx_ref}", self.force, methods=["POST"]),
        ]

    def _opened(self, request: Request) -> HostedPayment:
        payment = self.payments.find("code", request.path_params["code"])
        if payment is None:
            raise FlutterwaveRefusalError("Not found", 404)
        return payment


def create_flutterwave_sandbox(config: FlutterwaveSandboxConfig) -> Starlette:
    """Return the provider as an app; ``app.state.provider`` is the provider itself.

    An app that mounts it enters ``sandbox.router.lifespan_context(sandbox)`` itself.
    """
    provider = FlutterwaveSandbox(config)

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        try:
            yield
        finally:
            await provider.webhooks.aclose()
            provider.payments.close()

    app = Starlette(
        routes=provider.routes(),
        exception_handlers={FlutterwaveRefusalError: refuse_call},
        lifespan=lifespan,
        max_body_size=MAX_BODY_BYTES,
    )
    app.state.provider = provider
    return app


def _respond(payment: HostedPayment | None) -> JSONResponse:
    if payment is None or not payment.is_tried:
        raise FlutterwaveRefusalError(NOT_FOUND)
    return agree("Transaction fetched successfully", charge_of(payment))


async def _send_style(_request: Request) -> FileResponse:
    return FileResponse(STYLE, media_type="text/css", headers={"Cache-Control": "no-cache"})
