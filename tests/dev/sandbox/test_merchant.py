"""The merchant calls have the provider's documented shapes and refusals."""

from typing import Any

import httpx
import pytest

from tests.dev.sandbox.conftest import PUBLIC_URL, Begin, Browser

ORDER = {"email": "ada@example.com", "amount": 500_000, "reference": "FW-1"}


async def test_a_new_transaction_gets_an_access_code_and_a_page(
    merchant: httpx.AsyncClient,
) -> None:
    answer = await merchant.post("/transaction/initialize", json=ORDER)

    body = answer.json()
    assert (answer.status_code, body["status"]) == (200, True)
    assert body["message"] == "Authorization URL created"
    assert body["data"]["reference"] == "FW-1"
    assert body["data"]["authorization_url"] == f"{PUBLIC_URL}/{body['data']['access_code']}"


async def test_a_reference_opens_one_transaction_only(merchant: httpx.AsyncClient) -> None:
    await merchant.post("/transaction/initialize", json=ORDER)

    answer = await merchant.post("/transaction/initialize", json=ORDER)

    body = answer.json()
    assert (answer.status_code, body["status"]) == (400, False)
    assert body["message"] == "Duplicate Transaction Reference"
    assert body["code"] == "duplicate_reference"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"amount": 0}, "Invalid Amount Sent"),
        ({"amount": -1}, "Invalid Amount Sent"),
        ({"amount": 10.5}, "Invalid Amount Sent"),
        ({"amount": True}, "Invalid Amount Sent"),
        ({"amount": "12a"}, "Invalid Amount Sent"),
        ({"amount": "٣٠٠"}, "Invalid Amount Sent"),
        ({"amount": 10**30}, "Invalid Amount Sent"),
        ({"amount": 1_000_000_001}, "Transaction amount limit exceeded"),
        ({"email": "ada"}, "Invalid Email Address Passed"),
        ({"email": None}, "Invalid Email Address Passed"),
        ({"reference": "FW_1"}, "Invalid character in transaction reference"),
        ({"reference": "../x"}, "Invalid character in transaction reference"),
        ({"currency": "EUR"}, "Currency not supported by merchant"),
        ({"callback_url": "javascript:alert(1)"}, "Invalid callback URL"),
    ],
)
async def test_a_field_that_breaks_the_rules_is_refused_in_the_providers_words(
    merchant: httpx.AsyncClient, change: dict[str, Any], message: str
) -> None:
    answer = await merchant.post("/transaction/initialize", json=ORDER | change)

    assert (answer.status_code, answer.json()["message"]) == (400, message)


async def test_an_amount_may_be_a_string_of_digits(
    merchant: httpx.AsyncClient, begin: Begin
) -> None:
    opened = await begin(amount="250050")

    answer = await merchant.get(f"/transaction/verify/{opened.reference}")

    assert answer.json()["data"]["amount"] == 250_050


async def test_a_fresh_transaction_is_abandoned_until_somebody_pays(
    merchant: httpx.AsyncClient, begin: Begin
) -> None:
    opened = await begin(metadata='{"user_id": "ada"}')

    answer = await merchant.get(f"/transaction/verify/{opened.reference}")

    data = answer.json()["data"]
    assert answer.json()["message"] == "Verification successful"
    assert (data["status"], data["domain"], data["currency"]) == (
        "abandoned",
        "test",
        "NGN",
    )
    assert (data["requested_amount"], data["paid_at"]) == (500_000, None)
    assert data["metadata"] == {"user_id": "ada"}
    assert str(data["id"]) == opened.id


async def test_an_unknown_reference_is_a_refusal_and_not_a_crash(
    merchant: httpx.AsyncClient,
) -> None:
    answer = await merchant.get("/transaction/verify/FW-nowhere")

    assert (answer.status_code, answer.json()["code"]) == (400, "transaction_not_found")


async def test_every_call_of_the_merchant_needs_the_secret_key(browser: Browser) -> None:
    refused = [
        await browser.client.post("/transaction/initialize", json=ORDER),
        await browser.client.get("/transaction/verify/FW-1"),
        await browser.client.get("/bank"),
        await browser.client.get(
            "/bank", headers={"Authorization": f"Bearer {browser.public_key}"}
        ),
    ]

    assert [answer.status_code for answer in refused] == [401, 401, 401, 401]
    assert {answer.json()["message"] for answer in refused} == {"Invalid key"}


async def test_banks_and_account_names_can_be_asked_for(merchant: httpx.AsyncClient) -> None:
    banks = (await merchant.get("/bank?country=nigeria&currency=NGN")).json()["data"]
    resolved = await merchant.get("/bank/resolve?account_number=0000000000&bank_code=058")
    refused = await merchant.get("/bank/resolve?account_number=12&bank_code=058")

    assert {"Zenith Bank", "Access Bank"} <= {bank["name"] for bank in banks}
    assert all(bank["type"] == "nuban" for bank in banks)
    assert resolved.json()["data"]["account_name"] == "TEST ACCOUNT"
    assert refused.status_code == 422


async def test_a_body_that_is_no_json_object_is_refused(merchant: httpx.AsyncClient) -> None:
    for body in (b"{", b"[]", b"[" * 100_000, b"\xff"):
        answer = await merchant.post("/transaction/initialize", content=body)
        assert (answer.status_code, answer.json()["message"]) == (400, "Invalid JSON")
