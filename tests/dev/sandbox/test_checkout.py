"""The checkout calls: cards and their steps, transfers, the phone wallet, leaving and returning."""

import json
from typing import Any

import httpx
import pytest
from api.dev.sandbox.paystack.provider import Provider
from starlette.applications import Starlette

from tests.dev.sandbox.conftest import APP_ORIGIN, Begin, Browser, Clock, Receiver

SUCCESS = ("4084084084084081", "408")
PIN = ("507850785078507812", "081")
PIN_OTP = ("5060666666666666666", "123")
PIN_PHONE_OTP = ("507850785078507804", "884")
BANK = ("4084080000000409", "000")
DECLINED = ("4084080000005408", "001")
NO_TOKEN = ("507850785078507853", "082")
INSUFFICIENT = ("4084080000670037", "787")


async def status_of(merchant: httpx.AsyncClient, reference: str) -> dict[str, Any]:
    data: dict[str, Any] = (await merchant.get(f"/transaction/verify/{reference}")).json()["data"]
    return data


async def test_a_card_without_steps_pays_at_once(
    merchant: httpx.AsyncClient, browser: Browser, begin: Begin
) -> None:
    opened = await begin()

    outcome = await browser.charge(opened.id, *SUCCESS)

    data = await status_of(merchant, opened.reference)
    assert (outcome["status"], outcome["reference"]) == ("success", opened.reference)
    assert outcome["redirecturl"] == (
        f"http://shop.test/callback?trxref={opened.reference}&reference={opened.reference}"
    )
    assert (data["status"], data["channel"], data["fees"]) == ("success", "card", 17_500)
    assert data["authorization"]["last4"] == "4081"
    assert data["paid_at"] == "2026-03-01T12:00:00.000Z"


async def test_a_pin_and_otp_card_pays_after_both(
    merchant: httpx.AsyncClient, browser: Browser, begin: Begin
) -> None:
    opened = await begin()

    asked = await browser.charge(opened.id, *PIN_OTP)
    assert (asked["auth"], (await status_of(merchant, opened.reference))["status"]) == (
        "pin",
        "ongoing",
    )
    asked = await browser.form("/charge/", trans=opened.id, handle="1234")
    assert asked["auth"] == "otp"
    outcome = await browser.form("/charge/validate", trans=opened.id, token="123456")

    assert outcome["status"] == "success"


async def test_a_pin_phone_and_otp_card_asks_for_all_three(browser: Browser, begin: Begin) -> None:
    opened = await begin()

    steps = [(await browser.charge(opened.id, *PIN_PHONE_OTP))["auth"]]
    steps.append((await browser.form("/charge", trans=opened.id, handle="0000"))["auth"])
    phone = await browser.form("/charge/validate", trans=opened.id, phone="08031234567")
    steps.append(phone["auth"])
    outcome = await browser.form("/charge/validate", trans=opened.id, token="123456")

    assert steps == ["pin", "phone", "otp"]
    assert outcome["status"] == "success"


async def test_a_bank_authorisation_may_be_given_or_refused(browser: Browser, begin: Begin) -> None:
    given, refused = await begin(), await begin()
    await browser.charge(given.id, *BANK)
    await browser.charge(refused.id, *BANK)

    yes = await browser.form("/charge/validate", trans=given.id, token="authorize")
    no = await browser.form("/charge/validate", trans=refused.id, token="refuse")

    assert yes["status"] == "success"
    assert (no["status"], no["message"]) == ("failed", "Authentication failed")


@pytest.mark.parametrize(
    ("card", "words"), [(DECLINED, "Declined"), (INSUFFICIENT, "Insufficient Funds")]
)
async def test_a_declined_card_fails_and_another_may_still_pay(
    merchant: httpx.AsyncClient,
    browser: Browser,
    begin: Begin,
    card: tuple[str, str],
    words: str,
) -> None:
    opened = await begin()

    refused = await browser.charge(opened.id, *card)
    between = await status_of(merchant, opened.reference)
    paid = await browser.charge(opened.id, *SUCCESS)

    assert (refused["status"], refused["message"]) == ("failed", words)
    assert (between["status"], between["gateway_response"]) == ("failed", words)
    assert paid["status"] == "success"


async def test_a_card_without_token_fails_after_its_pin(browser: Browser, begin: Begin) -> None:
    opened = await begin()
    await browser.charge(opened.id, *NO_TOKEN)

    outcome = await browser.form("/charge/", trans=opened.id, handle="0000")

    assert outcome["status"] == "failed"
    assert outcome["message"].startswith("Token Not Generated")


async def test_a_wrong_pin_or_otp_fails_the_try(browser: Browser, begin: Begin) -> None:
    opened = await begin()

    await browser.charge(opened.id, *PIN)
    wrong_pin = await browser.form("/charge/", trans=opened.id, handle="9999")
    await browser.charge(opened.id, *PIN_OTP)
    await browser.form("/charge/", trans=opened.id, handle="1234")
    wrong_otp = await browser.form("/charge/validate", trans=opened.id, token="000000")

    assert (wrong_pin["message"], wrong_otp["message"]) == ("Incorrect PIN", "Incorrect OTP")


@pytest.mark.parametrize(
    ("number", "cvv", "expiry", "message"),
    [
        ("4242424242424242", "408", "12*30", "Only the listed test cards work here"),
        ("4084084084084081", "999", "12*30", "Incorrect CVV"),
        ("4084084084084081", "408", "02*26", "Expired card"),
        ("4084084084084081", "408", "13*30", "Expired card"),
        ("4084084084084081", "408", "12", "Only the listed test cards work here"),
    ],
)
async def test_other_cards_never_reach_the_transaction(
    merchant: httpx.AsyncClient,
    browser: Browser,
    begin: Begin,
    number: str,
    cvv: str,
    expiry: str,
    message: str,
) -> None:
    opened = await begin()

    outcome = await browser.charge(opened.id, number, cvv, expiry)

    assert (outcome["status"], outcome["message"]) == ("failed", message)
    assert (await status_of(merchant, opened.reference))["status"] == "abandoned"


async def test_a_card_number_is_kept_nowhere(
    provider: tuple[Provider, Starlette], browser: Browser, begin: Begin
) -> None:
    opened = await begin()
    await browser.charge(opened.id, *PIN)
    await browser.form("/charge/", trans=opened.id, handle="1111")

    store = provider[0].store
    kept = repr(store.list_recent()) + repr(store.list_deliveries())

    assert opened.reference in kept
    assert PIN[0] not in kept


async def test_an_access_code_expires_for_cards_but_a_paid_one_still_opens(
    browser: Browser, begin: Begin, clock: Clock
) -> None:
    unpaid, paid = await begin(), await begin()
    await browser.charge(paid.id, *SUCCESS)
    clock.advance(minutes=31)

    opening = await browser.client.get(f"/transaction/verify_access_code/{unpaid.access_code}")
    charging = await browser.charge(unpaid.id, *SUCCESS)
    reopened = await browser.open(paid.access_code)

    assert opening.json()["message"].endswith("Session timeout exceeded.")
    assert charging["message"].endswith("Session timeout exceeded.")
    assert reopened["transaction_status"] == "success"


async def test_an_unknown_access_code_is_a_setup_error(browser: Browser) -> None:
    answer = await browser.client.get("/transaction/verify_access_code/nope")

    assert (answer.status_code, answer.json()["message"]) == (400, "Invalid access code")


async def test_a_transfer_waits_for_money_and_pays_when_it_arrives(
    merchant: httpx.AsyncClient, browser: Browser, begin: Begin
) -> None:
    opened = await begin()

    asked = await browser.post("/checkout/pay_with_transfer", {"transaction_id": opened.id})
    waiting = (await browser.client.get(f"/charge/requery/{opened.id}")).json()
    await browser.post(f"/transaction/{opened.id}/transfer-sent")
    pending = await status_of(merchant, opened.reference)
    outcome = (await browser.post(f"/_sandbox/transfer/{opened.id}")).json()

    account = asked.json()["data"]
    assert (len(account["account_number"]), account["amount"]) == (10, 500_000)
    assert (waiting["status"], pending["status"]) == ("pending", "pending")
    assert outcome["status"] == "success"
    assert (await status_of(merchant, opened.reference))["channel"] == "bank_transfer"


async def test_a_transfer_may_arrive_hours_after_the_checkout_expired(
    browser: Browser, begin: Begin, clock: Clock
) -> None:
    opened = await begin()
    await browser.post("/checkout/pay_with_transfer", {"transaction_id": opened.id})
    clock.advance(hours=30)

    outcome = (await browser.post(f"/_sandbox/transfer/{opened.id}")).json()

    assert outcome["status"] == "success"


async def test_a_transfer_of_another_amount_is_sent_back(
    merchant: httpx.AsyncClient,
    provider: tuple[Provider, Starlette],
    browser: Browser,
    begin: Begin,
    receiver: Receiver,
) -> None:
    opened = await begin()
    await browser.post("/checkout/pay_with_transfer", {"transaction_id": opened.id})

    await browser.post(f"/_sandbox/transfer/{opened.id}", {"amount": 499_999})
    await provider[0].webhooks.settle()

    event = json.loads(receiver.received[0][0])
    assert event["event"] == "bank.transfer.rejected"
    assert event["data"]["bank_transfer"]["message_type"] == "INCORRECT_AMOUNT"
    assert (await status_of(merchant, opened.reference))["status"] == "ongoing"


async def test_a_transfer_below_a_hundred_naira_is_refused(browser: Browser, begin: Begin) -> None:
    opened = await begin(amount=9_999)

    answer = await browser.post("/checkout/pay_with_transfer", {"transaction_id": opened.id})

    assert answer.status_code == 400
    assert answer.json()["message"] == (
        "Pay with transfer is not currently supported for transactions less than NGN 100.00"
    )


async def test_leaving_the_checkout_abandons_it_unless_it_is_paid(
    merchant: httpx.AsyncClient, browser: Browser, begin: Begin
) -> None:
    left, paid = await begin(), await begin()
    await browser.charge(left.id, *PIN)
    await browser.charge(paid.id, *SUCCESS)
    headers = {"Authorization": f"Bearer {browser.public_key}"}

    for opened in (left, paid):
        await browser.client.patch(f"/transaction/{opened.id}/mark-as-abandoned", headers=headers)

    assert (await status_of(merchant, left.reference))["status"] == "abandoned"
    assert (await status_of(merchant, paid.reference))["status"] == "success"


async def test_the_phones_wallet_opens_a_session_and_pays(
    merchant: httpx.AsyncClient, browser: Browser, begin: Begin
) -> None:
    opened = await begin()

    session = await browser.form(
        "/applepay/validate-session/",
        transaction=opened.id,
        sessionUrl="http://169.254.169.254/latest/meta-data",
        displayName="King of Fans - Paystack",
        domainName="app.test",
    )
    refused = await browser.form(
        "/applepay/charge", transaction=opened.id, paymentObject="not json"
    )
    outcome = await browser.form("/applepay/charge", transaction=opened.id, paymentObject="{}")

    assert session["status"] == "success"
    assert session["data"]["domainName"] == "app.test"
    assert refused["status"] == "failed"
    assert (outcome["status"], outcome["trxref"]) == ("success", opened.reference)
    assert (await status_of(merchant, opened.reference))["channel"] == "apple_pay"


async def test_the_browsers_library_may_begin_a_transaction_itself(
    browser: Browser, merchant: httpx.AsyncClient
) -> None:
    body = {
        "key": browser.public_key,
        "email": "bello@example.com",
        "amount": 70_000,
        "ref": "T-1",
        "metadata": '{"referrer":"http://app.test/"}',
    }

    view = (await browser.client.post("/checkout/request_inline", json=body)).json()["data"]
    wrong = await browser.client.post("/checkout/request_inline", json=body | {"key": "pk_live_x"})

    assert (view["reference"], view["amount"], view["currency"]) == ("T-1", 70_000, "NGN")
    assert view["merchant_key"] == browser.public_key
    assert {"id", "access_code", "log", "channels", "link_config", "customer"} <= set(view)
    assert (await status_of(merchant, "T-1"))["metadata"] == {"referrer": "http://app.test/"}
    assert (wrong.status_code, wrong.json()["message"]) == (401, "Invalid key")


async def test_the_librarys_log_is_kept_although_it_comes_as_plain_text(
    provider: tuple[Provider, Starlette], browser: Browser, begin: Begin
) -> None:
    opened = await begin()
    log = {"attempts": 1, "history": [{"type": "action", "message": "Attempted to pay"}]}
    headers = {"Authorization": f"Bearer {browser.public_key}", "Content-Type": "text/plain"}

    answer = await browser.client.post(
        f"/transaction/update_log/{opened.id}",
        content=json.dumps({"payload": json.dumps(log)}),
        headers=headers,
    )

    kept = provider[0].store.read(int(opened.id))
    assert answer.status_code == 200
    assert kept is not None
    assert kept.client_log == log


async def test_the_library_may_note_the_payers_address(
    merchant: httpx.AsyncClient, browser: Browser, begin: Begin
) -> None:
    opened = await begin()

    answer = await browser.post(f"/transaction/set_ip/{opened.id}")

    assert answer.status_code == 200
    assert (await status_of(merchant, opened.reference))["ip_address"] == "127.0.0.1"


async def test_unknown_transactions_are_refused_whatever_their_id_looks_like(
    browser: Browser,
) -> None:
    for strange in ("0", "9" * 40, "abc", "٣"):
        answer = await browser.client.post("/charge/", data={"trans": strange})
        assert (answer.status_code, answer.json()["code"]) == (404, "transaction_not_found")


async def test_the_page_runs_nothing_inline_and_only_the_app_may_frame_it(
    browser: Browser,
) -> None:
    framed = await browser.client.get("/popup")
    own = await browser.client.get("/someaccesscode")

    policy = framed.headers["content-security-policy"]
    assert framed.text == own.text
    assert "script-src 'self';" in policy
    assert "style-src 'self';" in policy
    assert policy.endswith(f"frame-ancestors 'self' {APP_ORIGIN}")
    assert framed.headers["cache-control"] == "no-store"
    assert "<script>" not in framed.text
    assert "style=" not in framed.text


async def test_everything_that_the_page_loads_is_there(browser: Browser) -> None:
    kinds = {"checkout.js": "text/javascript", "checkout.css": "text/css", "logo.svg": "image/svg"}

    for name, kind in kinds.items():
        asset = await browser.client.get(f"/assets/{name}")
        assert asset.status_code == 200
        assert asset.headers["content-type"].startswith(kind)
    missing = await browser.client.get("/assets/checkout.html")
    assert missing.status_code == 404


async def test_only_the_app_may_call_from_another_origin(browser: Browser) -> None:
    preflight = {
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "authorization,content-type,x-connect-account",
    }

    ours = await browser.client.options(
        "/transaction/set_ip/1", headers=preflight | {"Origin": APP_ORIGIN}
    )
    evil = await browser.client.options(
        "/transaction/set_ip/1", headers=preflight | {"Origin": "http://evil.test"}
    )

    assert ours.headers["access-control-allow-origin"] == APP_ORIGIN
    assert "access-control-allow-credentials" not in ours.headers
    assert "access-control-allow-origin" not in evil.headers
