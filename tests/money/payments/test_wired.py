"""The whole application as deployed: from the wallet card to the credited wallet, and back."""

import asyncio
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import socketio
from api.foundation.core.config import Environment, PaymentGatewayName, Settings
from api.main import create_app
from pydantic import SecretStr

from tests.conftest import RunningApp, SignedIn
from tests.waiting import DEADLINE_SECONDS

PIN_OTP_CARD = "5060666666666666666*123*12*30"


@pytest.fixture
async def supporter(live_server: RunningApp) -> SignedIn:
    return await live_server.member("ada")


async def test_a_supporter_funds_the_wallet_with_a_card_that_asks_for_pin_and_otp(
    live_server: RunningApp, supporter: SignedIn
) -> None:
    received: asyncio.Queue[dict[str, object]] = asyncio.Queue()
    screen = socketio.AsyncClient(reconnection=False)
    screen.on("verify_wallet_transaction", received.put, namespace="/payment")
    await screen.connect(
        f"{live_server.base_url}?userId={supporter.id}",
        namespaces=["/payment"],
        auth={"token": supporter.token},
        transports=["websocket"],
    )
    provider = "/sandbox/paystack"

    answer = await supporter.post(
        "/api/v1/payment/prepare-wallet-funding", {"amount": 5000, "userId": str(supporter.id)}
    )
    prepared = answer.json()["data"]
    page = await live_server.client.get(urlsplit(prepared["link"]).path)
    view = await live_server.client.get(
        f"{provider}/transaction/verify_access_code/{prepared['access_code']}"
    )
    transaction_id = view.json()["data"]["id"]
    steps = [
        await live_server.client.post(
            f"{provider}/charge/", data={"trans": transaction_id, **fields}
        )
        for fields in ({"clientdata": PIN_OTP_CARD}, {"handle": "1234"})
    ]
    paid = await live_server.client.post(
        f"{provider}/charge/validate", data={"trans": transaction_id, "token": "123456"}
    )

    async with asyncio.timeout(DEADLINE_SECONDS):
        event = await received.get()
    outcome = await supporter.get(f"/api/v1/payment/verify-transaction/{prepared['reference']}")
    back = await live_server.client.get(
        urlsplit(prepared["redirectURL"]).path, params={"reference": prepared["reference"]}
    )
    await screen.disconnect()
    assert page.status_code == 200
    assert page.headers["content-security-policy"].startswith("default-src 'none'")
    assert [step.json()["auth"] for step in steps] == ["pin", "otp"]
    assert paid.json()["redirecturl"].startswith(prepared["redirectURL"].partition("?")[0])
    assert event == {
        "data": {"id": prepared["reference"], "user_id": str(supporter.id)},
        "message": "Successfully funded your wallet.",
    }
    assert outcome.json()["data"] == {"status": "success", "amount": 5000}
    assert "You can close this tab" in back.text
    assert await live_server.balance(supporter) == 5000
    assert received.empty()


async def test_the_browser_is_told_where_the_sandbox_is(
    live_server: RunningApp, supporter: SignedIn
) -> None:
    answer = await supporter.post("/api/v1/payment/prepare-wallet-funding", {"amount": 5000})

    addresses = answer.json()["data"]["checkout"]
    assert set(addresses) == {"checkoutUrl", "paystackApiUrl", "paymentBaseUrl"}
    for address in addresses.values():
        assert address.endswith("/sandbox/paystack/")
    popup = await live_server.client.get(urlsplit(addresses["checkoutUrl"]).path + "popup")
    assert "TEST" in popup.text


async def test_production_has_no_sandbox_and_says_nothing_of_one(tmp_path: Path) -> None:
    asgi = create_app(
        Settings(
            app_env=Environment.PRODUCTION,
            var_dir=tmp_path,
            public_url="https://fans.example",
            token_key=SecretStr("a production token key of enough bytes"),
            code_key=SecretStr("a production code key of enough bytes!"),
            profile_key=SecretStr("a production profile key, long enough"),
            fixture_feed_key=SecretStr("a production key of the fixture feed"),
            smtp_url=SecretStr("smtp://mail.example:25"),
            payment_gateway=PaymentGatewayName.PAYSTACK,
            paystack_secret_key=SecretStr("sk_live_4f0c2b9a7d1e8f6035c4ab92"),
        )
    )

    paths = {getattr(route, "path", "") for route in asgi.routes}
    assert asgi.state.services.sandbox is None
    assert asgi.state.services.payments.checkout is None
    assert asgi.state.services.payments.gateway.livemode
    assert "/media" in paths
    assert not any("sandbox" in path for path in paths)
    await asgi.state.services.gateway.aclose()
    await asgi.state.services.database.close()
    asgi.state.services.auth.hasher.close()
