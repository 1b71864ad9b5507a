"""Any value in one field of a route that moves money or points gets a response, not a crash."""

import hashlib
import hmac
import json
from typing import Any

import pytest

from tests.conftest import RunningApp, SignedIn
from tests.shop.carts import BILLING

DIGITS = "9" * 5000
# Written by hand: no JSON library writes half of these.
ODD = (
    "null",
    "true",
    "0",
    "-1",
    "1.5",
    "1e400",
    "1e-400",
    "1e99999999999999999999",
    "1e-99999999999999999999",
    "NaN",
    "-Infinity",
    DIGITS,
    f"-{DIGITS}",
    f"0.{DIGITS}",
    "9223372036854775808",
    "999999999999999999",
    '""',
    '" "',
    '"\\u0000"',
    '"a\\u0000b"',
    '"\\ud800"',
    '"\\udfff\\ud800"',
    '"\\u202e\\u200b"',
    f'"{DIGITS}"',
    '"' + "é" * 3000 + '"',
    "[]",
    "{}",
    "[null]",
    "[[]]",
    '[{"id": null}]',
    '{"id": {}}',
    "[" * 2000 + "]" * 2000,
    '"[[\\"question\\"]]"',
    '"[{\\"question\\": \\"\\\\ud800\\", \\"answer\\": \\"\\\\u0000\\"}]"',
    f'"[{DIGITS}]"',
    '"urn:uuid:0190b5c2-7d3e-7a41-9c55-0f2b8d1e6a70"',
)
LINE = {"id": "0190b5c2-7d3e-7a41-9c55-0f2b8d1e6a70", "quantity": 1, "price": 1}
ORDER: dict[str, Any] = {"carts": [LINE], "billing": BILLING, "paymentMethod": "bank-transfer"}
SHEET = json.dumps([{"question": LINE["id"], "answer": "A"}])
CALLS: tuple[tuple[str, dict[str, Any], str], ...] = (
    *[("products/checkout", ORDER, name) for name in (*ORDER, "userId", "other")],
    *[("products/checkout", ORDER, f"carts.0.{name}") for name in (*LINE, "other")],
    *[("products/checkout", ORDER, f"billing.{name}") for name in (*BILLING, "other")],
    *[
        ("payment/prepare-wallet-funding", {"amount": 5000}, name)
        for name in ("amount", "userId", "other")
    ],
    *[("payment/cancel-funding", {}, name) for name in ("reference", "other")],
    *[
        ("users/subscription", {"subscriptionId": LINE["id"]}, name)
        for name in ("subscriptionId", "userId", "other")
    ],
    *[
        ("question/submit-trivia-question", {"choices": SHEET}, name)
        for name in ("choices", "userId", "clubId", "other")
    ],
)
PLACE = "@@"


def body_with(body: dict[str, Any], path: str, written: str) -> bytes:
    """Return ``body`` as JSON with ``written`` in the field at ``path``."""
    changed: Any = json.loads(json.dumps(body))
    parent = changed
    *above, name = path.split(".")
    for part in above:
        parent = parent[int(part)] if isinstance(parent, list) else parent[part]
    parent[name] = PLACE
    return json.dumps(changed).replace(f'"{PLACE}"', written).encode()


@pytest.mark.parametrize(
    ("path", "body", "field"), CALLS, ids=[f"{path}-{field}" for path, _, field in CALLS]
)
async def test_no_value_of_a_field_is_a_crash(
    app: RunningApp, member: SignedIn, path: str, body: dict[str, Any], field: str
) -> None:
    for written in ODD:
        answer = await member.client.post(
            f"/api/v1/{path}",
            content=body_with(body, field, written),
            headers=member.headers | {"Content-Type": "application/json"},
        )

        assert answer.status_code < 500, (written[:60], answer.text)
        assert answer.json()["status"] == answer.status_code


@pytest.mark.parametrize(
    "path",
    [
        "products/{odd}",
        "products/user/{odd}",
        "payment/verify-transaction/{odd}",
        "payment/wallet-balance/{odd}",
        "payment/statement/{odd}",
        "payment/statement/{me}?before={odd}",
        "payment/statement/{me}?limit={odd}",
        "payment/callback/{odd}?reference=x",
        "payment/callback/paystack?reference={odd}",
        "users/plan/validate/{odd}",
        "users/{odd}/export",
        "question/daily-trivial-question/{odd}/{me}",
        "question/attempted-daily-trivial-question/{me}/{odd}",
    ],
)
async def test_no_id_in_an_address_is_a_crash(app: RunningApp, member: SignedIn, path: str) -> None:
    for odd in ("%00", "%FF", "%ED%A0%80", "%20", "9" * 3000, "-1", "%7B%7D", "a%0Ab", "%E2%80%AE"):
        address = path.format(odd=odd, me=member.id)
        answer = await member.get(f"/api/v1/{address}")

        assert answer.status_code in {400, 404, 422}, (address[:80], answer.text[:200])


@pytest.mark.parametrize("key", ["\x01" * 8, "a\tb" * 4, "x" * 256, "x" * 7, "\x7f" * 9])
async def test_a_key_that_is_no_plain_text_is_refused(member: SignedIn, key: str) -> None:
    answer = await member.post("/api/v1/products/checkout", ORDER, key=key)

    assert answer.status_code == 422
    assert "Idempotency-Key" in answer.json()["error"]["fields"]


@pytest.mark.parametrize("text", ["\\ud800", "x\\u0000"])
async def test_a_signed_report_that_cannot_be_kept_as_text_is_kept_as_bytes(
    app: RunningApp, text: str
) -> None:
    raw = f'{{"event": "{text}", "data": {{"reference": "{text}", "id": "{text}"}}}}'.encode()
    key = app.settings.paystack_secret_key.get_secret_value().encode()
    signature = hmac.new(key, raw, hashlib.sha512).hexdigest()

    answer = await app.client.post(
        "/api/v1/payment/webhook/paystack",
        content=raw,
        headers={"X-Paystack-Signature": signature},
    )

    row = await app.database.fetch_row("SELECT type, raw FROM payment_event")
    assert answer.status_code == 200
    assert row is not None
    assert (row["type"], row["raw"]) == ("unreadable", raw)
