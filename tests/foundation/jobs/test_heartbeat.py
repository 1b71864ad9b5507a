"""A process touches a file while it runs, and deletes it at the end."""

import asyncio
import tempfile
from pathlib import Path

import pytest
from api.foundation.jobs.heartbeat import beating, is_alive, place


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))


async def test_the_file_is_there_exactly_as_long_as_the_block() -> None:
    async with beating("process"):
        while not is_alive("process"):  # noqa: ASYNC110 a file has no event
            await asyncio.sleep(0)

    assert not place("process").exists()
    # Other tasks of this loop, such as a shared test server's, are not this test's.
    running = [task.get_coro() for task in asyncio.all_tasks()]
    assert "_beat" not in [getattr(coroutine, "__name__", "") for coroutine in running]


async def test_a_file_that_cannot_be_written_stops_nothing() -> None:
    place("process").parent.rmdir()

    async with beating("process"):
        for _ in range(3):
            await asyncio.sleep(0)
    assert not is_alive("process")
