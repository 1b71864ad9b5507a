"""Webhooks are signed, retried, sent once per payment, and survive a restart."""

import hashlib
import hmac
import json
from dataclasses import replace
from pathlib import Path

import httpx
import pytest
from api.dev.sandbox.paystack.app import create_sandbox
from api.dev.sandbox.paystack.config import SandboxConfig
from api.dev.sandbox.paystack.provider import Provider
from api.dev.sandbox.paystack.store import SqliteStore
from api.dev.sandbox.paystack.webhooks import sign
from starlette.applications import Starlette

from tests.dev.sandbox.conftest import SECRET_KEY, Begin, Browser, Receiver

SUCCESS = ("4084084084084081", "408")
OWNER = {"Authorization": f"Bearer {SECRET_KEY}"}


def test_the_signature_is_the_published_construction() -> None:
    body = b'{"event":"charge.success"}'

    signature = sign(body, SECRET_KEY)

    assert signature == hmac.new(SECRET_KEY.encode(), body, hashlib.sha512).hexdigest()
    assert len(signature) == 128


async def test_one_payment_sends_one_signed_webhook(
    provider: tuple[Provider, Starlette], browser: Browser, begin: Begin, receiver: Receiver
) -> None:
    opened = await begin()

    await browser.charge(opened.id, *SUCCESS)
    await browser.charge(opened.id, *SUCCESS)
    await provider[0].webhooks.settle()

    [(body, signature)] = receiver.received
    event = json.loads(body)
    assert signature == sign(body, SECRET_KEY)
    assert event["event"] == "charge.success"
    assert event["data"]["reference"] == opened.reference
    assert (event["data"]["status"], event["data"]["amount"]) == ("success", 500_000)


async def test_a_declined_card_sends_no_webhook(
    provider: tuple[Provider, Starlette], browser: Browser, begin: Begin, receiver: Receiver
) -> None:
    opened = await begin()

    await browser.charge(opened.id, "4084080000005408", "001")
    await provider[0].webhooks.settle()

    assert receiver.received == []


async def test_a_refused_webhook_is_sent_again_until_it_is_accepted(
    provider: tuple[Provider, Starlette], browser: Browser, begin: Begin, receiver: Receiver
) -> None:
    receiver.statuses = [500, 201]
    opened = await begin()

    await browser.charge(opened.id, *SUCCESS)
    await provider[0].webhooks.settle()

    log = (await browser.client.get("/_sandbox/log", headers=OWNER)).json()["data"]
    assert len(receiver.received) == 3
    assert len({body for body, _ in receiver.received}) == 1
    assert log["webhooks"] == [
        {
            "event": "charge.success",
            "reference": opened.reference,
            "attempts": 3,
            "delivered": True,
            "last_answer": "200",
        }
    ]


async def test_a_webhook_can_be_sent_once_more_on_demand(
    provider: tuple[Provider, Starlette], browser: Browser, begin: Begin, receiver: Receiver
) -> None:
    opened = await begin()
    await browser.charge(opened.id, *SUCCESS)
    await provider[0].webhooks.settle()

    answer = await browser.client.post(
        f"/_sandbox/webhook/{opened.reference}/replay", headers=OWNER
    )
    missing = await browser.client.post("/_sandbox/webhook/FW-nowhere/replay", headers=OWNER)

    assert answer.json()["data"] == {"http_status": 200}
    assert receiver.received[0] == receiver.received[1]
    assert missing.status_code == 404


async def test_transactions_and_undelivered_webhooks_survive_a_restart(
    config: SandboxConfig, tmp_path: Path, receiver: Receiver
) -> None:
    receiver.statuses = [503, 503, 503]
    path = tmp_path / "provider" / "sandbox.sqlite"
    headers = {"Authorization": f"Bearer {SECRET_KEY}"}
    order = {"email": "ada@example.com", "amount": 500_000, "reference": "FW-1"}

    first = create_sandbox(replace(config, store=SqliteStore(path)))
    async with first.router.lifespan_context(first):
        client = httpx.AsyncClient(
            transport=httpx.ASGITransport(app=first), base_url="http://provider.test"
        )
        await client.post("/transaction/initialize", json=order, headers=headers)
        transaction = first.state.provider.store.read_by_reference("FW-1")
        await Browser(client, first.state.provider.config.public_key).charge(
            str(transaction.id), *SUCCESS
        )
        await first.state.provider.webhooks.settle()
        await client.aclose()
    assert len(receiver.received) == 3

    second = create_sandbox(replace(config, store=SqliteStore(path)))
    async with second.router.lifespan_context(second):
        await second.state.provider.webhooks.settle()
        kept = second.state.provider.store.read_by_reference("FW-1")

    assert kept.status == "success"
    assert kept.access_code == transaction.access_code
    assert len(receiver.received) == 4
    assert len({body for body, _ in receiver.received}) == 1


async def test_two_processes_on_one_file_see_each_other(
    config: SandboxConfig, tmp_path: Path, receiver: Receiver
) -> None:
    path = tmp_path / "sandbox.sqlite"
    apps = [create_sandbox(replace(config, store=SqliteStore(path))) for _ in range(2)]
    order = {"email": "ada@example.com", "amount": 500_000, "reference": "FW-1"}
    headers = {"Authorization": f"Bearer {SECRET_KEY}"}

    async with (
        apps[0].router.lifespan_context(apps[0]),
        apps[1].router.lifespan_context(apps[1]),
        httpx.AsyncClient(
            transport=httpx.ASGITransport(app=apps[0]), base_url="http://provider.test"
        ) as one,
        httpx.AsyncClient(
            transport=httpx.ASGITransport(app=apps[1]), base_url="http://provider.test"
        ) as two,
    ):
        opened = await one.post("/transaction/initialize", json=order, headers=headers)
        refused = await two.post("/transaction/initialize", json=order, headers=headers)
        access_code = opened.json()["data"]["access_code"]
        key = apps[0].state.provider.config.public_key
        transaction_id = (await Browser(two, key).open(access_code))["id"]
        await Browser(one, key).charge(transaction_id, *SUCCESS)
        await Browser(two, key).charge(transaction_id, *SUCCESS)
        for app in apps:
            await app.state.provider.webhooks.settle()

    assert refused.json()["code"] == "duplicate_reference"
    assert len(receiver.received) == 1


@pytest.mark.parametrize(
    "change",
    [
        {"secret_key": "sk_live_real"},
        {"secret_key": "sk_test_other"},
        {"public_url": "ftp://provider.test"},
        {"public_url": "http://provider.test/"},
        {"app_origins": ("http://app.test/path",)},
        {"app_origins": ("*",)},
    ],
)
def test_a_sandbox_refuses_keys_and_addresses_that_do_not_fit(
    config: SandboxConfig, change: dict[str, str]
) -> None:
    with pytest.raises(ValueError, match=r"sandbox|public_url|origin"):
        replace(config, **change)  # type: ignore[arg-type]  # each case changes another field


@pytest.mark.parametrize(
    ("address", "headers", "status"),
    [
        ("127.0.0.1", {}, 200),
        ("::1", {}, 200),
        ("::ffff:127.0.0.1", {}, 200),
        ("127.0.0.1", {"Host": "localhost:8000"}, 200),
        ("127.0.0.1", {"Host": "127.0.0.1:8000"}, 200),
        ("127.0.0.1", {"Host": "[::1]:8000"}, 200),
        ("127.0.0.1", {"Host": "[::1]"}, 200),
        ("192.168.1.7", {}, 404),
        ("127.0.0.1", {"X-Forwarded-For": "192.168.1.7"}, 404),
        ("127.0.0.1", {"X-Forwarded-Proto": "https"}, 404),
        ("127.0.0.1", {"Forwarded": "for=192.168.1.7"}, 404),
        ("127.0.0.1", {"X-Real-IP": "192.168.1.7"}, 404),
        ("127.0.0.1", {"X-Real-IP": "127.0.0.1"}, 404),
        ("127.0.0.1", {"Host": "fans.example"}, 404),
        ("127.0.0.1", {"Host": "127.0.0.1.fans.example"}, 404),
        ("127.0.0.1", {"Host": "localhost.fans.example:8000"}, 404),
        ("127.0.0.1", {"Host": "localhost@fans.example"}, 404),
        ("127.0.0.1", {"Host": "192.168.1.1:8000"}, 404),
        ("127.0.0.1", {"Host": "[::1"}, 404),
        ("127.0.0.1", {"Host": ""}, 404),
        (
            "127.0.0.1",
            {"Host": "fans.example", "Authorization": f"Bearer {SECRET_KEY}"},
            200,
        ),
        ("192.168.1.7", {"Authorization": "Bearer sk_test_sandbox_other"}, 404),
        ("192.168.1.7", {"Authorization": f"Bearer {SECRET_KEY}"}, 200),
    ],
)
async def test_the_log_is_for_this_machine_and_for_the_key(
    provider: tuple[Provider, Starlette], address: str, headers: dict[str, str], status: int
) -> None:
    transport = httpx.ASGITransport(provider[1], client=(address, 1))
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
        log = await client.get("/_sandbox/log", headers=headers)
        replayed = await client.post("/_sandbox/webhook/none/replay", headers=headers)

    assert log.status_code == status
    assert replayed.json()["message"] == (
        "Not found" if status == 404 else "No webhook was sent for this reference"
    )
