"""The driver's connections of one process, kept while they are whole.

The driver's own pool starts a task and turns the event loop five times for each statement, which
costs three times the statement. Here a connection goes back unless it might still be busy: after
anything but an answer of the server it is thrown away.
"""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import asyncpg
from sqlalchemy.engine import make_url

from api.core.strict_json import read_json
from api.database.errors import translated_errors

CONNECT_SECONDS = 3
STATEMENT_SECONDS = 5
CLOSE_SECONDS = 2
SESSION_SETTINGS = {
    "application_name": "king-of-fans",
    "timezone": "UTC",
    "statement_timeout": "5s",
    "lock_timeout": "3s",
    "idle_in_transaction_session_timeout": "10s",
}


class ConnectionPool:
    """Opens connections when they are needed and keeps the idle ones.

    How many there are at once is for the lanes in front of it to say. ``on_lost`` is called for
    each connection that ended without our doing.
    """

    def __init__(self, url: str, *, runtime_role: str, on_lost: Callable[[], None]) -> None:
        self._arguments = _arguments(url, runtime_role)
        self._on_lost = on_lost
        self._idle: list[asyncpg.Connection] = []

    def count_idle(self) -> int:
        """Return how many connections are kept for the next statement."""
        return len(self._idle)

    async def open_alone(self) -> asyncpg.Connection:
        """Return a connection that never comes back here; the caller closes it."""
        with translated_errors():
            return await asyncpg.connect(**self._arguments)

    async def take(self) -> asyncpg.Connection:
        """Return an idle connection, or a new one when there is none."""
        while self._idle:
            connection = self._idle.pop()
            if not connection.is_closed():
                return connection
            self._on_lost()
        connection = await asyncpg.connect(**self._arguments)
        try:
            await _set_up(connection)
        except BaseException:
            connection.terminate()
            raise
        return connection

    def give_back(
        self, connection: asyncpg.Connection, failure: BaseException | None = None
    ) -> None:
        """Keep a connection that is whole: its last statement was answered, if by an error."""
        if connection.is_closed():
            self._on_lost()
        elif (failure is None or is_answer(failure)) and not connection.is_in_transaction():
            self._idle.append(connection)
            return
        connection.terminate()

    async def close(self) -> None:
        """Close what is idle."""
        while self._idle:
            with suppress(Exception):  # it may be gone already
                await self._idle.pop().close(timeout=CLOSE_SECONDS)


def is_answer(failure: BaseException) -> bool:
    """Say whether the server answered with this error, and the session is as good as before.

    A session that was opened read-only stays so when the server is not any more.
    """
    return isinstance(failure, asyncpg.PostgresError) and not isinstance(
        failure, asyncpg.ReadOnlySQLTransactionError
    )


def _arguments(url: str, runtime_role: str) -> dict[str, Any]:
    address = make_url(url)
    settings = dict(SESSION_SETTINGS)
    if runtime_role:
        settings["role"] = runtime_role
    return {
        "host": address.host or address.query.get("host"),
        "port": address.port or int(str(address.query.get("port", "5432"))),
        "user": address.username,
        "password": address.password,
        "database": address.database,
        "timeout": CONNECT_SECONDS,
        "command_timeout": STATEMENT_SECONDS,
        "server_settings": settings,
    }


async def _set_up(connection: asyncpg.Connection) -> None:
    for name in ("json", "jsonb"):
        await connection.set_type_codec(
            name, schema="pg_catalog", encoder=_as_is, decoder=read_json, format="text"
        )


def _as_is(text: str) -> str:
    return text
