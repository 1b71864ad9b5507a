"""The sweep finds payments whose webhook was lost, checks ever less often, and finally expires."""

import asyncio

import pytest
from api.foundation.core import clock
from api.foundation.core.ids import new_id
from api.foundation.core.metrics import Metrics
from api.foundation.core.supervisor import Job, Supervisor
from api.money.payments.rules import CHECK_DELAYS
from api.money.payments.service import sweeping
from api.money.payments.service import sweeping as sweeping_service

from tests.money.payments.conftest import OpenScreen, RunningApp, Supporter
from tests.waiting import DEADLINE_SECONDS


async def age(app: RunningApp, reference: str, interval: str) -> None:
    """Backdate a funding, and make it due."""
    await app.run(
        "UPDATE funding SET created_at = now() - CAST(CAST($1 AS text) AS interval),"
        " next_check_at = now() WHERE reference = $2",
        interval,
        reference,
    )


async def test_a_lost_webhook_is_made_up_for(
    app: RunningApp, ada: Supporter, open_screen: OpenScreen
) -> None:
    screen = await open_screen(ada)
    app.postman.holds_back = True
    reference = await ada.reference(5000)
    app.pay(reference)
    await app.webhooks_delivered()
    await age(app, reference, "1 minute")

    await sweeping_service.sweep(app.context)

    assert await ada.balance() == 5000
    assert len(await screen.receive(1)) == 1


async def test_a_member_who_opened_many_keeps_nobody_elses_payment_from_being_found(
    app: RunningApp, ada: Supporter, bello: Supporter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sweeping, "SWEEP_BATCH", 3)
    for number in range(8):
        reference = await ada.reference(5000)
        if number % 2:
            await ada.cancel(reference)
        await age(app, reference, "2 minutes")
    app.postman.holds_back = True
    lost = await bello.reference(5000)
    app.pay(lost)
    await app.webhooks_delivered()
    await age(app, lost, "1 minute")

    await sweeping_service.sweep(app.context)

    assert await bello.balance() == 5000


async def test_one_payment_that_cannot_be_booked_keeps_no_other_from_being_found(
    app: RunningApp, ada: Supporter, bello: Supporter
) -> None:
    app.postman.holds_back = True
    references = []
    for supporter, minutes in ((ada, 3), (bello, 2)):
        reference = await supporter.reference(5000)
        app.pay(reference)
        references.append((reference, f"{minutes} minutes"))
    await app.webhooks_delivered()
    await app.run(
        "SELECT post_wallet_transfer($1, $2, 'fund', $3, 100, NULL)",
        new_id(),
        ada.user_id,
        references[0][0],
    )
    for reference, interval in references:
        await age(app, reference, interval)

    await sweeping_service.sweep(app.context)

    assert await ada.balance() == 1
    assert await bello.balance() == 5000


async def test_two_sweeps_at_once_ask_about_each_funding_once(
    app: RunningApp, ada: Supporter
) -> None:
    references = [await ada.reference(5000) for _ in range(6)]
    for reference in references:
        await age(app, reference, "2 minutes")
    app.link.restore()

    asked = await asyncio.gather(*(sweeping_service.sweep(app.context) for _ in range(4)))

    assert sum(asked) >= 6
    assert len(app.link.asked) == len(set(app.link.asked)) == sum(asked)


async def test_a_funding_is_not_asked_about_before_its_time(
    app: RunningApp, ada: Supporter
) -> None:
    reference = await ada.reference(5000)
    await sweeping_service.sweep(app.context)
    app.link.restore()

    await sweeping_service.sweep(app.context)

    assert app.link.asked == []
    waits = (await app.funding(reference))["next_check_at"] - clock.now()
    assert waits <= CHECK_DELAYS[0]


async def test_the_next_question_comes_later_each_time(app: RunningApp, ada: Supporter) -> None:
    reference = await ada.reference(5000)
    await age(app, reference, "16 minutes")

    await sweeping_service.sweep(app.context)

    funding = await app.funding(reference)
    assert funding["state"] == "prepared"
    assert funding["next_check_at"] - funding["created_at"] == CHECK_DELAYS[3]


async def test_an_abandoned_funding_is_given_up_quietly_after_three_days(
    app: RunningApp, ada: Supporter, open_screen: OpenScreen
) -> None:
    screen = await open_screen(ada)
    reference = await ada.reference(5000)
    await age(app, reference, "73 hours")

    await sweeping_service.sweep(app.context)

    assert (await app.funding(reference))["state"] == "expired"
    await asyncio.sleep(0.2)
    assert screen.received == []
    assert (await ada.verify(reference)).json()["data"]["status"] == "failed"


async def test_a_transfer_that_never_came_is_told_when_it_is_given_up(
    app: RunningApp, ada: Supporter, open_screen: OpenScreen
) -> None:
    screen = await open_screen(ada)
    reference = await ada.reference(5000)
    app.provider.begin_transfer(app.transaction(reference))
    await age(app, reference, "73 hours")

    await sweeping_service.sweep(app.context)

    assert (await app.funding(reference))["state"] == "expired"
    assert await screen.receive(1) == [
        {
            "data": {"id": reference, "user_id": str(ada.user_id)},
            "message": "Wallet funding failed.",
        }
    ]


async def test_a_transfer_after_three_days_is_credited_all_the_same(
    app: RunningApp, ada: Supporter
) -> None:
    reference = await ada.reference(5000)
    app.provider.begin_transfer(app.transaction(reference))
    await age(app, reference, "73 hours")
    await sweeping_service.sweep(app.context)

    app.provider.receive_transfer(app.transaction(reference), 500_000)
    await app.webhooks_delivered()

    assert await ada.balance() == 5000


async def test_a_provider_that_is_away_is_asked_again_soon(app: RunningApp, ada: Supporter) -> None:
    reference = await ada.reference(5000)
    await age(app, reference, "73 hours")
    app.link.is_down = True

    await sweeping_service.sweep(app.context)

    funding = await app.funding(reference)
    assert funding["state"] == "prepared"
    assert 0 < (funding["next_check_at"] - clock.now()).total_seconds() <= 300


async def test_sweeps_at_once_ask_once(app: RunningApp, ada: Supporter) -> None:
    references = [await ada.reference(5000) for _ in range(5)]
    for reference in references:
        await age(app, reference, "2 minutes")
    app.link.restore()

    await asyncio.gather(*(sweeping_service.sweep(app.context) for _ in range(4)))

    asked = [path.rpartition("/")[2] for path in app.link.asked]
    assert sorted(set(references) & set(asked)) == sorted(references)
    assert len(asked) == len(set(asked))


async def test_a_failing_sweep_does_not_end_the_sweeping(app: RunningApp, ada: Supporter) -> None:
    reference = await ada.reference(5000)
    app.postman.holds_back = True
    app.pay(reference)
    await app.webhooks_delivered()
    sweeping = Supervisor(Metrics())

    async def sweep() -> None:
        await sweeping_service.sweep(app.context)

    sweeping.add(Job(name="sweep", step=sweep, every_seconds=0.05))
    sweeping.start()
    await app.run(
        "UPDATE funding SET next_check_at = now(), created_at = 'infinity' WHERE reference = $1",
        reference,
    )
    await asyncio.sleep(0.2)
    await age(app, reference, "1 minute")

    async with asyncio.timeout(DEADLINE_SECONDS):
        while await ada.balance() != 5000:  # noqa: ASYNC110 - the balance offers no event
            await asyncio.sleep(0.05)

    await sweeping.stop()
