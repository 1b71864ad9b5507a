"""The socket notifies each member of their own fundings, once, also after an absence."""

import asyncio

import pytest
import socketio.exceptions

from tests.money.payments.conftest import OpenScreen, RunningApp, Screen, Supporter


async def test_only_the_owners_screens_hear_of_a_funding(
    app: RunningApp, ada: Supporter, bello: Supporter, open_screen: OpenScreen
) -> None:
    phone, laptop, foreign = (
        await open_screen(ada),
        await open_screen(ada),
        await open_screen(bello),
    )
    reference = await ada.reference(5000)

    app.pay(reference)

    expected = [
        {
            "data": {"id": reference, "user_id": str(ada.user_id)},
            "message": "Successfully funded your wallet.",
        }
    ]
    assert await phone.receive(1) == expected
    assert await laptop.receive(1) == expected
    assert foreign.received == []


async def test_a_member_who_was_away_is_told_at_the_next_connection_and_only_once(
    app: RunningApp, ada: Supporter, open_screen: OpenScreen
) -> None:
    reference = await ada.reference(5000)
    app.pay(reference)
    await app.webhooks_delivered()

    first = await open_screen(ada)
    received = await first.receive(1)
    second = await open_screen(ada)
    await asyncio.sleep(0.3)

    assert [event["data"]["id"] for event in received if event["data"]] == [reference]
    assert second.received == []
    assert len(first.received) == 1


async def test_a_member_who_was_told_live_is_not_told_again(
    app: RunningApp, ada: Supporter, open_screen: OpenScreen
) -> None:
    live = await open_screen(ada)
    app.pay(await ada.reference(5000))
    await live.receive(1)

    later = await open_screen(ada)
    await asyncio.sleep(0.3)

    assert (len(live.received), later.received) == (1, [])


async def test_a_member_who_has_seen_the_outcome_is_not_told_again(
    app: RunningApp, ada: Supporter, open_screen: OpenScreen
) -> None:
    reference = await ada.reference(5000)
    app.pay(reference)
    await app.webhooks_delivered()
    await ada.verify(reference)

    screen = await open_screen(ada)
    await asyncio.sleep(0.3)

    assert screen.received == []


async def test_a_screen_without_a_good_token_is_refused(app: RunningApp, ada: Supporter) -> None:
    for token in ("", "nonsense", ada.token[:-2]):
        impostor = Supporter(app, ada.user_id, token, ada.client)
        with pytest.raises(socketio.exceptions.ConnectionError):
            await Screen().open(impostor)


async def test_a_screen_that_names_another_member_is_refused(
    app: RunningApp, ada: Supporter, bello: Supporter
) -> None:
    spy = Supporter(app, bello.user_id, ada.token, ada.client)

    with pytest.raises(socketio.exceptions.ConnectionError):
        await Screen().open(spy)


async def test_events_from_clients_are_refused_and_change_nothing(
    ada: Supporter, open_screen: OpenScreen
) -> None:
    screen = await open_screen(ada)
    reference = await ada.reference(5000)

    answer = await screen.client.call(
        "verify_wallet_transaction",
        {"data": {"id": reference, "user_id": str(ada.user_id)}, "message": "paid"},
        namespace="/payment",
    )

    assert answer["status"] == 404
    assert screen.received == []
    assert await ada.balance() == 0
