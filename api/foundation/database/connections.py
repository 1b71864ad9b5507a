"""One process's pool of driver connections.

asyncpg's own pool starts a task and goes through the event loop five times per statement, which
costs three times the statement itself. Here a connection returns to the pool unless it might still
be busy: after anything but a response from the server it is terminated.

A transaction-mode pooler must find no session state. Behind one, every statement runs in a
transaction, and every transaction sets its own role and limits.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import asyncpg
import structlog
from sqlalchemy.engine import make_url

from api.foundation.core.strict_json import read_json
from api.foundation.database.errors import NotOneSessionError, translated_errors

log = structlog.get_logger(__name__)

CONNECT_SECONDS = 3
STATEMENT_SECONDS = 5
CLOSE_SECONDS = 2
WHICH_PROCESS = "SELECT pg_backend_pid()"
APPLICATION = {"application_name": "king-of-fans"}  # poolers forward this setting
SESSION_SETTINGS = {
    "timezone": "UTC",
    "statement_timeout": "5s",
    "lock_timeout": "3s",
    "idle_in_transaction_session_timeout": "10s",
}
# Session settings that change per transaction or cannot be set at connection start.
SIGNS_OF_A_POOLER = (
    asyncpg.ProtocolViolationError,
    asyncpg.InvalidSQLStatementNameError,
    asyncpg.DuplicatePreparedStatementError,
)
BEHIND_A_POOLER = (
    "DATABASE_URL leads through a pooler: name PostgreSQL's own address in DATABASE_DIRECT_URL "
    "(docs/operations.md, PgBouncer)"
)
DIRECT_BEHIND_A_POOLER = (
    "DATABASE_DIRECT_URL leads through a pooler: it must be PostgreSQL's own address "
    "(docs/operations.md, PgBouncer)"
)


class ConnectionPool:
    """Opens connections on demand and keeps the idle ones.

    The lanes in front of it limit how many there are at once. ``on_lost`` is called for each
    connection that we did not close. With a ``direct_url``, ``url`` may lead through a
    transaction-mode pooler.
    """

    def __init__(
        self,
        url: str,
        *,
        runtime_role: str,
        on_lost: Callable[[], None],
        direct_url: str | None = None,
    ) -> None:
        self._is_pooled = direct_url not in {None, url}
        settings = SESSION_SETTINGS | ({"role": runtime_role} if runtime_role else {})
        self._direct = _address(direct_url or url) | {"server_settings": APPLICATION | settings}
        self._usual = self._direct
        self.begin = "BEGIN"
        if self._is_pooled:
            self._usual = _address(url) | {
                "server_settings": APPLICATION,
                "statement_cache_size": 0,
            }
            self.begin = "; ".join(("BEGIN", *(_set_local(*one) for one in settings.items())))
        self._on_lost = on_lost
        self._idle: list[asyncpg.Connection] = []
        self._logged: set[str] = set()

    def count_idle(self) -> int:
        """Return the number of idle connections."""
        return len(self._idle)

    async def open_alone(self) -> asyncpg.Connection:
        """Open a session outside the pool and past any pooler; the caller closes it.

        Raises:
            DatabaseUnavailableError: no connection, or it is not a single session.
        """
        reason = DIRECT_BEHIND_A_POOLER if self._is_pooled else BEHIND_A_POOLER
        with translated_errors():
            return await self._open_session(self._direct, reason)

    async def reopen(self) -> asyncpg.Connection:
        """Open a connection with the pool's settings; the caller closes it."""
        return await asyncpg.connect(**self._usual)

    async def acquire(self) -> asyncpg.Connection:
        """Return an idle connection, or open one."""
        while self._idle:
            connection = self._idle.pop()
            if not connection.is_closed():
                return connection
            self._on_lost()
        if self._is_pooled:
            connection = await self.reopen()
        else:
            connection = await self._open_session(self._usual, BEHIND_A_POOLER)
        try:
            await _set_up(connection)
        except BaseException:
            connection.terminate()
            raise
        return connection

    async def ask(
        self, connection: asyncpg.Connection, method: str, text: str, arguments: Sequence[Any]
    ) -> object:
        """Run one statement as its own transaction and return the result of ``method``."""
        if not self._is_pooled:
            return await getattr(connection, method)(text, *arguments)
        await connection.execute(self.begin)
        try:
            answer = await getattr(connection, method)(text, *arguments)
        except asyncpg.PostgresError:
            with suppress(Exception):  # an open transaction: the connection is not reused
                await connection.execute("ROLLBACK", timeout=CLOSE_SECONDS)
            raise
        await connection.execute("COMMIT")
        return answer

    async def _open_session(self, arguments: dict[str, Any], reason: str) -> asyncpg.Connection:
        """Open a connection to one dedicated session.

        A pooler reports its own process ID, and its sessions change.

        Raises:
            NotOneSessionError: it is a pooler; carries ``reason``.
        """
        try:
            connection = await asyncpg.connect(**arguments)
            try:
                if await connection.fetchval(WHICH_PROCESS) == connection.get_server_pid():
                    return connection
            except BaseException:
                connection.terminate()
                raise
            connection.terminate()
        except SIGNS_OF_A_POOLER as error:
            self._log_once(reason)
            raise NotOneSessionError(reason) from error
        self._log_once(reason)
        raise NotOneSessionError(reason)

    def _log_once(self, reason: str) -> None:
        """Log each reason once, since every call fails with it."""
        if reason not in self._logged:
            self._logged.add(reason)
            log.critical("database_refused", reason=reason)

    def release(self, connection: asyncpg.Connection, failure: BaseException | None = None) -> None:
        """Return a connection to the pool if its last statement got a response, even an error."""
        if connection.is_closed():
            self._on_lost()
        elif (failure is None or is_answer(failure)) and not connection.is_in_transaction():
            self._idle.append(connection)
            return
        connection.terminate()

    async def close(self) -> None:
        """Close the idle connections."""
        while self._idle:
            with suppress(Exception):  # it may already be closed
                await self._idle.pop().close(timeout=CLOSE_SECONDS)


def is_answer(failure: BaseException) -> bool:
    """Return whether the server responded with this error, so that the session is still usable.

    A session that was opened read-only stays read-only after the server becomes writable.
    """
    return isinstance(failure, asyncpg.PostgresError) and not isinstance(
        failure, asyncpg.ReadOnlySQLTransactionError
    )


def _address(url: str) -> dict[str, Any]:
    address = make_url(url)
    return {
        "host": address.host or address.query.get("host"),
        "port": address.port or int(str(address.query.get("port", "5432"))),
        "user": address.username,
        "password": address.password,
        "database": address.database,
        "timeout": CONNECT_SECONDS,
        "command_timeout": STATEMENT_SECONDS,
    }


def _set_local(name: str, value: str) -> str:
    quoted = value.replace("'", "''")
    return f"SET LOCAL {name} = '{quoted}'"


async def _set_up(connection: asyncpg.Connection) -> None:
    for name in ("json", "jsonb"):
        await connection.set_type_codec(
            name, schema="pg_catalog", encoder=_as_is, decoder=read_json, format="text"
        )


def _as_is(text: str) -> str:
    return text
