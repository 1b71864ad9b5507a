"""HTTP door of payments."""

import base64
import hashlib
from html import escape
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request, Response
from fastapi.responses import HTMLResponse

from api.core.doors import SettingsDep, documented, limit_anonymous
from api.core.http import StrictRoute
from api.core.idempotency import REPLAYED_HEADER, Attempt, IdempotencyKeyHeader, fingerprint
from api.core.identity import CurrentMember
from api.core.money import Kobo
from api.core.wire import Envelope, OpaqueId, ok
from api.payments import service
from api.payments.enums import Outcome
from api.payments.schemas import (
    FundingLimitsAnswer,
    FundingOutcome,
    PreparedFunding,
    PrepareFunding,
)
from api.payments.service import Intent, Till

PREPARE_ROUTE = "prepare-wallet-funding"
PAGE_STYLE = (
    ":root{color-scheme:light dark}"
    "body{font:1.125rem/1.5 system-ui,sans-serif;margin:0;min-height:100vh;display:grid;"
    "place-content:center;text-align:center;padding:1.5rem}"
    "h1{font-size:1.5rem;margin:0 0 .5rem}p{margin:0 0 1.5rem}"
    "a{color:inherit;padding:.75rem 0}"
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


@router.get("/api/v1/payment/funding-limits", responses=documented(401))
async def read_funding_limits(
    member: CurrentMember, till: TillDep
) -> Envelope[FundingLimitsAnswer]:
    """Read how much the member may fund, at once and today."""
    return ok(await service.read_limits(till, member.user_id))


@router.get("/api/v1/payment/verify-transaction/{reference}", responses=documented(401, 404))
async def verify_transaction(
    member: CurrentMember, till: TillDep, reference: OpaqueId
) -> Envelope[FundingOutcome]:
    """Ask how a funding stands; another member's reference is not found.

    ``pending`` means undecided: ask again later, and never pay again because of it.
    """
    return ok(await service.verify_funding(till, member.user_id, reference))


@router.post("/api/v1/payment/webhook/{gateway}", responses=documented(404))
async def receive_webhook(till: TillDep, gateway: OpaqueId, request: Request) -> Envelope[None]:
    """Take the provider's signed report; for the provider only."""
    await service.receive_webhook(till, gateway, await request.body(), request.headers)
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
    gateway: OpaqueId,
    reference: Annotated[OpaqueId, Query()],
) -> HTMLResponse:
    """Show the payer who comes back from the provider how the payment stands."""
    outcome = await service.return_from_checkout(till, gateway, reference)
    page = PAGE.format(
        heading=HEADINGS[outcome], style=PAGE_STYLE, home=escape(settings.public_url)
    )
    return HTMLResponse(page, headers=PAGE_HEADERS)
