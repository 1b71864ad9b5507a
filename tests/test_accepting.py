"""Accepting: connected callers do not wait for many turns of the event loop."""

import asyncio
import errno
import socket
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from api.foundation.server import accepting
from api.foundation.server.accepting import ACCEPTS_AT_ONCE, Acceptor
from api.foundation.server.listening import bind
from typing_extensions import override

from tests.waiting import DEADLINE_SECONDS

CALLERS = ACCEPTS_AT_ONCE - 2


class Greeter(asyncio.Protocol):
    """Greets every connection, and counts them."""

    greeted = 0

    @override
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        type(self).greeted += 1
        assert isinstance(transport, asyncio.Transport)
        transport.write(b"hello")
        transport.close()


@pytest.fixture(autouse=True)
def _no_connections() -> None:
    Greeter.greeted = 0


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    with bind("127.0.0.1", 0) as bound:
        yield bound


async def test_a_crowd_that_came_in_one_turn_is_taken_in_the_next(listener: socket.socket) -> None:
    acceptor = Acceptor(listener, Greeter)
    acceptor.start(backlog=128)
    with ExitStack() as callers:
        for _ in range(CALLERS):  # the event loop does not run meanwhile
            callers.enter_context(socket.create_connection(listener.getsockname()))
        for _ in range(6):
            await asyncio.sleep(0)
        greeted = Greeter.greeted
    acceptor.close()
    await acceptor.wait_closed()

    assert greeted == CALLERS


async def test_without_descriptors_it_pauses_and_goes_on(
    listener: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(accepting, "WITHOUT_DESCRIPTORS_SECONDS", 0.05)

    class Short(socket.socket):
        """A socket without free descriptors for the first three attempts."""

        tries = 0

        @override
        def accept(self) -> tuple[socket.socket, object]:
            type(self).tries += 1
            if self.tries <= 3:
                raise OSError(errno.EMFILE, "Too many open files")
            return super().accept()

    with Short(fileno=listener.dup().detach()) as short:
        acceptor = Acceptor(short, Greeter)
        acceptor.start(backlog=16)
        reader, writer = await asyncio.open_connection(*listener.getsockname())
        hello = await asyncio.wait_for(reader.read(), DEADLINE_SECONDS)
        writer.close()
        acceptor.close()

    assert hello == b"hello"
    assert Short.tries < 10


async def test_after_its_end_callers_are_left_to_others_who_have_the_socket(
    listener: socket.socket,
) -> None:
    one, other = Acceptor(listener, Greeter), Acceptor(listener.dup(), Greeter)
    one.start(backlog=16)
    one.close()
    other.start(backlog=16)
    reader, writer = await asyncio.open_connection(*listener.getsockname())

    assert await asyncio.wait_for(reader.read(), DEADLINE_SECONDS) == b"hello"
    writer.close()
    other.close()
    other._listener.close()
