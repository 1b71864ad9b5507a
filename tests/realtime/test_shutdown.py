"""The socket server ends, also when a library swallows what should end it."""

import asyncio

from tests.conftest import House


async def test_a_listener_that_takes_a_cancel_for_a_time_out_does_not_hold_the_end_up(
    house: House,
) -> None:
    server = house.app.state.services.sockets
    swallowed = 0

    async def listen() -> None:
        nonlocal swallowed
        while True:
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                swallowed += 1
                if swallowed == 2:
                    raise

    server.manager.thread = asyncio.create_task(listen())
    await asyncio.sleep(0)

    async with asyncio.timeout(5):
        await server.shutdown()

    assert swallowed == 2
    assert server.manager.thread.done()
