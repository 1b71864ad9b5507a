"""Receives the database's NOTIFY messages on a dedicated connection."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import structlog

from api.foundation.core.metrics import Metrics
from api.foundation.core.supervisor import Job
from api.foundation.database.database import Database
from api.foundation.database.errors import translated_errors
from api.foundation.metrics.dependencies import DependencyWatch

log = structlog.get_logger(__name__)

CHECK_SECONDS = 2.0
ANSWER_SECONDS = 2.0  # after that the connection counts as dead
CLOSE_SECONDS = 1
MAX_RETRY_DELAY_SECONDS = 2.0  # between two connection attempts
LISTENER = "postgres"  # the process whose connection receives messages and checks the server
WHO_ANSWERS = "SELECT pg_postmaster_start_time()"


class Listener:
    """Calls the functions of ``channels`` with each payload published on their channel.

    ``on_up`` and ``on_down`` are called when delivery starts and stops being reliable.
    """

    def __init__(
        self,
        database: Database,
        channels: Mapping[str, Callable[[str], Awaitable[None]]],
        metrics: Metrics,
        *,
        on_up: Callable[[], None],
        on_down: Callable[[], None],
    ) -> None:
        self._database = database
        self._channels = channels
        self._metrics = metrics
        self._server = DependencyWatch(LISTENER, metrics)
        self._on_up = on_up
        self._on_down = on_down
        self._connection: Any = None
        self._ended = asyncio.Event()
        self._was_up = False
        self._calls: set[asyncio.Task[None]] = set()

    def job(self) -> Job:
        """Return the job that runs ``listen``."""
        return Job(
            name="listener",
            step=self.listen,
            every_seconds=0,
            max_backoff_seconds=MAX_RETRY_DELAY_SECONDS,
        )

    async def listen(self) -> None:
        """Listen for one interval, connecting first if necessary."""
        try:
            if self._connection is None:
                await self._connect()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(CHECK_SECONDS):
                    await self._ended.wait()
            await self._check()
        except BaseException:
            await self.close()
            raise

    async def close(self) -> None:
        """Stop listening; the next ``listen`` reconnects."""
        connection, self._connection = self._connection, None
        self._server.lost()
        if connection is None:
            return
        self._on_down()
        with contextlib.suppress(Exception):  # it may already be closed
            await connection.close(timeout=CLOSE_SECONDS)

    async def _connect(self) -> None:
        self._ended.clear()
        self._connection = connection = await self._database.connect_alone()
        connection.add_termination_listener(lambda _connection: self._ended.set())
        with translated_errors():
            for channel in self._channels:
                await connection.add_listener(channel, self._on_message)
        await self._check()
        self._on_up()
        if self._was_up:
            self._metrics.listener_reconnects.inc()
        self._was_up = True

    async def _check(self) -> None:
        with translated_errors():
            if self._connection.is_closed():
                raise ConnectionResetError
            self._server.saw(await self._connection.fetchval(WHO_ANSWERS, timeout=ANSWER_SECONDS))

    def _on_message(self, _connection: Any, _pid: int, channel: str, payload: str) -> None:
        call = asyncio.create_task(self._call(channel, payload))
        self._calls.add(call)
        call.add_done_callback(self._calls.discard)

    async def _call(self, channel: str, payload: str) -> None:
        try:
            await self._channels[channel](payload)
        except Exception:  # the task is not awaited
            log.exception("announcement failed", channel=channel)
