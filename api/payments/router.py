"""HTTP door of payments."""

import base64
import hashlib
from html import escape
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request, Response
from fastapi.responses import HTMLResponse

from api.core.money import Kobo
from api.database.idempotency import Attempt, fingerprint
from api.http.dependencies import (
    AddressDep,
    CurrentMember,
    LimiterDep,
    SecurityDep,
    SettingsDep,
    limit_anonymous,
)
from api.http.idempotency_header import REPLAYED_HEADER, IdempotencyKeyHeader
from api.http.responses import documented
from api.http.strict_requests import StrictRoute
from api.http.wire import Envelope, ExistingName, ok
from api.payments import service
from api.payments.enums import Outcome
from api.payments.errors import InvalidSignatureError
from api.payments.schemas import (
    CancelFunding,
    CancelledFunding,
    FundingLimitsAnswer,
    FundingOutcome,
    PreparedFunding,
    PrepareFunding,
)
from api.payments.service import Intent, Till
from api.security.events import SecurityEvent

PREPARE_ROUTE = "prepare-wallet-funding"
CANCEL_ROUTE = "cancel-funding"
PAGE_STYLE = (
    ":root{color-scheme:light dark;--page:#eef1ef;--card:#fff;--ink:#0d1f18;--edge:#d5dcd8}"
    "@media(prefers-color-scheme:dark)"
    "{:root{--page:#0a120f;--card:#15201b;--ink:#eef4f0;--edge:#2c3b34}}"
    "*{box-sizing:border-box}"
    "body{font:1.125rem/1.5 system-ui,sans-serif;margin:0;min-height:100dvh;display:grid;"
    "place-items:center;padding:1rem;background:var(--page);color:var(--ink)}"
    "main{width:min(26rem,100%);padding:2.5rem 1.5rem 1.5rem;text-align:center;"
    "background:var(--card);border:1px solid var(--edge);border-bottom:8px solid #ffc72c;"
    "border-radius:1rem}"
    "svg{display:block;margin:0 auto 1.25rem}"
    "h1{font-size:1.5rem;line-height:1.2;margin:0 0 .5rem}p{margin:0 0 2rem}"
    "a{display:block;padding:.75rem 1rem;border-radius:.5rem;background:#ffc72c;color:#1b1400;"
    "font-weight:700;text-decoration:none}"
    "a:focus-visible{outline:3px solid currentColor;outline-offset:3px}"
)
PAGE_STYLE_HASH = base64.b64encode(hashlib.sha256(PAGE_STYLE.encode()).digest()).decode()
PAGE_HEADERS = {
    "Content-Security-Policy": (
        f"default-src 'none'; style-src 'sha256-{PAGE_STYLE_HASH}'; base-uri 'none';"
        " form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Frame-Options": "DENY",
}
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
PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{heading} · King of Fans</title>
<style>{style}</style>
</head>
<body>
<main>
<svg viewBox="0 0 64 64" width="64" height="64" aria-hidden="true"><circle cx="32" cy="32" r="30"
 fill="{colour}"/><path d="{sign}" fill="none" stroke="#fff" stroke-width="5" stroke-linecap="round"
 stroke-linejoin="round"/></svg>
<h1>{heading}</h1>
<p>You can close this tab</p>
<a href="{home}">Back to King of Fans</a>
</main>
</body>
</html>
"""

router = APIRouter(tags=["payments"], route_class=StrictRoute)


async def _till(request: Request) -> Till:
    till: Till = request.app.state.till
    return till


TillDep = Annotated[Till, Depends(_till)]


@router.post(
    "/api/v1/payment/prepare-wallet-funding", responses=documented(400, 401, 404, 422, 503)
)
async def prepare_wallet_funding(
    member: CurrentMember,
    till: TillDep,
    body: PrepareFunding,
    key: IdempotencyKeyHeader,
    response: Response,
) -> Envelope[PreparedFunding]:
    """Open a checkout at the payment provider.

    The wallet is credited once the provider confirms the payment; the socket namespace
    ``/payment`` tells when. A retry with the same ``Idempotency-Key`` gets the same checkout.
    """
    if body.user_id is not None:
        member.require_self(body.user_id)
    attempt = None
    if key is not None:
        print_of_request = fingerprint({"amount": body.amount})
        attempt = Attempt(member.user_id, PREPARE_ROUTE, key, print_of_request)
    prepared = await service.prepare_funding(
        till, Intent(member.user_id, Kobo(body.amount), attempt)
    )
    if prepared.replayed:
        response.headers[REPLAYED_HEADER] = "true"
    return ok(prepared.content, "Continue to payment.")


@router.post("/api/v1/payment/cancel-funding", responses=documented(401, 404, 409))
async def cancel_funding(
    member: CurrentMember,
    till: TillDep,
    body: CancelFunding,
    key: IdempotencyKeyHeader,
    response: Response,
) -> Envelope[CancelledFunding]:
    """Let a checkout go that the member has closed: it counts no longer against the day's limit.

    A payment that comes all the same is credited, or set aside when the day has no room for it.
    """
    attempt = None
    if key is not None:
        print_of_request = fingerprint({"reference": body.reference})
        attempt = Attempt(member.user_id, CANCEL_ROUTE, key, print_of_request)
    if await service.cancel_funding(till, member.user_id, body.reference, attempt):
        response.headers[REPLAYED_HEADER] = "true"
    return ok(CancelledFunding(), "The payment was cancelled.")


@router.get("/api/v1/payment/funding-limits", responses=documented(401))
async def read_funding_limits(
    member: CurrentMember, till: TillDep
) -> Envelope[FundingLimitsAnswer]:
    """Read how much the member may fund, at once and today."""
    return ok(await service.read_limits(till, member.user_id))


@router.get("/api/v1/payment/verify-transaction/{reference}", responses=documented(401, 404))
async def verify_transaction(
    member: CurrentMember, till: TillDep, reference: ExistingName
) -> Envelope[FundingOutcome]:
    """Ask how a funding stands; another member's reference is not found.

    ``pending`` means undecided: ask again later, and never pay again because of it.
    """
    return ok(await service.verify_funding(till, member.user_id, reference))


@router.post("/api/v1/payment/webhook/{gateway}", responses=documented(404))
async def receive_webhook(
    till: TillDep,
    security: SecurityDep,
    limiter: LimiterDep,
    address: AddressDep,
    gateway: ExistingName,
    request: Request,
) -> Envelope[None]:
    """Take the provider's signed report; for the provider only."""
    try:
        await service.receive_webhook(till, gateway, await request.body(), request.headers)
    except InvalidSignatureError:
        security.record(
            SecurityEvent.SIGNATURE_REFUSED,
            gateway=till.gateway.name,
            origin=limiter.origin(address),
        )
        raise
    return ok(None)


@router.get(
    "/api/v1/payment/callback/{gateway}",
    response_class=HTMLResponse,
    responses=documented(404, 429),
    dependencies=[Depends(limit_anonymous)],
)
async def return_from_checkout(
    till: TillDep,
    settings: SettingsDep,
    gateway: ExistingName,
    reference: Annotated[ExistingName, Query()],
) -> HTMLResponse:
    """Show the payer who comes back from the provider how the payment stands."""
    outcome = await service.return_from_checkout(till, gateway, reference)
    colour, sign = SIGNS[outcome]
    page = PAGE.format(
        heading=HEADINGS[outcome],
        colour=colour,
        sign=sign,
        style=PAGE_STYLE,
        home=escape(settings.public_url),
    )
    return HTMLResponse(page, headers=PAGE_HEADERS)
