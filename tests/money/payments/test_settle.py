"""However, however often and in what order a payment is reported: it is credited at most once."""

import asyncio
import json
import random
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from api.dev.sandbox.paystack.webhooks import sign
from api.foundation.core.ids import new_id
from api.money.payments.enums import FundingState
from api.money.payments.ports import GatewayStatus, Verification
from api.money.payments.service import settling

from tests.conftest import client_of
from tests.money.payments.conftest import SECRET_KEY, OpenScreen, RunningApp, Supporter

Change = Callable[[dict[str, Any]], None]


async def paid_quietly(app: RunningApp, supporter: Supporter, amount: float) -> tuple[str, bytes]:
    """Prepare and pay; return the reference and the webhook that was held back."""
    app.postman.holds_back = True
    reference = await supporter.reference(amount)
    app.pay(reference)
    await app.webhooks_delivered()
    return reference, app.postman.bag[-1]


def rewritten(body: bytes, change: Change) -> bytes:
    event = json.loads(body)
    change(event["data"])
    return json.dumps(event).encode()


async def test_a_payment_reaches_the_wallet_through_the_webhook_alone(
    app: RunningApp, ada: Supporter
) -> None:
    reference = await ada.reference(5000)

    app.pay(reference)
    await app.webhooks_delivered()

    assert await ada.balance() == 5000
    assert (await app.funding(reference))["state"] == "succeeded"
    [transfer] = (await ada.client.get(f"/api/v1/payment/statement/{ada.user_id}")).json()["data"]
    assert (transfer["kind"], transfer["reference"]) == ("fund", reference)
    assert (transfer["amount"], transfer["balanceAfter"]) == (5000, 5000)


async def test_a_payment_reaches_the_wallet_through_verify_alone(
    app: RunningApp, ada: Supporter
) -> None:
    reference, _ = await paid_quietly(app, ada, 5000)

    answer = await ada.verify(reference)

    assert answer.json()["data"] == {"status": "success", "amount": 5000}
    assert await ada.balance() == 5000


async def test_a_payment_reaches_the_wallet_through_the_callback_alone(
    app: RunningApp, ada: Supporter
) -> None:
    reference, _ = await paid_quietly(app, ada, 5000)

    page = await ada.come_back(reference)

    assert page.status_code == 200
    assert page.headers["content-type"].startswith("text/html")
    assert "Payment received" in page.text
    assert "You can close this tab" in page.text
    assert await ada.balance() == 5000


async def test_a_hundred_and_twenty_reports_at_once_credit_once_and_are_told_once(
    app: RunningApp, ada: Supporter, open_screen: OpenScreen
) -> None:
    screen = await open_screen(ada)
    reference, body = await paid_quietly(app, ada, 1234.56)
    calls: list[Callable[[], Any]] = [
        *[lambda: app.deliver(body)] * 60,
        *[lambda: ada.come_back(reference)] * 30,
        *[lambda: ada.verify(reference)] * 30,
    ]
    random.Random(11).shuffle(calls)  # noqa: S311 - an order, not a secret

    answers: list[httpx.Response] = await asyncio.gather(*(call() for call in calls))

    assert [answer.status_code for answer in answers] == [200] * 120
    assert await ada.balance() == 1234.56
    assert await app.credits(reference) == 1
    assert len(app.decided) == 1
    notifications = (await ada.client.get("/api/v1/notifications")).json()["data"]
    assert [row["data"] for row in notifications["rows"]] == [
        {"amount": 1234.56, "reference": reference}
    ]
    received = await screen.receive(1)
    assert received == [
        {
            "data": {"id": reference, "user_id": str(ada.user_id)},
            "message": "Successfully funded your wallet.",
        }
    ]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda data: data.update(amount=499_999), "amount"),
        (lambda data: data.update(amount=600_000, requested_amount=600_000), "amount"),
        (lambda data: data.update(currency="GHS"), "currency"),
        (lambda data: data["metadata"].update(user_id="another member"), "member"),
        (lambda data: data.update(domain="live"), "mode"),
    ],
    ids=["less", "other request", "currency", "member", "live money"],
)
async def test_a_payment_that_does_not_fit_is_set_aside_and_not_credited(
    app: RunningApp, ada: Supporter, open_screen: OpenScreen, change: Change, reason: str
) -> None:
    screen = await open_screen(ada)
    reference, body = await paid_quietly(app, ada, 5000)

    answer = await app.deliver(rewritten(body, change))

    funding = await app.funding(reference)
    assert answer.status_code == 200
    assert (funding["state"], funding["review_reason"]) == ("review", reason)
    assert await ada.balance() == 0
    assert await screen.receive(1) == [{"data": None, "message": "Unable to fund wallet."}]
    assert (await ada.verify(reference)).json()["data"]["status"] == "failed"
    await app.deliver(body)
    assert await ada.balance() == 0


async def test_one_transaction_of_the_provider_pays_one_funding_however_many_it_is_reported_for(
    app: RunningApp, ada: Supporter, bello: Supporter
) -> None:
    paid = [await paid_quietly(app, supporter, 5000) for supporter in (ada, bello) * 5]
    bodies = [rewritten(body, lambda data: data.update(id=7_226_331_000)) for _, body in paid]

    answers = await asyncio.gather(*(app.deliver(body) for body in bodies))

    assert {answer.status_code for answer in answers} == {200}
    states = sorted([(await app.funding(reference))["state"] for reference, _ in paid])
    assert states == ["review"] * 9 + ["succeeded"]
    assert await ada.balance() + await bello.balance() == 5000


async def test_fees_that_were_put_on_the_payer_are_not_credited(
    app: RunningApp, ada: Supporter
) -> None:
    _, body = await paid_quietly(app, ada, 5000)

    await app.deliver(rewritten(body, lambda data: data.update(amount=517_500)))

    assert await ada.balance() == 5000


@pytest.mark.parametrize(
    "signature",
    ["0" * 128, "é", sign(b"{}", SECRET_KEY), "x"],
    ids=["zeros", "not ascii", "of another body", "short"],
)
async def test_a_webhook_without_the_right_signature_is_refused_and_not_kept(
    app: RunningApp, ada: Supporter, signature: str
) -> None:
    reference, body = await paid_quietly(app, ada, 5000)
    headers = httpx.Headers({"x-paystack-signature": signature}, encoding="utf-8")

    async with client_of(app.base_url) as client:
        answer = await client.post(
            "/api/v1/payment/webhook/paystack", content=body, headers=headers
        )
        unsigned = await client.post("/api/v1/payment/webhook/paystack", content=body)

    kept = await app.database.fetch_rows(
        "SELECT id FROM payment_event WHERE reference = $1", reference
    )
    assert (answer.status_code, unsigned.status_code) == (400, 400)
    assert answer.json()["error"]["code"] == "invalid_signature"
    assert list(kept) == []
    assert await ada.balance() == 0


async def test_a_webhook_signed_with_another_key_is_refused(
    app: RunningApp, ada: Supporter
) -> None:
    _, body = await paid_quietly(app, ada, 5000)

    answer = await app.deliver(body, sign(body, "sk_test_sandbox_other"))

    assert answer.status_code == 400
    assert await ada.balance() == 0


async def test_a_webhook_of_unlikely_size_is_refused(app: RunningApp) -> None:
    answer = await app.deliver(b" " * (64 * 1024 + 1))

    assert (answer.status_code, answer.json()["error"]["code"]) == (413, "too_large")


async def test_a_signed_report_of_something_unknown_is_kept_and_acknowledged(
    app: RunningApp,
) -> None:
    body = json.dumps(
        {"event": "charge.dispute.create", "data": {"reference": "FW-nowhere"}}
    ).encode()

    answers = [await app.deliver(body), await app.deliver(body)]

    kept = await app.database.fetch_rows(
        "SELECT type, raw FROM payment_event WHERE reference = 'FW-nowhere'"
    )
    assert [answer.status_code for answer in answers] == [200, 200]
    assert [(row["type"], row["raw"]) for row in kept] == [("charge.dispute.create", body)]


async def test_an_unknown_gateway_is_not_found(ada: Supporter) -> None:
    webhook = await ada.client.post("/api/v1/payment/webhook/flutterwave", content=b"{}")
    callback = await ada.client.get("/api/v1/payment/callback/flutterwave?reference=FW-1")

    assert (webhook.status_code, callback.status_code) == (404, 404)


async def test_a_decline_is_not_the_end_of_a_checkout(
    app: RunningApp, ada: Supporter, open_screen: OpenScreen
) -> None:
    screen = await open_screen(ada)
    reference = await ada.reference(5000)
    await settle(app, reference, GatewayStatus.FAILED)
    declined = await app.funding(reference)

    app.pay(reference)
    await app.webhooks_delivered()

    assert declined["state"] == "failed"
    assert await ada.balance() == 5000
    assert len(await screen.receive(1)) == 1


async def test_a_late_failure_after_success_changes_nothing(
    app: RunningApp, ada: Supporter
) -> None:
    reference = await ada.reference(5000)
    app.pay(reference)
    await app.webhooks_delivered()

    state = await settle(app, reference, GatewayStatus.FAILED)

    assert state is FundingState.SUCCEEDED
    assert await ada.balance() == 5000


async def test_money_that_arrives_after_we_gave_up_is_still_credited(
    app: RunningApp, ada: Supporter
) -> None:
    reference = await ada.reference(5000)
    await app.run("UPDATE funding SET state = 'expired' WHERE reference = $1", reference)

    app.pay(reference)
    await app.webhooks_delivered()

    assert await ada.balance() == 5000
    assert (await app.funding(reference))["state"] == "succeeded"


async def test_one_transaction_of_the_provider_never_pays_two_fundings(
    app: RunningApp, ada: Supporter
) -> None:
    first, body = await paid_quietly(app, ada, 5000)
    second = await ada.reference(5000)
    await app.deliver(body)

    await app.deliver(rewritten(body, lambda data: data.update(reference=second)))

    assert await ada.balance() == 5000
    assert (await app.funding(first))["state"] == "succeeded"
    # The copy is a duplicate of a known event, and its transaction is used up.
    assert (await app.funding(second))["review_reason"] == "transaction"


async def test_a_duplicate_heals_a_death_between_keeping_and_settling(
    app: RunningApp, ada: Supporter
) -> None:
    reference, body = await paid_quietly(app, ada, 5000)
    event = app.context.gateway.read_webhook(body, {"x-paystack-signature": sign(body, SECRET_KEY)})
    await app.run(
        "INSERT INTO payment_event (id, gateway, dedupe_key, type, reference, raw)"
        " VALUES (gen_random_uuid(), 'paystack', $1, $2, $3, $4)",
        event.dedupe_key,
        event.type,
        reference,
        body,
    )
    assert await ada.balance() == 0

    await app.deliver(body)

    assert await ada.balance() == 5000


async def test_a_failing_credit_leaves_nothing_behind_and_says_nothing(
    app: RunningApp, ada: Supporter, open_screen: OpenScreen
) -> None:
    screen = await open_screen(ada)
    reference, body = await paid_quietly(app, ada, 5000)
    # The ledger refuses: another transfer already has this reference.
    await app.run(
        "SELECT post_wallet_transfer(gen_random_uuid(), $1, 'fund', $2, 777, NULL)",
        ada.user_id,
        reference,
    )

    answer = await app.deliver(body)

    assert answer.status_code >= 400
    assert (await app.funding(reference))["state"] == "prepared"
    assert app.decided == []
    assert screen.received == []


async def test_somebody_elses_reference_looks_like_an_unknown_one(
    app: RunningApp, ada: Supporter, bello: Supporter
) -> None:
    reference, _ = await paid_quietly(app, ada, 5000)
    app.link.restore()

    foreign, unknown = await bello.verify(reference), await bello.verify("FW-nowhere")
    odd = [await bello.verify(odd) for odd in ("x" * 65, "%00", "..", "FW-%E2%82%A6")]

    assert (foreign.status_code, unknown.status_code) == (404, 404)
    assert {**foreign.json(), "error": None} == {**unknown.json(), "error": None}
    assert {answer.status_code for answer in odd} <= {404, 422}
    assert app.link.asked == []


async def test_an_unknown_reference_comes_back_to_nothing(app: RunningApp, ada: Supporter) -> None:
    assert (await ada.come_back("FW-nowhere")).status_code == 404
    assert app.link.asked == []


async def test_an_undecided_payment_is_pending_and_the_provider_is_spared(
    app: RunningApp, ada: Supporter
) -> None:
    reference = await ada.reference(5000)
    app.link.restore()

    answers = [await ada.verify(reference) for _ in range(5)]
    page = await ada.come_back(reference)

    assert {answer.json()["data"]["status"] for answer in answers} == {"pending"}
    assert "We are confirming your payment" in page.text
    assert len(app.link.asked) == 1


async def test_a_provider_that_is_away_or_slow_leaves_a_payment_pending(
    app: RunningApp, ada: Supporter
) -> None:
    away, slow = await ada.reference(5000), await ada.reference(5000)
    app.link.is_down = True
    answer_away = await ada.verify(away)
    app.link.restore()
    app.link.delay_seconds = 3

    answer_slow = await ada.verify(slow)

    for answer in (answer_away, answer_slow):
        assert (answer.status_code, answer.json()["data"]["status"]) == (200, "pending")
    assert answer_slow.elapsed.total_seconds() < 2


async def test_a_declined_payment_is_told_as_failed(app: RunningApp, ada: Supporter) -> None:
    reference = await ada.reference(5000)
    await settle(app, reference, GatewayStatus.FAILED)
    await app.run("UPDATE funding SET asked_at = now() WHERE reference = $1", reference)

    answer = await ada.verify(reference)

    assert answer.json()["data"] == {"status": "failed", "amount": 5000}


async def test_the_page_for_returning_payers_runs_nothing(ada: Supporter) -> None:
    reference = await ada.reference(5000)

    page = await ada.come_back(reference)

    policy = page.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "unsafe" not in policy
    assert "<script" not in page.text


async def test_reports_can_be_added_and_never_changed(app: RunningApp) -> None:
    await app.run(
        "INSERT INTO payment_event (id, gateway, dedupe_key, type, raw) "
        "VALUES ($1, 'paystack', 'one', 'charge.success', 'x')",
        new_id(),
    )
    for statement, refusal in (
        ("UPDATE payment_event SET type = 'x'", "permission denied"),
        ("DELETE FROM payment_event", "KF423"),
        ("DELETE FROM funding", "permission denied"),
    ):
        with pytest.raises(Exception, match=refusal):
            await app.run(statement)


async def settle(app: RunningApp, reference: str, status: GatewayStatus) -> FundingState | None:
    transaction = app.transaction(reference)
    return await settling.settle(
        app.context,
        Verification(
            reference=reference,
            status=status,
            amount_kobo=transaction.amount_kobo,
            currency="NGN",
        ),
    )
