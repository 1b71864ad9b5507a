"""The day's limit counts credited and open fundings; a cancelled checkout no longer counts."""

import asyncio
from uuid import uuid4

import pytest
from api.foundation.core import clock
from api.money.payments.repository import fundings
from api.money.payments.service import sweeping

from tests.money.payments.conftest import OpenScreen, RunningApp, Supporter
from tests.waiting import BLOCKED, DEADLINE_SECONDS

WHOLE_DAY = 2_000_000


async def pay_quietly(app: RunningApp, reference: str) -> None:
    """Pay at the provider without a webhook."""
    app.postman.holds_back = True
    app.pay(reference)
    await app.webhooks_delivered()


async def test_a_cancelled_checkout_is_let_go_at_once(app: RunningApp, ada: Supporter) -> None:
    reference = await ada.reference(5000)
    assert await ada.left_today() == WHOLE_DAY - 5000

    answers = [await ada.cancel(reference) for _ in range(2)]

    assert [answer.status_code for answer in answers] == [200, 200]
    assert [answer.json()["data"] for answer in answers] == [{"status": "cancelled"}] * 2
    assert await ada.left_today() == WHOLE_DAY
    assert (await ada.verify(reference)).json()["data"] == {"status": "failed", "amount": 5000}


async def test_who_never_funded_anything_has_the_whole_day(app: RunningApp, ada: Supporter) -> None:
    for state, reason in (("review", "amount"), ("expired", None)):
        reference = await ada.reference(5000)
        await app.run(
            "UPDATE funding SET state = cast($1 AS text), review_reason = $2, "
            "decided_at = CASE cast($1 AS text) WHEN 'review' THEN now() END "
            "WHERE reference = $3",
            state,
            reason,
            reference,
        )
    for state in ("prepared", "pending", "failed"):
        reference = await ada.reference(5000)
        await app.run("UPDATE funding SET state = $1 WHERE reference = $2", state, reference)
        assert await ada.left_today() == WHOLE_DAY - 5000
        await app.leave_behind(reference)

    assert await ada.left_today() == WHOLE_DAY


async def test_a_payment_after_the_cancel_is_credited_and_told(
    app: RunningApp, ada: Supporter, open_screen: OpenScreen
) -> None:
    screen = await open_screen(ada)
    reference = await ada.reference(5000)
    await ada.cancel(reference)

    app.pay(reference)
    await app.webhooks_delivered()

    assert await ada.balance() == 5000
    assert (await app.funding(reference))["state"] == "succeeded"
    assert len(await screen.receive(1)) == 1
    assert await ada.left_today() == WHOLE_DAY - 5000
    decided = await ada.cancel(reference)
    assert (decided.status_code, decided.json()["error"]["code"]) == (409, "wrong_state")
    assert decided.json()["data"] == {"status": "success"}


@pytest.mark.parametrize("how", ["cancelled", "left behind"])
async def test_a_late_payment_that_breaks_the_days_limit_is_set_aside(
    app: RunningApp, ada: Supporter, open_screen: OpenScreen, how: str
) -> None:
    first, late = await ada.reference(1_000_000), await ada.reference(1_000_000)
    if how == "cancelled":
        await ada.cancel(late)
    else:
        await app.leave_behind(late)
    second = await ada.reference(1_000_000)
    await pay_quietly(app, late)
    screen = await open_screen(ada)

    assert (await ada.verify(late)).json()["data"]["status"] == "failed"

    funding = await app.funding(late)
    assert (funding["state"], funding["review_reason"]) == ("review", "daily_limit")
    refused = await ada.cancel(late)
    assert refused.json()["message"] == "We have this payment and are looking into it."
    assert await ada.balance() == 0
    assert await screen.receive(1) == [{"data": None, "message": "Unable to fund wallet."}]
    for reference in (first, second):
        await pay_quietly(app, reference)
        assert (await ada.verify(reference)).json()["data"]["status"] == "success"
    assert await ada.balance() == 2_000_000


async def test_late_payments_at_once_stay_within_the_day(app: RunningApp, ada: Supporter) -> None:
    references = []
    for _ in range(8):
        reference = await ada.reference(500_000)
        await ada.cancel(reference)
        references.append(reference)
    app.postman.holds_back = True
    for reference in references:
        app.pay(reference)
    await app.webhooks_delivered()

    await asyncio.gather(
        *(app.deliver(body) for body in app.postman.bag[:]),
        *(ada.prepare(500_000) for _ in range(4)),
    )

    states = [(await app.funding(reference))["state"] for reference in references]
    opened = len(await app.fundings(ada.user_id)) - len(references)
    assert set(states) <= {"succeeded", "review"}
    assert states.count("succeeded") + opened == 4
    assert await ada.balance() == 500_000 * states.count("succeeded")


async def test_what_is_set_aside_for_the_limit_is_asked_for_by_the_sweep_too(
    app: RunningApp, ada: Supporter
) -> None:
    reference = await ada.reference(5000)
    await ada.cancel(reference)
    await pay_quietly(app, reference)
    await app.run("UPDATE funding SET next_check_at = now() WHERE reference = $1", reference)

    while await sweeping.sweep(app.context):  # due fundings of other tests come first
        pass

    assert await ada.balance() == 5000


async def test_the_day_is_the_one_in_which_the_money_came(app: RunningApp, ada: Supporter) -> None:
    reference = await ada.reference(5000)
    app.pay(reference)
    await app.webhooks_delivered()
    assert abs((await app.funding(reference))["decided_at"] - clock.now()).total_seconds() < 60

    await app.run(
        "UPDATE funding SET created_at = created_at - interval '2 days' WHERE reference = $1",
        reference,
    )
    assert await ada.left_today() == WHOLE_DAY - 5000
    await app.run(
        "UPDATE funding SET decided_at = decided_at - interval '1 day' WHERE reference = $1",
        reference,
    )
    assert await ada.left_today() == WHOLE_DAY


async def test_a_cancel_with_a_key_is_answered_again_whatever_came_after(
    app: RunningApp, ada: Supporter
) -> None:
    reference, other = await ada.reference(5000), await ada.reference(6000)
    key = str(uuid4())
    first = await ada.cancel(reference, key=key)
    app.pay(reference)
    await app.webhooks_delivered()

    again = await ada.cancel(reference, key=key)
    changed = await ada.cancel(other, key=key)

    assert again.json() == first.json()
    assert "idempotent-replayed" in again.headers
    assert (changed.status_code, changed.json()["error"]["code"]) == (422, "idempotency_key_reused")
    assert (await app.funding(other))["cancelled_at"] is None


async def test_a_refused_cancel_does_not_burn_its_key(app: RunningApp, ada: Supporter) -> None:
    reference, key = await ada.reference(5000), str(uuid4())
    app.pay(reference)
    await app.webhooks_delivered()

    answers = [await ada.cancel(reference, key=key) for _ in range(2)]

    assert [answer.status_code for answer in answers] == [409, 409]


@pytest.mark.parametrize(
    "reference", ["", "FW-", "x\0y", "x" * 5000, "\ud800", "FW-7K3Q9X2M4N5P6R7S8T9V0W1X2Y"]
)
async def test_a_reference_that_is_nobodys_is_not_found(ada: Supporter, reference: str) -> None:
    assert (await ada.cancel(reference)).status_code == 404


@pytest.mark.parametrize("reference", [None, 7, True, [], {}])
async def test_a_reference_that_is_no_text_does_not_fit(ada: Supporter, reference: object) -> None:
    assert (await ada.cancel(reference)).status_code == 422


async def test_nobody_cancels_anothers_checkout(
    app: RunningApp, ada: Supporter, bello: Supporter
) -> None:
    reference = await ada.reference(5000)

    answer = await bello.cancel(reference)

    assert answer.status_code == 404
    assert (await app.funding(reference))["cancelled_at"] is None


async def test_cancels_and_payments_at_once_end_in_one_credit(
    app: RunningApp, ada: Supporter
) -> None:
    for _ in range(5):
        had = await ada.balance()
        reference = await ada.reference(5000)
        await pay_quietly(app, reference)

        answers = await asyncio.gather(
            *(ada.cancel(reference) for _ in range(5)),
            *(ada.verify(reference) for _ in range(5)),
        )

        assert {answer.status_code for answer in answers} <= {200, 409}
        assert await app.credits(reference) == 1
        assert await ada.balance() == had + 5000


async def waiting(app: RunningApp, count: int) -> None:
    """Return once ``count`` transactions wait for a lock."""
    async with asyncio.timeout(DEADLINE_SECONDS):
        while True:
            # In a separate task: this one is inside a transaction.
            waiting_count = asyncio.create_task(app.database.fetch_value(BLOCKED))
            if await waiting_count == count:
                return
            await asyncio.sleep(0.01)


async def test_a_cancel_during_the_credit_is_told_that_the_payment_is_complete(
    app: RunningApp, ada: Supporter
) -> None:
    reference = await ada.reference(5000)
    await pay_quietly(app, reference)
    async with app.database.transaction() as tx:
        # The credit has its funding's row and waits for the provider's transaction, locked here.
        await fundings.is_transaction_known(
            tx, "paystack", str(app.transaction(reference).id), except_reference=reference
        )
        crediting = asyncio.create_task(app.deliver(app.postman.bag[-1]))
        await waiting(app, 1)
        cancelling = asyncio.create_task(ada.cancel(reference))
        await waiting(app, 2)

    credit, cancel = await asyncio.gather(crediting, cancelling)

    assert credit.status_code == 200
    assert (cancel.status_code, cancel.json()["data"]) == (409, {"status": "success"})
    assert (await app.funding(reference))["cancelled_at"] is None
    assert await ada.balance() == 5000


async def test_a_cancel_only_frees_room_and_waits_for_no_other_checkout(
    app: RunningApp, ada: Supporter
) -> None:
    reference = await ada.reference(1_000_000)
    async with app.database.transaction() as tx:
        # The other checkout was counted and waits for its member's record, locked here.
        await tx.execute("SELECT FROM user_account WHERE id = $1 FOR UPDATE", ada.user_id)
        preparing = asyncio.create_task(ada.prepare(1_000_000))
        await waiting(app, 1)

        cancelled = await asyncio.wait_for(ada.cancel(reference), DEADLINE_SECONDS)

    assert (cancelled.status_code, (await preparing).status_code) == (200, 200)
    assert await ada.left_today() == WHOLE_DAY - 1_000_000
