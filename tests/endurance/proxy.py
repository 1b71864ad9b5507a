"""A proxy between the product and its PostgreSQL that can become slow or silent."""

import asyncio
from contextlib import suppress
from types import TracebackType
from typing import Self

from sqlalchemy.engine import make_url

CHUNK_BYTES = 64 * 1024


class DatabaseProxy:
    """Forwards connections to PostgreSQL's socket, ``delay_seconds`` later in each direction.

    While ``is_silent`` it drops all data without an error.
    """

    def __init__(self, url: str) -> None:
        self._target = make_url(url)
        self.delay_seconds = 0.0
        self.is_silent = False
        self._listening: asyncio.Server | None = None
        self._writers: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def url(self) -> str:
        """The database's address through the proxy."""
        assert self._listening is not None
        port = self._listening.sockets[0].getsockname()[1]
        address = self._target.set(host="127.0.0.1", port=port, query={})
        return address.render_as_string(hide_password=False)

    async def __aenter__(self) -> Self:
        self._listening = await asyncio.start_server(self._take, "127.0.0.1", 0)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        assert self._listening is not None
        self._listening.close()
        self.drop_all()
        for task in self._tasks:
            task.cancel()

    def drop_all(self) -> None:
        """Close every connection."""
        for writer in self._writers:
            writer.transport.abort()
        self._writers.clear()

    async def _take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        query = self._target.query
        try:
            there, onwards = await asyncio.open_unix_connection(
                f"{query['host']}/.s.PGSQL.{query['port']}"
            )
        except OSError:
            writer.transport.abort()
            return
        self._writers |= {writer, onwards}
        for source, target in ((reader, onwards), (there, writer)):
            task = asyncio.create_task(self._pass_on(source, target))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _pass_on(self, source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while chunk := await source.read(CHUNK_BYTES):
                if self.is_silent:
                    continue
                if self.delay_seconds:
                    await asyncio.sleep(self.delay_seconds)
                target.write(chunk)
        self._writers.discard(target)
        target.close()
