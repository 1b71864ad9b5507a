import os
import signal
import time
from pathlib import Path

import pytest
from api.dev.postgres.server import command_line
from api.dev.valkey import EmbeddedValkey
from valkey.asyncio import Valkey

from tests.waiting import DEADLINE_SECONDS


def wait_for_another(server: EmbeddedValkey, pid: int) -> None:
    deadline = time.monotonic() + DEADLINE_SECONDS
    while server.pid == pid or not server.is_answering():
        if time.monotonic() > deadline:
            pytest.fail("no new child came up")
        time.sleep(0.02)


async def test_messages_pass_between_two_clients_of_the_url(tmp_path: Path) -> None:
    with EmbeddedValkey(tmp_path) as server:
        async with Valkey.from_url(server.url) as sender, Valkey.from_url(server.url) as hearer:
            channel = hearer.pubsub(ignore_subscribe_messages=True)
            await channel.subscribe("goals")
            await channel.get_message(timeout=DEADLINE_SECONDS)

            await sender.publish("goals", "1:0")

            received = await channel.get_message(timeout=DEADLINE_SECONDS)
            await channel.aclose()

    assert received is not None
    assert received["data"] == b"1:0"


def test_a_killed_child_is_replaced_at_the_same_address(tmp_path: Path) -> None:
    with EmbeddedValkey(tmp_path) as server:
        first, address = server.pid, server.url
        assert first is not None
        os.kill(first, signal.SIGKILL)

        wait_for_another(server, first)

        assert server.url == address


def test_stopping_leaves_no_child_and_may_be_repeated(tmp_path: Path) -> None:
    server = EmbeddedValkey(tmp_path)
    server.start()
    child = server.pid
    assert child is not None

    server.stop()
    server.stop()

    assert not command_line(child)


def test_a_very_long_folder_name_does_not_matter(tmp_path: Path) -> None:
    with EmbeddedValkey(tmp_path / ("a" * 120)) as server:
        assert server.is_answering()
