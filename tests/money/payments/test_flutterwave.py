"""Two gateways side by side: Paystack with its frame, Flutterwave with its page and its hints."""

import asyncio
import json
import re
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from api.dev.sandbox.flutterwave.payments import ChargeStatus
from api.dev.sandbox.flutterwave.webhooks import signature_of
from api.foundation.core.config import DEVELOPMENT_FLW_HASH
from api.money.ledger_audit.repository.audit_run import broken_invariants_in
from api.money.payments.service import sweeping

from tests.conftest import RunningApp, SignedIn, open_running_app

PREPARE = "/api/v1/payment/prepare-wallet-funding"
WEBHOOK = "/api/v1/payment/webhook/flutterwave"
SANDBOX = "/sandbox/flutterwave"


def provider(app: RunningApp) -> Any:
    """Return the fake Flutterwave."""
    mounts = {route.path: route.app for route in app.asgi.state.services.sandbox.routes}
    return mounts["/flutterwave"].state.provider


async def prepare(member: SignedIn, **changes: object) -> dict[str, Any]:
    answer = await member.post(PREPARE, {"amount": 5000.5, "gateway": "flutterwave"} | changes)
    assert answer.status_code == 200, answer.text
    prepared: dict[str, Any] = answer.json()["data"]
    return prepared


async def force(app: RunningApp, reference: str, **content: object) -> None:
    answer = await app.client.post(f"{SANDBOX}/_sandbox/{reference}", json=content)
    assert answer.status_code == 200, answer.text
    await provider(app).webhooks.settle()


async def report(app: RunningApp, reference: str, **headers: str) -> httpx.Response:
    """Send a report of a success, as the provider or an impostor would."""
    body = hint(reference)
    return await app.client.post(WEBHOOK, content=body, headers=headers)


def hint(reference: str) -> bytes:
    content = {"id": 1, "tx_ref": reference, "status": "successful", "amount": 1_000_000}
    return json.dumps({"event": "charge.completed", "data": content}).encode()


async def verify(member: SignedIn, reference: str) -> str:
    answer = await member.get(f"/api/v1/payment/verify-transaction/{reference}")
    status: str = answer.json()["data"]["status"]
    return status


async def test_the_gateways_are_offered_the_default_one_first(member: SignedIn) -> None:
    limits = (await member.get("/api/v1/payment/funding-limits")).json()["data"]
    default = (await member.post(PREPARE, {"amount": 100})).json()["data"]
    unknown = await member.post(PREPARE, {"amount": 100, "gateway": "stripe"})

    assert limits["gateways"] == [
        {"name": "paystack", "title": "Paystack"},
        {"name": "flutterwave", "title": "Flutterwave"},
    ]
    assert (default["gateway"], default["access_code"] is None) == ("paystack", False)
    assert (unknown.status_code, list(unknown.json()["error"]["fields"])) == (422, ["gateway"])


@pytest.mark.parametrize(
    ("button", "status", "outcome", "balance"),
    [
        ("Pay successfully", "successful", "success", 5000.5),
        ("Fail", "failed", "failed", 0),
        ("Cancel", "cancelled", "pending", 0),
    ],
)
async def test_a_member_pays_at_the_page_and_comes_back(
    office: RunningApp, member: SignedIn, button: str, status: str, outcome: str, balance: float
) -> None:
    prepared = await prepare(member)
    path = urlsplit(prepared["link"]).path
    page = await office.client.get(path)
    action = re.search(rf'action="([^"]+)"><button[^>]*>{button}<', page.text)

    assert (prepared["gateway"], prepared["access_code"], prepared["checkout"]) == (
        *("flutterwave", None),
        None,
    )
    assert action is not None
    chosen = await office.client.post(f"{path.rpartition('/')[0]}/{action[1]}")
    back = urlsplit(chosen.headers["location"])
    assert (chosen.status_code, back.path) == (303, "/api/v1/payment/callback/flutterwave")
    assert parse_qs(back.query)["status"] == [status]
    assert parse_qs(back.query)["tx_ref"] == [prepared["reference"]]
    shown = await office.client.get(f"{back.path}?{back.query}")

    assert shown.status_code == 200
    assert await verify(member, prepared["reference"]) == outcome
    assert await office.balance(member) == balance
    assert await broken_invariants_in(office.database) == []


async def test_nobody_has_paid_yet_is_neither_success_nor_failure(
    office: RunningApp, member: SignedIn
) -> None:
    prepared = await prepare(member)

    assert await verify(member, prepared["reference"]) == "pending"
    assert await office.balance(member) == 0


@pytest.mark.parametrize("header", ["verif-hash", "flutterwave-signature"])
async def test_a_hint_is_never_believed_but_asked_about(
    office: RunningApp, member: SignedIn, header: str
) -> None:
    reference = (await prepare(member))["reference"]
    static = header == "verif-hash"
    given = DEVELOPMENT_FLW_HASH if static else signature_of(hint(reference), DEVELOPMENT_FLW_HASH)

    lie = await report(office, reference, **{header: given})
    assert lie.status_code == 200
    assert await office.balance(member) == 0
    await force(office, reference, status="successful")

    assert await office.balance(member) == 5000.5
    assert await verify(member, reference) == "success"


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"verif-hash": ""},
        {"verif-hash": "wrong"},
        {"verif-hash": "ünlike"},
        {"flutterwave-signature": DEVELOPMENT_FLW_HASH},
        {"flutterwave-signature": signature_of(b"other bytes", DEVELOPMENT_FLW_HASH)},
        {"x-paystack-signature": DEVELOPMENT_FLW_HASH},
    ],
)
async def test_a_report_without_the_right_secret_is_refused_and_not_kept(
    office: RunningApp, member: SignedIn, headers: dict[str, str]
) -> None:
    reference = (await prepare(member))["reference"]
    encoded = [(name.encode(), value.encode()) for name, value in headers.items()]

    answer = await office.client.post(WEBHOOK, content=hint(reference), headers=encoded)

    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "invalid_signature")
    assert await office.database.fetch_value("SELECT count(*) FROM payment_event") == 0


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"amount": 5000}, "amount"),
        ({"amount": 5000.49}, "amount"),
        ({"amount": 9000}, "amount"),
        ({"currency": "USD"}, "currency"),
    ],
)
async def test_what_does_not_fit_is_set_aside(
    office: RunningApp, member: SignedIn, changes: dict[str, object], reason: str
) -> None:
    reference = (await prepare(member))["reference"]

    await force(office, reference, status="successful", **changes)

    kept = await office.database.fetch_row(
        "SELECT state, review_reason FROM funding WHERE reference = $1", reference
    )
    assert kept is not None
    assert dict(kept) == {"state": "review", "review_reason": reason}
    assert await office.balance(member) == 0


async def test_a_decline_is_not_the_end_and_a_late_one_changes_nothing(
    office: RunningApp, member: SignedIn
) -> None:
    reference = (await prepare(member))["reference"]

    await force(office, reference, status="failed")
    assert await verify(member, reference) == "failed"
    await force(office, reference, status="successful")
    assert await verify(member, reference) == "success"
    await force(office, reference, status="failed")

    assert await verify(member, reference) == "success"
    assert await office.balance(member) == 5000.5


async def test_reports_returns_and_questions_at_once_credit_once(
    office: RunningApp, member: SignedIn
) -> None:
    reference = (await prepare(member))["reference"]
    await force(office, reference, status="pending")
    await force(office, reference, status="successful")
    back = f"/api/v1/payment/callback/flutterwave?tx_ref={reference}"
    secret = {"verif-hash": DEVELOPMENT_FLW_HASH}

    answers = await asyncio.gather(
        *(report(office, reference, **secret) for _ in range(10)),
        *(office.client.get(back) for _ in range(5)),
        *(member.get(f"/api/v1/payment/verify-transaction/{reference}") for _ in range(5)),
    )

    assert {answer.status_code for answer in answers} == {200}
    assert await office.balance(member) == 5000.5
    assert await broken_invariants_in(office.database) == []


async def test_a_lost_report_is_found_by_asking(office: RunningApp, member: SignedIn) -> None:
    reference = (await prepare(member))["reference"]
    paid = ChargeStatus.SUCCESSFUL
    provider(office).payments.change(reference, lambda each: replace(each, status=paid))
    await office.database.execute("UPDATE funding SET next_check_at = now()")

    await sweeping.sweep(office.asgi.state.services.payments)

    assert await office.balance(member) == 5000.5


async def test_a_funding_keeps_its_gateway_when_it_is_offered_no_more(
    office: RunningApp, member: SignedIn
) -> None:
    reference = (await prepare(member))["reference"]
    await provider(office).webhooks.settle()
    alone = office.settings.model_copy(update={"payment_gateways": ()})

    async with open_running_app(alone) as later:
        headers = {"Authorization": f"Bearer {member.token}"}
        asked = await later.client.get(
            f"/api/v1/payment/verify-transaction/{reference}", headers=headers
        )
        responses = [
            await report(later, reference, **{"verif-hash": DEVELOPMENT_FLW_HASH}),
            await later.client.get(f"/api/v1/payment/callback/flutterwave?tx_ref={reference}"),
            await later.client.get(f"/api/v1/payment/callback/paystack?reference={reference}"),
            await later.client.get(f"{SANDBOX}/v3/hosted/pay/x"),
            await later.client.post(PREPARE, json={"amount": 100}, headers=headers),
        ]
    assert asked.json()["data"]["status"] == "pending"
    assert [response.status_code for response in responses] == [404, 404, 404, 404, 200]


@pytest.mark.parametrize(
    ("path", "method"),
    [
        ("/v3/payments", "POST"),
        ("/v3/transactions/verify_by_reference?tx_ref=x", "GET"),
        ("/v3/transactions/1/verify", "GET"),
    ],
)
async def test_the_sandbox_wants_the_merchants_key(
    office: RunningApp, path: str, method: str
) -> None:
    assert (await office.client.request(method, SANDBOX + path)).status_code == 401


@pytest.mark.parametrize(
    "content",
    [
        {},
        {"status": "untold"},
        {"status": "failed", "amount": -1},
        {"status": 1},
        {"status": "untried"},
    ],
)
async def test_the_sandbox_refuses_what_it_cannot_force(
    office: RunningApp, member: SignedIn, content: dict[str, object]
) -> None:
    reference = (await prepare(member))["reference"]

    answer = await office.client.post(f"{SANDBOX}/_sandbox/{reference}", json=content)

    assert answer.status_code == 400
    unknown = await office.client.post(f"{SANDBOX}/_sandbox/none", json={"status": "failed"})
    assert unknown.status_code == 404
