"""The Flutterwave adapter against invalid responses."""

import json
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from api.app.adapters.flutterwave import FlutterwaveGateway
from api.foundation.core.money import Kobo
from api.money.payments.errors import GatewayRejectedError, GatewayUnavailableError
from api.money.payments.ports import CheckoutRequest, GatewayStatus

REFERENCE = "FW-7K3Q9X2M4N5P6R7S8T9V0W1X2Y"
REQUEST = CheckoutRequest(
    reference=REFERENCE,
    email="ada@example.com",
    amount_kobo=Kobo(123_456),
    currency="NGN",
    callback_url="https://fans.example/api/v1/payment/callback/flutterwave",
    user_id="0190b5c2-0000-7000-8000-000000000001",
)
OFFICIAL = "https://api.flutterwave.com"
ODDITIES: list[Callable[[httpx.Request], httpx.Response]] = [
    lambda _: httpx.Response(500),
    lambda _: httpx.Response(401, json={"status": "error", "message": "Invalid key"}),
    lambda _: httpx.Response(302, headers={"location": "https://elsewhere.example"}),
    lambda _: httpx.Response(200, text="<html>"),
    lambda _: httpx.Response(200, json=[]),
    lambda _: httpx.Response(200, json={"status": "success", "data": None}),
]


def answered(
    answer: Callable[[httpx.Request], httpx.Response], base_url: str = OFFICIAL
) -> FlutterwaveGateway:
    return FlutterwaveGateway(
        secret_key="FLWSECK-1-X",
        webhook_hash="a hash",
        base_url=base_url,
        transport=httpx.MockTransport(answer),
    )


def with_charge(**changes: object) -> FlutterwaveGateway:
    charge: dict[str, Any] = {
        "id": 1,
        "tx_ref": REFERENCE,
        "amount": 1234.56,
        "charged_amount": 1250,
        "currency": "NGN",
        "status": "successful",
        "meta": {"user_id": REQUEST.user_id},
    }
    content = {"status": "success", "data": charge | changes}
    return answered(lambda _: httpx.Response(200, json=content))


@pytest.mark.parametrize("answer", ODDITIES)
async def test_what_is_no_answer_can_be_tried_again(
    answer: Callable[[httpx.Request], httpx.Response],
) -> None:
    with pytest.raises(GatewayUnavailableError):
        await answered(answer).verify(REFERENCE)
    with pytest.raises(GatewayUnavailableError):
        await answered(answer).open_checkout(REQUEST)


async def test_what_was_asked_for_and_paid_is_read_to_the_kobo() -> None:
    verified = await with_charge().verify(REFERENCE)

    assert (verified.requested_kobo, verified.amount_kobo) == (123_456, 125_000)
    assert (verified.status, verified.livemode) == (GatewayStatus.SUCCESS, True)
    assert verified.user_id == REQUEST.user_id


@pytest.mark.parametrize(
    "changes", [{"tx_ref": "FW-OTHER"}, {"amount": "much"}, {"amount": None}, {"id": None}]
)
async def test_an_answer_about_something_else_is_no_answer(changes: dict[str, object]) -> None:
    with pytest.raises(GatewayUnavailableError):
        await with_charge(**changes).verify(REFERENCE)


async def test_a_page_that_nobody_has_paid_at_is_no_failure() -> None:
    content = {"status": "error", "message": "No transaction was found for this id", "data": None}
    gateway = answered(lambda _: httpx.Response(400, json=content))

    assert (await gateway.verify(REFERENCE)).status is GatewayStatus.NOT_FOUND


@pytest.mark.parametrize(
    ("link", "is_taken"),
    [
        ("https://checkout.flutterwave.com/v3/hosted/pay/x", True),
        ("https://api.flutterwave.com/v3/hosted/pay/x", True),
        ("http://checkout.flutterwave.com/v3/hosted/pay/x", False),
        ("https://checkout.flutterwave.com.evil.example/x", False),
        ("javascript:alert(1)", False),
    ],
)
async def test_only_the_providers_own_page_is_given_to_members(link: str, is_taken: bool) -> None:
    content = {"status": "success", "message": "Hosted Link", "data": {"link": link}}
    gateway = answered(lambda _: httpx.Response(200, json=content))

    if not is_taken:
        with pytest.raises(GatewayUnavailableError):
            await gateway.open_checkout(REQUEST)
        return
    checkout = await gateway.open_checkout(REQUEST)
    assert (checkout.link, checkout.access_code) == (link, None)


async def test_a_refusal_is_passed_on_in_the_providers_words() -> None:
    content = {"status": "error", "message": "Amount is too small", "data": None}
    gateway = answered(lambda _: httpx.Response(400, json=content))

    with pytest.raises(GatewayRejectedError, match="Amount is too small"):
        await gateway.open_checkout(REQUEST)


@pytest.mark.parametrize("given", [("", "a hash"), ("FLWSECK-1-X", "")])
def test_a_gateway_without_a_secret_is_not_made(given: tuple[str, str]) -> None:
    with pytest.raises(ValueError, match="secret"):
        FlutterwaveGateway(secret_key=given[0], webhook_hash=given[1], base_url=OFFICIAL)


async def test_the_provider_is_told_email_amount_and_member_alone() -> None:
    bodies: list[dict[str, Any]] = []

    def answer(request: httpx.Request) -> httpx.Response:
        bodies.append(json.loads(request.content))
        return httpx.Response(503)

    with pytest.raises(GatewayUnavailableError):
        await answered(answer).open_checkout(REQUEST)

    (one,) = bodies
    assert one.pop("customizations").keys() == {"title"}
    assert one == {
        "tx_ref": REFERENCE,
        "amount": 1234.56,
        "currency": "NGN",
        "redirect_url": REQUEST.callback_url,
        "customer": {"email": "ada@example.com"},
        "meta": {"user_id": REQUEST.user_id},
    }
