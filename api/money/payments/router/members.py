"""Routes for members who fund a wallet, for providers, and for returning payers."""

import functools
import time
from html import escape
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request, Response
from fastapi.responses import HTMLResponse

from api.foundation.core.errors import NotFoundError
from api.foundation.core.metrics import Metrics
from api.foundation.core.money import Kobo
from api.foundation.database.idempotency import Attempt
from api.foundation.http.admission import LoadClass
from api.foundation.http.dependencies import (
    AddressDep,
    CurrentMember,
    LimiterDep,
    SecurityDep,
    SettingsDep,
    limit_lookups,
    provided,
)
from api.foundation.http.idempotency_header import REPLAYED_HEADER, IdempotencyKeyHeader
from api.foundation.http.pages import StyledPage
from api.foundation.http.responses import documented
from api.foundation.http.strict_requests import StrictRoute
from api.foundation.security.events import SecurityEvent
from api.foundation.wire.schemas import Envelope, ExistingName, ok
from api.money.payments.enums import Outcome
from api.money.payments.errors import InvalidSignatureError
from api.money.payments.schemas import (
    CancelFunding,
    CancelledFunding,
    FundingLimitsAnswer,
    FundingOutcome,
    PreparedFunding,
    PrepareFunding,
)
from api.money.payments.service import cancelling, preparing, settling, verifying
from api.money.payments.service import context as context_service
from api.money.payments.service.context import PaymentContext
from api.money.payments.service.preparing import FundingIntent
from api.money.payments.service.settling import WebhookOutcome

PREPARE_ROUTE = "prepare-wallet-funding"
CANCEL_ROUTE = "cancel-funding"
HEADINGS = {
    Outcome.SUCCESS: "Payment received",
    Outcome.FAILED: "Payment not completed",
    Outcome.PENDING: "We are confirming your payment",
}
SIGNS = {
    Outcome.SUCCESS: ("#14794f", "M20 33l8 8 17-18"),
    Outcome.FAILED: ("#b3261e", "M22 22l20 20M42 22L22 42"),
    Outcome.PENDING: ("#4a6a5d", "M32 18v15l10 6"),
}
# These may wait for the provider.
LOAD_CLASSES = dict.fromkeys(
    (
        "/api/v1/payment/webhook/",
        "/api/v1/payment/verify-transaction/",
        "/api/v1/payment/callback/",
        "/api/v1/payment/prepare-wallet-funding",
    ),
    LoadClass.PROVIDER,
)

router = APIRouter(tags=["payments"], route_class=StrictRoute)
PaymentContextDep = Annotated[PaymentContext, Depends(provided(PaymentContext))]


@router.post(
    "/api/v1/payment/prepare-wallet-funding", responses=documented(400, 401, 404, 422, 503)
)
async def prepare_wallet_funding(
    member: CurrentMember,
    context: PaymentContextDep,
    body: PrepareFunding,
    key: IdempotencyKeyHeader,
    response: Response,
) -> Envelope[PreparedFunding]:
    """Create a checkout at the payment provider.

    The wallet is credited once the provider confirms the payment; the socket namespace ``/payment``
    announces it. A retry with the same ``Idempotency-Key`` returns the same checkout.
    """
    if body.user_id is not None:
        member.require_self(body.user_id)
    wanted = {} if body.gateway is None else {"gateway": body.gateway}
    content = {"amount": body.amount, **wanted}
    attempt = Attempt.of(member.user_id, PREPARE_ROUTE, key, content)
    prepared = await preparing.prepare_funding(
        context, FundingIntent(member.user_id, Kobo(body.amount), attempt, body.gateway)
    )
    if prepared.replayed:
        response.headers[REPLAYED_HEADER] = "true"
    return ok(prepared.content, "Continue to payment.")


@router.post("/api/v1/payment/cancel-funding", responses=documented(401, 404, 409))
async def cancel_funding(
    member: CurrentMember,
    context: PaymentContextDep,
    body: CancelFunding,
    key: IdempotencyKeyHeader,
    response: Response,
) -> Envelope[CancelledFunding]:
    """Cancel a checkout that the member has closed; it no longer counts toward the daily limit.

    A payment that arrives anyway is credited, or held for review if it exceeds the daily limit.
    """
    attempt = Attempt.of(member.user_id, CANCEL_ROUTE, key, {"reference": body.reference})
    if await cancelling.cancel_funding(context, member.user_id, body.reference, attempt):
        response.headers[REPLAYED_HEADER] = "true"
    return ok(CancelledFunding(), "The payment was cancelled.")


@router.get("/api/v1/payment/funding-limits", responses=documented(401))
async def read_funding_limits(
    member: CurrentMember, context: PaymentContextDep
) -> Envelope[FundingLimitsAnswer]:
    """Read how much the member may fund at once and today."""
    return ok(await context_service.read_limits(context, member.user_id))


@router.get("/api/v1/payment/verify-transaction/{reference}", responses=documented(401, 404))
async def verify_transaction(
    member: CurrentMember, context: PaymentContextDep, reference: ExistingName
) -> Envelope[FundingOutcome]:
    """Return the status of a funding; another member's reference is not found.

    ``pending`` means undecided: ask again later, and do not pay again.
    """
    return ok(await verifying.verify_funding(context, member.user_id, reference))


@router.post("/api/v1/payment/webhook/{gateway}", responses=documented(404))
async def receive_webhook(
    context: PaymentContextDep,
    security: SecurityDep,
    metrics: Annotated[Metrics, Depends(provided(Metrics))],
    limiter: LimiterDep,
    address: AddressDep,
    gateway: ExistingName,
    request: Request,
) -> Envelope[None]:
    """Receive the provider's signed report; for the provider only."""
    outcome, began = WebhookOutcome.FAILED, time.perf_counter()
    raw = await request.body()
    try:
        outcome = await settling.receive_webhook(context, gateway, raw, request.headers)
    except InvalidSignatureError:
        outcome = WebhookOutcome.REFUSED
        security.record(
            SecurityEvent.SIGNATURE_REFUSED,
            gateway=gateway,
            origin=limiter.origin(address),
        )
        raise
    finally:
        metrics.webhooks.labels(outcome.value).inc()
        if outcome is WebhookOutcome.SETTLED:
            metrics.webhook_seconds.observe(time.perf_counter() - began)
    return ok(None)


@router.get(
    "/api/v1/payment/callback/{gateway}",
    response_class=HTMLResponse,
    responses=documented(404, 429),
    dependencies=[Depends(limit_lookups)],
)
async def return_from_checkout(
    context: PaymentContextDep,
    settings: SettingsDep,
    gateway: ExistingName,
    reference: Annotated[ExistingName | None, Query()] = None,
    tx_ref: Annotated[ExistingName | None, Query(description="Flutterwave's status")] = None,
) -> HTMLResponse:
    """Show a payer returning from the provider the status of the payment."""
    named = reference or tx_ref
    if named is None:
        raise NotFoundError
    outcome = await verifying.return_from_checkout(context, gateway, named)
    colour, sign = SIGNS[outcome]
    home = escape(settings.public_url)
    return _return_page().answer(heading=HEADINGS[outcome], colour=colour, sign=sign, home=home)


@functools.cache
def _return_page() -> StyledPage:
    """Return the page for returning payers."""
    return StyledPage(Path(__file__).parents[1] / "return_page.html")
