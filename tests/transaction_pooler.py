"""Imitates a pooler in transaction mode between a client and PostgreSQL.

Each client has one server session, which is reset after every transaction: prepared statements,
settings, role, listening, locks. Like PgBouncer, it rejects untracked startup settings unless
configured to drop them, and reports its own process id.
"""

import asyncio
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from sqlalchemy.engine import make_url

TRACKED = {"user", "database", "client_encoding", "application_name", "datestyle", "timezone"}
FORGET = b"DISCARD ALL\0"
QUERY, READY, IDLE, KEY, FATAL = b"Q", b"Z", b"I", b"K", b"E"
NOT_A_PROCESS = 7


class TransactionPooler:
    """Relays sessions to ``server``; ``drops_settings`` ignores untracked settings."""

    def __init__(self, server: Path, *, drops_settings: bool) -> None:
        self._server = server
        self._drops_settings = drops_settings
        self.sessions = 0
        self.forgotten = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Relay one client until either side disconnects."""
        try:
            await self._relay(reader, writer)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    async def _relay(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        length, version = struct.unpack("!ii", await reader.readexactly(8))
        body = await reader.readexactly(length - 8)
        if version != 3 << 16:  # a cancel request: its key is ours
            return
        words = body.rstrip(b"\0").split(b"\0")
        asked = dict(zip(words[::2], words[1::2], strict=True))
        unknown = [name.decode() for name in asked if name.decode().lower() not in TRACKED]
        if unknown and not self._drops_settings:
            sentence = f"unsupported startup parameter: {unknown[0]}".encode()
            fault = b"SFATAL\0VFATAL\0C08P01\0M" + sentence + b"\0\0"
            writer.write(_message(FATAL, fault))
            await writer.drain()
            return
        kept = b"".join(
            name + b"\0" + value + b"\0"
            for name, value in asked.items()
            if name.decode() not in unknown
        )
        from_server, to_server = await asyncio.open_unix_connection(str(self._server))
        self.sessions += 1
        to_server.write(struct.pack("!ii", len(kept) + 9, version) + kept + b"\0")
        upwards = asyncio.create_task(self._upwards(reader, to_server))
        try:
            await self._downwards(from_server, to_server, writer)
        finally:
            upwards.cancel()
            to_server.close()

    async def _upwards(self, reader: asyncio.StreamReader, to_server: asyncio.StreamWriter) -> None:
        while data := await reader.read(65_536):
            to_server.write(data)
        to_server.close()

    async def _downwards(
        self,
        from_server: asyncio.StreamReader,
        to_server: asyncio.StreamWriter,
        writer: asyncio.StreamWriter,
    ) -> None:
        """Report the client's session as idle only after it has been reset."""
        is_forgetting = is_started = False
        while True:
            kind = await from_server.readexactly(1)
            (length,) = struct.unpack("!i", await from_server.readexactly(4))
            body = await from_server.readexactly(length - 4)
            if kind == KEY:
                body = struct.pack("!i", NOT_A_PROCESS) + body[4:]
            is_idle = kind == READY and body == IDLE
            if is_idle and is_started and not is_forgetting:
                is_forgetting = True
                to_server.write(_message(QUERY, FORGET))
            elif not is_forgetting or is_idle:
                self.forgotten += is_forgetting
                is_forgetting = False
                is_started = is_started or is_idle
                writer.write(_message(kind, body))
                await writer.drain()


def _message(kind: bytes, body: bytes) -> bytes:
    return kind + struct.pack("!i", len(body) + 4) + body


@asynccontextmanager
async def transaction_pooler(
    url: str, folder: Path, *, drops_settings: bool = False
) -> AsyncIterator[tuple[str, TransactionPooler]]:
    """Run one in front of the server at ``url``; yield its address."""
    address = make_url(url)
    place = Path(str(address.query["host"]))
    port = int(str(address.query.get("port", "5432")))
    pooler = TransactionPooler(place / f".s.PGSQL.{port}", drops_settings=drops_settings)
    path = folder / f".s.PGSQL.{port}"
    server = await asyncio.start_unix_server(pooler.serve, path)
    pooled = address.update_query_dict({"host": str(folder)})
    try:
        yield pooled.render_as_string(hide_password=False), pooler
    finally:
        server.close()
        path.unlink(missing_ok=True)
