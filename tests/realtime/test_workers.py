"""Two workers: emits reach sockets on either, and a sign-out on one is heard on the other."""

import asyncio

import socketio
from api.core.ids import new_id
from api.core.money import Kobo
from api.payments.enums import FundingState
from api.payments.events import FundingDecided

from tests.conftest import Pair


async def test_an_emit_on_one_worker_reaches_a_socket_on_the_other_once(pair: Pair) -> None:
    member = await pair.one.member("ada")
    stranger = await pair.one.member("bello")
    heard: list[str] = []
    overheard: list[str] = []
    for who, told in ((member, heard), (stranger, overheard)):
        screen = socketio.AsyncClient(reconnection=False)
        screen.on(
            "verify_wallet_transaction",
            lambda payload, told=told: told.append(payload["data"]["id"]),
            namespace="/payment",
        )
        await screen.connect(
            pair.other.base_url,
            auth={"token": who.token},
            namespaces=["/payment"],
            transports=["websocket"],
        )
    await asyncio.sleep(0.3)
    references = [f"FW-{new_id().hex}" for _ in range(20)]

    push = pair.one.app.state.sockets.namespace_handlers["/payment"].push_funding_decided
    for reference in references:
        await push(FundingDecided(reference, member.id, Kobo(100), FundingState.SUCCEEDED))
    async with asyncio.timeout(5):
        while len(heard) < len(references):  # noqa: ASYNC110 the client has no such event
            await asyncio.sleep(0.01)
    await asyncio.sleep(0.2)

    assert heard == references
    assert overheard == []


async def test_a_sign_out_on_one_worker_is_heard_on_the_other(pair: Pair) -> None:
    member = await pair.one.member("ada")
    path = f"/api/v1/users/{member.id}"
    before = await pair.other.client.get(path, headers=member.headers)
    await member.post("/api/v1/sign-out")

    async with asyncio.timeout(2):
        while True:
            after = await pair.other.client.get(path, headers=member.headers)
            if after.status_code == 401:
                break
            await asyncio.sleep(0.01)
    assert before.status_code == 200


async def test_a_worker_that_cannot_hear_revocations_asks_the_database(pair: Pair) -> None:
    member = await pair.one.member("ada")
    path = f"/api/v1/users/{member.id}"
    assert (await pair.other.client.get(path, headers=member.headers)).status_code == 200
    pair.other.app.state.identity.stop_remembering()

    await member.post("/api/v1/sign-out")

    assert (await pair.other.client.get(path, headers=member.headers)).status_code == 401
