"""Preparing a funding: limits, keys, and an unavailable provider."""

import asyncio
from datetime import timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit
from uuid import uuid4

import pytest
from api.foundation.core import clock
from api.money.payments.repository import fundings

from tests.money.payments.conftest import PROVIDER_URL, PUBLIC_URL, RunningApp, Supporter


async def test_a_prepared_funding_carries_everything_the_checkout_needs(
    app: RunningApp, ada: Supporter
) -> None:
    answer = await ada.prepare(1234.56)

    body = answer.json()
    prepared = body["data"]
    transaction = app.transaction(prepared["reference"])
    assert (answer.status_code, body["status"]) == (200, 200)
    assert prepared["gateway"] == "paystack"
    assert prepared["access_code"] == transaction.access_code
    assert prepared["link"] == f"{PROVIDER_URL}/{transaction.access_code}"
    returns_to = urlsplit(prepared["redirectURL"])
    assert f"{returns_to.scheme}://{returns_to.netloc}" == PUBLIC_URL
    assert returns_to.path == "/api/v1/payment/callback/paystack"
    assert parse_qs(returns_to.query)["reference"] == [prepared["reference"]]
    assert prepared["checkout"] == {
        "checkoutUrl": f"{PROVIDER_URL}/",
        "paystackApiUrl": f"{PROVIDER_URL}/",
        "paymentBaseUrl": f"{PROVIDER_URL}/",
    }
    assert transaction.amount_kobo == 123_456
    assert transaction.metadata == {"user_id": str(ada.user_id)}
    assert (await app.funding(prepared["reference"]))["state"] == "prepared"


@pytest.mark.parametrize(
    ("amount", "sentence"),
    [
        (0, "Please enter only number in the amount field."),
        (-5, "Please enter only number in the amount field."),
        ("5000", "Please enter only number in the amount field."),
        (None, "Please enter only number in the amount field."),
        (True, "Please enter only number in the amount field."),
        ([], "Please enter only number in the amount field."),
        (100.001, "An amount has at most two decimals"),
        (99.99, "The smallest amount you can fund is ₦100."),
        (1_000_000.01, "The largest amount you can fund is ₦1,000,000."),
        (10**15, "The largest amount you can fund is ₦1,000,000."),
    ],
)
async def test_an_amount_that_does_not_fit_is_refused_before_anything_happens(
    app: RunningApp, ada: Supporter, amount: object, sentence: str
) -> None:
    answer = await ada.prepare(amount)

    body = answer.json()
    assert (answer.status_code, body["message"]) == (422, sentence)
    assert body["error"]["fields"] == {"amount": sentence}
    assert app.link.asked == []
    assert await app.fundings(ada.user_id) == []


@pytest.mark.parametrize(
    "amount", ["NaN", "Infinity", "-Infinity", "1e400", "1e999999999", "9" * 500]
)
async def test_numbers_that_are_none_are_a_field_error_and_never_a_crash(
    ada: Supporter, amount: str
) -> None:
    answer = await ada.client.post(
        "/api/v1/payment/prepare-wallet-funding",
        content=f'{{"amount": {amount}}}',
        headers={"Content-Type": "application/json"},
    )

    assert answer.status_code == 422
    assert "amount" in answer.json()["error"]["fields"]


async def test_another_members_id_is_not_found(ada: Supporter, bello: Supporter) -> None:
    foreign = await ada.prepare(5000, userId=str(bello.user_id))
    unknown = await ada.prepare(5000, userId="nobody")

    assert (foreign.status_code, unknown.status_code) == (404, 404)
    assert foreign.json()["error"]["code"] == unknown.json()["error"]["code"] == "not_found"


async def test_the_limits_can_be_asked_for(ada: Supporter) -> None:
    before = (await ada.client.get("/api/v1/payment/funding-limits")).json()["data"]
    await ada.reference(5000)
    after = (await ada.client.get("/api/v1/payment/funding-limits")).json()["data"]

    assert before == {
        "minimum": 100,
        "maximum": 1_000_000,
        "dailyMaximum": 2_000_000,
        "remainingToday": 2_000_000,
        "gateways": [{"name": "paystack", "title": "Paystack"}],
    }
    assert after["remainingToday"] == 1_995_000


async def test_twenty_fundings_at_once_stay_within_the_day(app: RunningApp, ada: Supporter) -> None:
    answers = await asyncio.gather(*(ada.prepare(300_000) for _ in range(20)))

    statuses = [answer.status_code for answer in answers]
    refused = next(answer.json() for answer in answers if answer.status_code == 422)
    assert statuses.count(200) == 6
    assert statuses.count(422) == 14
    assert refused["message"] == "You can fund up to ₦200,000 more today."
    assert len(await app.fundings(ada.user_id)) == 6


async def test_a_funding_waits_for_whoever_counts_the_members_day(
    app: RunningApp, ada: Supporter
) -> None:
    async with app.database.transaction() as tx:
        await fundings.lock_member(tx, ada.user_id)
        prepared = asyncio.create_task(ada.prepare(1000))
        await asyncio.wait({prepared}, timeout=0.5)
        assert not prepared.done()

    assert (await prepared).status_code == 200


async def test_the_day_counts_what_was_paid_but_not_what_was_left_behind(
    app: RunningApp, ada: Supporter
) -> None:
    left, paid = await ada.reference(1_000_000), await ada.reference(1_000_000)
    app.pay(paid)
    await app.webhooks_delivered()
    before = await ada.prepare(1_000_000)

    await app.leave_behind(left)
    after = await ada.prepare(1_000_000)
    still = await ada.prepare(100)

    assert (before.status_code, after.status_code, still.status_code) == (422, 200, 422)


async def test_one_key_opens_one_checkout_however_often_it_is_sent(
    app: RunningApp, ada: Supporter
) -> None:
    key = str(uuid4())

    first = await ada.prepare(5000, key=key)
    again = [await ada.prepare(5000, key=key) for _ in range(3)]

    assert [answer.json() for answer in again] == [first.json()] * 3
    assert "idempotent-replayed" not in first.headers
    assert {answer.headers["idempotent-replayed"] for answer in again} == {"true"}
    assert len(await app.fundings(ada.user_id)) == 1
    assert app.link.asked == ["/sandbox/paystack/transaction/initialize"]


async def test_one_key_sent_twenty_times_at_once_opens_one_checkout(
    app: RunningApp, ada: Supporter
) -> None:
    app.link.delay_seconds = 0.1
    for opened in range(1, 6):  # several rounds: the races are narrow
        key = str(uuid4())

        answers = await asyncio.gather(*(ada.prepare(5000, key=key) for _ in range(20)))

        assert {answer.status_code for answer in answers} == {200}
        assert len({answer.json()["data"]["reference"] for answer in answers}) == 1
        assert sum("idempotent-replayed" in answer.headers for answer in answers) == 19
        assert len(await app.fundings(ada.user_id)) == opened


@pytest.mark.parametrize("state", ["prepared", "failed", "succeeded", "expired"])
async def test_a_key_whose_time_is_over_is_a_new_request(
    app: RunningApp, ada: Supporter, state: str
) -> None:
    key = str(uuid4())
    first = (await ada.prepare(5000, key=key)).json()["data"]["reference"]
    await app.run(
        "UPDATE funding SET state = cast($1 AS text), decided_at = "
        "CASE cast($1 AS text) WHEN 'succeeded' THEN now() END WHERE reference = $2",
        state,
        first,
    )
    # As the cleanup does with used keys.
    await app.run("DELETE FROM idempotency_key WHERE key = $1", key)

    again = await ada.prepare(6000, key=key)
    replayed = await ada.prepare(6000, key=key)

    assert again.status_code == 200
    assert "idempotent-replayed" not in again.headers
    assert again.json()["data"]["reference"] != first
    assert replayed.json() == again.json()
    assert "idempotent-replayed" in replayed.headers
    assert len(await app.fundings(ada.user_id)) == 2


@pytest.mark.parametrize("state", ["prepared", "failed", "expired"])
async def test_a_key_of_a_process_that_died_long_ago_is_a_new_request(
    app: RunningApp, ada: Supporter, state: str
) -> None:
    key = str(uuid4())
    first = (await ada.prepare(5000, key=key)).json()["data"]["reference"]
    await app.run(
        "UPDATE funding SET state = $1, opening_until = now() - interval '3 days' "
        "WHERE reference = $2",
        state,
        first,
    )
    await app.run("DELETE FROM idempotency_key WHERE key = $1", key)

    again = await ada.prepare(6000, key=key)

    assert again.status_code == 200
    assert again.json()["data"]["reference"] != first
    assert (await ada.prepare(6000, key=key)).json() == again.json()


async def test_a_key_with_another_amount_is_refused(ada: Supporter) -> None:
    key = str(uuid4())
    await ada.prepare(5000, key=key)

    answer = await ada.prepare(6000, key=key)

    assert (answer.status_code, answer.json()["error"]["code"]) == (422, "idempotency_key_reused")


async def test_two_members_may_use_the_same_key(ada: Supporter, bello: Supporter) -> None:
    key = str(uuid4())

    answers = [await ada.prepare(5000, key=key), await bello.prepare(5000, key=key)]

    assert [answer.status_code for answer in answers] == [200, 200]
    assert len({answer.json()["data"]["reference"] for answer in answers}) == 2


async def test_a_refused_try_does_not_burn_its_key(ada: Supporter) -> None:
    key = str(uuid4())

    refused = await ada.prepare(50, key=key)
    accepted = await ada.prepare(5000, key=key)

    assert (refused.status_code, accepted.status_code) == (422, 200)


async def test_a_provider_that_is_away_is_said_so_and_the_retry_works(
    app: RunningApp, ada: Supporter
) -> None:
    app.link.is_down = True
    key = str(uuid4())

    away = await ada.prepare(5000, key=key)
    app.link.restore()
    back = await ada.prepare(5000, key=key)

    body = away.json()
    assert (away.status_code, body["error"]["code"]) == (503, "gateway_unavailable")
    assert away.headers["retry-after"] == "5"
    assert back.status_code == 200
    assert "idempotent-replayed" not in back.headers
    states = [funding["state"] for funding in await app.fundings(ada.user_id)]
    assert states == ["expired", "prepared"]


async def test_tries_while_the_provider_is_away_do_not_use_up_the_day(
    app: RunningApp, ada: Supporter
) -> None:
    app.link.is_down = True
    for _ in range(3):
        assert (await ada.prepare(1_000_000)).status_code == 503
    app.link.restore()

    answers = [await ada.prepare(1_000_000), await ada.prepare(1_000_000)]

    assert [answer.status_code for answer in answers] == [200, 200]


async def test_an_answer_lost_on_the_way_back_costs_nothing(
    app: RunningApp, ada: Supporter
) -> None:
    app.link.loses_answers = True
    key = str(uuid4())
    lost = await ada.prepare(5000, key=key)
    app.link.restore()

    answer = await ada.prepare(5000, key=key)
    app.pay(answer.json()["data"]["reference"])
    await app.webhooks_delivered()

    assert (lost.status_code, answer.status_code) == (503, 200)
    assert await ada.balance() == 5000


async def test_a_retry_after_a_crash_at_the_provider_gets_a_checkout(
    app: RunningApp, ada: Supporter
) -> None:
    key = str(uuid4())
    prepared: dict[str, Any] = (await ada.prepare(5000, key=key)).json()["data"]
    # As after a crash during the call to the provider.
    await app.run(
        "UPDATE funding SET opening_until = $1 WHERE reference = $2",
        clock.now() - timedelta(seconds=1),
        prepared["reference"],
    )
    await app.run("UPDATE idempotency_key SET answer = NULL WHERE key = $1", key)

    answer = await ada.prepare(5000, key=key)

    assert answer.status_code == 200
    assert answer.json()["data"]["reference"] != prepared["reference"]
    open_fundings = [f for f in await app.fundings(ada.user_id) if f["state"] == "prepared"]
    assert len(open_fundings) == 1


async def test_a_call_without_a_token_is_refused(ada: Supporter) -> None:
    answer = await ada.client.post(
        "/api/v1/payment/prepare-wallet-funding",
        json={"amount": 5000},
        headers={"Authorization": ""},
    )

    assert (answer.status_code, answer.json()["message"]) == (401, "User token is required.")
