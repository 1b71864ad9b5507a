"""The Paystack adapter against the sandbox's wire, and against invalid responses."""

import asyncio
import hashlib
import hmac
import json
from collections.abc import AsyncIterator, Callable
from typing import Any

import httpx
import pytest
from api.app.adapters import paystack
from api.app.adapters.paystack import PaystackGateway
from api.dev.sandbox.paystack.app import create_sandbox
from api.dev.sandbox.paystack.config import SandboxConfig
from api.dev.sandbox.paystack.provider import Provider
from api.foundation.core.money import Kobo
from api.money.payments.errors import (
    GatewayRejectedError,
    GatewayUnavailableError,
    InvalidSignatureError,
    ReferenceUsedError,
)
from api.money.payments.ports import CheckoutRequest, GatewayStatus

SECRET_KEY = "sk_test_sandbox_adapter"
BASE_URL = "http://provider.test"
REQUEST = CheckoutRequest(
    reference="FW-7K3Q9X2M4N5P6R7S8T9V0W1X2Y",
    email="ada@example.com",
    amount_kobo=Kobo(123_456),
    currency="NGN",
    callback_url="http://app.test/api/v1/payment/callback/paystack",
    user_id="0190b5c2-0000-7000-8000-000000000001",
)


@pytest.fixture
async def provider() -> AsyncIterator[tuple[Provider, PaystackGateway]]:
    app = create_sandbox(SandboxConfig(secret_key=SECRET_KEY, public_url=BASE_URL))
    gateway = PaystackGateway(
        secret_key=SECRET_KEY, base_url=BASE_URL, transport=httpx.ASGITransport(app=app)
    )
    yield app.state.provider, gateway
    await gateway.aclose()


Answer = Callable[[httpx.Request], httpx.Response]


def gateway_answered_by(answer: Answer, base_url: str = BASE_URL) -> PaystackGateway:
    return PaystackGateway(
        secret_key=SECRET_KEY, base_url=base_url, transport=httpx.MockTransport(answer)
    )


def transaction(**changes: object) -> dict[str, Any]:
    return {
        "id": 4_099_260_516,
        "status": "success",
        "reference": REQUEST.reference,
        "amount": 123_456,
        "requested_amount": 123_456,
        "currency": "NGN",
        "domain": "test",
        "metadata": {"user_id": REQUEST.user_id},
        **changes,
    }


def enveloped(content: object, http_status: int = 200) -> Answer:
    body = {"status": True, "message": "OK", "data": content}
    return lambda _request: httpx.Response(http_status, json=body)


async def test_a_checkout_is_opened_and_verified_over_the_providers_wire(
    provider: tuple[Provider, PaystackGateway],
) -> None:
    sandbox, gateway = provider

    checkout = await gateway.open_checkout(REQUEST)
    before = await gateway.verify(REQUEST.reference)
    kept = sandbox.store.read_by_reference(REQUEST.reference)
    assert kept is not None
    sandbox.pay_with_wallet(kept)
    after = await gateway.verify(REQUEST.reference)

    assert checkout.link == f"{BASE_URL}/{checkout.access_code}"
    assert before.status is GatewayStatus.ABANDONED
    assert after.status is GatewayStatus.SUCCESS
    assert (after.amount_kobo, after.requested_kobo, after.currency) == (123_456, 123_456, "NGN")
    assert (after.user_id, after.livemode) == (REQUEST.user_id, False)
    assert kept.callback_url == REQUEST.callback_url


async def test_the_provider_is_told_email_amount_and_member_alone() -> None:
    bodies: list[dict[str, Any]] = []

    def answer(request: httpx.Request) -> httpx.Response:
        bodies.append(json.loads(request.content))
        return httpx.Response(503)

    with pytest.raises(GatewayUnavailableError):
        await gateway_answered_by(answer).open_checkout(REQUEST)

    assert bodies == [
        {
            "email": "ada@example.com",
            "amount": 123_456,
            "currency": "NGN",
            "reference": REQUEST.reference,
            "callback_url": REQUEST.callback_url,
            "metadata": {"user_id": REQUEST.user_id},
        }
    ]


async def test_a_used_reference_is_told_apart_from_other_refusals(
    provider: tuple[Provider, PaystackGateway],
) -> None:
    _, gateway = provider
    await gateway.open_checkout(REQUEST)

    with pytest.raises(ReferenceUsedError):
        await gateway.open_checkout(REQUEST)


async def test_an_unknown_reference_is_not_found_and_no_error(
    provider: tuple[Provider, PaystackGateway],
) -> None:
    _, gateway = provider

    assert (await gateway.verify("FW-nowhere")).status is GatewayStatus.NOT_FOUND


async def test_the_providers_refusal_reaches_the_member_in_its_words() -> None:
    refusal = {"status": False, "message": "Invalid Email Address Passed", "code": "x"}
    gateway = gateway_answered_by(lambda _request: httpx.Response(400, json=refusal))

    with pytest.raises(GatewayRejectedError, match="Invalid Email Address Passed") as caught:
        await gateway.open_checkout(REQUEST)

    assert caught.value.content is None


@pytest.mark.parametrize("http_status", [301, 302, 307, 401, 403, 408, 429, 500, 502, 503])
async def test_answers_that_may_change_are_unavailability(http_status: int) -> None:
    asked: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(str(request.url))
        return httpx.Response(
            http_status,
            json={"status": False, "message": "later"},
            headers={"Location": "http://evil.test/"},
        )

    gateway = gateway_answered_by(answer)

    with pytest.raises(GatewayUnavailableError) as caught:
        await gateway.open_checkout(REQUEST)

    assert len(asked) == 1
    assert caught.value.retry_after_seconds == 5


@pytest.mark.parametrize(
    "body",
    [b"", b"<html>", b"[]", b"null", b'"text"', b"[" * 100_000, b"\xff\xfe", b'{"data":{}}'],
    ids=["empty", "html", "list", "null", "text", "deep", "bytes", "no status"],
)
async def test_an_answer_that_is_no_envelope_is_never_a_success(body: bytes) -> None:
    gateway = gateway_answered_by(lambda _request: httpx.Response(200, content=body))

    with pytest.raises((GatewayUnavailableError, GatewayRejectedError)):
        await gateway.open_checkout(REQUEST)
    with pytest.raises(GatewayUnavailableError):
        await gateway.verify(REQUEST.reference)


@pytest.mark.parametrize(
    "change",
    [
        {"amount": "123456"},
        {"amount": 123_456.0},
        {"amount": True},
        {"amount": -1},
        {"amount": 10**18},
        {"status": None},
        {"currency": 5},
        {"reference": "FW-another"},
        {"requested_amount": "123456"},
        {"id": None},
    ],
)
async def test_a_verification_that_does_not_hold_together_is_not_believed(
    change: dict[str, Any],
) -> None:
    gateway = gateway_answered_by(enveloped(transaction(**change)))

    with pytest.raises(GatewayUnavailableError):
        await gateway.verify(REQUEST.reference)


@pytest.mark.parametrize(
    ("word", "status"),
    [
        ("success", GatewayStatus.SUCCESS),
        ("failed", GatewayStatus.FAILED),
        ("abandoned", GatewayStatus.ABANDONED),
        ("reversed", GatewayStatus.REVERSED),
        ("ongoing", GatewayStatus.PENDING),
        ("queued", GatewayStatus.PENDING),
        ("a word of tomorrow", GatewayStatus.PENDING),
    ],
)
async def test_the_providers_words_become_ours(word: str, status: GatewayStatus) -> None:
    gateway = gateway_answered_by(enveloped(transaction(status=word)))

    assert (await gateway.verify(REQUEST.reference)).status is status


@pytest.mark.parametrize(
    ("metadata", "user_id"),
    [
        ("", None),
        (None, None),
        ([], None),
        ('{"user_id": "ada"}', "ada"),
        ({"user_id": 5}, None),
        ({"user_id": "ada", "referrer": "x"}, "ada"),
    ],
)
async def test_the_member_is_read_from_metadata_of_any_shape(
    metadata: object, user_id: str | None
) -> None:
    gateway = gateway_answered_by(enveloped(transaction(metadata=metadata)))

    assert (await gateway.verify(REQUEST.reference)).user_id == user_id


@pytest.mark.parametrize(
    "reference", ["", "../../evil?x=1", "a b", "FW_1", "x" * 65, "FW-1\n", "FW-1%2f"]
)
async def test_a_reference_that_cannot_be_ours_is_never_asked_about(reference: str) -> None:
    def answer(_request: httpx.Request) -> httpx.Response:
        pytest.fail("the provider was asked")

    gateway = gateway_answered_by(answer)

    assert (await gateway.verify(reference)).status is GatewayStatus.NOT_FOUND


async def test_an_endless_answer_is_cut_off() -> None:
    sent = 0

    async def endless() -> AsyncIterator[bytes]:
        nonlocal sent
        while True:
            sent += 64 * 1024
            yield b" " * 64 * 1024

    gateway = gateway_answered_by(lambda _request: httpx.Response(200, content=endless()))

    with pytest.raises(GatewayUnavailableError):
        await gateway.verify(REQUEST.reference)

    assert sent <= 2 * 1024 * 1024


async def test_an_answer_that_drips_for_ever_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paystack, "WHOLE_CALL_SECONDS", 0.05)

    async def drip() -> AsyncIterator[bytes]:
        while True:
            await asyncio.sleep(0.01)
            yield b" "

    gateway = gateway_answered_by(lambda _request: httpx.Response(200, content=drip()))

    with pytest.raises(GatewayUnavailableError):
        await gateway.verify(REQUEST.reference)


async def test_a_broken_connection_is_unavailability() -> None:
    def answer(_request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("refused")

    with pytest.raises(GatewayUnavailableError):
        await gateway_answered_by(answer).open_checkout(REQUEST)


@pytest.mark.parametrize(
    "link",
    [
        "https://evil.test/abc",
        "http://checkout.paystack.com/abc",
        "https://checkout.paystack.com.evil.test/abc",
        "https://checkout.paystack.com@evil.test/abc",
        "javascript:alert(1)",
    ],
)
async def test_the_official_provider_may_only_link_to_its_own_page(link: str) -> None:
    content = {"authorization_url": link, "access_code": "abc", "reference": REQUEST.reference}
    gateway = gateway_answered_by(enveloped(content), base_url="https://api.paystack.co")

    with pytest.raises(GatewayUnavailableError):
        await gateway.open_checkout(REQUEST)


async def test_the_official_providers_own_page_is_passed_on() -> None:
    link = "https://checkout.paystack.com/abc"
    content = {"authorization_url": link, "access_code": "abc", "reference": REQUEST.reference}
    gateway = gateway_answered_by(enveloped(content), base_url="https://api.paystack.co")

    assert (await gateway.open_checkout(REQUEST)).link == link


def signed(body: bytes, key: str = SECRET_KEY) -> dict[str, str]:
    signature = hmac.new(key.encode(), body, hashlib.sha512).hexdigest()
    return {"x-paystack-signature": signature}


def webhook(event: str = "charge.success", **changes: object) -> bytes:
    return json.dumps({"event": event, "data": transaction(**changes)}).encode()


@pytest.fixture
def gateway() -> PaystackGateway:
    return gateway_answered_by(lambda _request: httpx.Response(500))


def test_the_signature_is_hmac_sha512_of_the_raw_bytes() -> None:
    body = b'{"event":"charge.success","data":{"id":1}}'
    signature = (
        "d08a16771c905a5f998b542bd6c9565d9cd599766d76b8d1ecdef399a5addb64"
        "1a644a0e44920f6b78508d7e5fc32a6c703a942fdefa5c8035e142a3c98fa2f0"
    )
    gateway = PaystackGateway(secret_key="sk_test_vector", base_url=BASE_URL)

    event = gateway.read_webhook(body, {"x-paystack-signature": signature})

    assert event.type == "charge.success"


def test_a_signed_success_vouches_for_its_payment(gateway: PaystackGateway) -> None:
    body = webhook()

    event = gateway.read_webhook(body, signed(body))

    assert event.dedupe_key == "paystack:charge.success:4099260516"
    assert event.reference == REQUEST.reference
    assert event.verification is not None
    assert event.verification.status is GatewayStatus.SUCCESS
    assert event.verification.amount_kobo == 123_456


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"x-paystack-signature": ""},
        {"x-paystack-signature": "0" * 128},
        {"x-paystack-signature": "é" * 128},
        {"x-paystack-signature": "\udcff" * 128},
        signed(webhook(), "sk_test_sandbox_other"),
        signed(webhook(amount=1)),
        {"x-paystack-signature": signed(webhook())["x-paystack-signature"][:-1]},
        {"x-paystack-signature": signed(webhook())["x-paystack-signature"].upper()},
    ],
)
def test_a_missing_wrong_or_foreign_signature_is_refused(
    gateway: PaystackGateway, headers: dict[str, str]
) -> None:
    with pytest.raises(InvalidSignatureError):
        gateway.read_webhook(webhook(), headers)


def test_a_body_that_was_only_rewritten_is_refused(gateway: PaystackGateway) -> None:
    body = webhook()
    rewritten = json.dumps(json.loads(body), indent=1).encode()

    with pytest.raises(InvalidSignatureError):
        gateway.read_webhook(rewritten, signed(body))


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b"[" * 100_000,
        b'{"event":"charge.success"}',
        b'{"event":"charge.success","data":null}',
        b'{"event":"charge.success","data":[]}',
        b'{"event":"charge.success","data":{"amount":NaN}}',
        webhook("charge.dispute.create"),
        webhook("bank.transfer.rejected"),
        webhook(amount="123456"),
        webhook(reference="FW-\ud800"),
        webhook(reference="FW-\0"),
        webhook(id="\ud800"),
        webhook(id="\0"),
        webhook("\ud800"),
        webhook("x\0"),
    ],
)
def test_a_signed_body_that_tells_of_no_payment_vouches_for_nothing(
    gateway: PaystackGateway, body: bytes
) -> None:
    event = gateway.read_webhook(body, signed(body))

    assert event.verification is None
    assert event.dedupe_key.startswith("paystack:sha256:")


def test_only_a_live_key_is_live() -> None:
    test = PaystackGateway(secret_key="sk_test_x", base_url=BASE_URL)
    live = PaystackGateway(secret_key="sk_live_x", base_url="https://api.paystack.co")

    assert (test.livemode, live.livemode) == (False, True)


def test_an_empty_key_is_refused() -> None:
    with pytest.raises(ValueError, match="secret key"):
        PaystackGateway(secret_key="", base_url=BASE_URL)
