"""Listens for what the database announces, on a connection of its own that heals itself."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import structlog

from api.core.database import Database
from api.core.errors import DatabaseUnavailableError

log = structlog.get_logger(__name__)

CHECK_SECONDS = 5.0
FIRST_PAUSE_SECONDS = 0.2
LONGEST_PAUSE_SECONDS = 5.0


class Listener:
    """Calls ``channels``' functions with each payload that is announced on their channel.

    ``on_up`` and ``on_down`` tell when announcements can be relied on and when they cannot.
    """

    def __init__(
        self,
        database: Database,
        channels: Mapping[str, Callable[[str], Awaitable[None]]],
        *,
        on_up: Callable[[], None],
        on_down: Callable[[], None],
    ) -> None:
        self._database = database
        self._channels = channels
        self._on_up = on_up
        self._on_down = on_down
        self._task: asyncio.Task[None] | None = None
        self._calls: set[asyncio.Task[None]] = set()

    def start(self) -> None:
        """Begin to listen, in the background and for as long as the process lives."""
        self._task = asyncio.create_task(self._run())

    async def stop(self) -> None:
        """Stop listening."""
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task

    async def _run(self) -> None:
        pause = FIRST_PAUSE_SECONDS
        while True:
            try:
                connection = await self._database.connect_alone()
            except DatabaseUnavailableError:
                await asyncio.sleep(pause)
                pause = min(pause * 2, LONGEST_PAUSE_SECONDS)
                continue
            pause = FIRST_PAUSE_SECONDS
            try:
                await self._listen(connection)
            except asyncio.CancelledError:
                raise
            except Exception as error:  # whatever broke it, the answer is a new connection
                log.warning("listener lost its connection", error_type=type(error).__name__)
            finally:
                self._on_down()
                with contextlib.suppress(Exception):
                    await connection.close(timeout=1)

    async def _listen(self, connection: Any) -> None:
        for channel in self._channels:
            await connection.add_listener(channel, self._hear)
        self._on_up()
        while True:
            await asyncio.sleep(CHECK_SECONDS)
            await connection.fetchval("SELECT 1")

    def _hear(self, _connection: Any, _pid: int, channel: str, payload: str) -> None:
        call = asyncio.ensure_future(self._channels[channel](payload))
        self._calls.add(call)
        call.add_done_callback(self._calls.discard)
