"""The driver's connections of one process, kept while they are whole.

The driver's own pool starts a task and turns the event loop five times for each statement, which
costs three times the statement. Here a connection goes back unless it might still be busy: after
anything but an answer of the server it is thrown away.

Behind a pooler that lends a session for a transaction at a time nothing may be left in it: there
every statement has a transaction, and every transaction says role and limits for itself.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import asyncpg
import structlog
from sqlalchemy.engine import make_url

from api.core.strict_json import read_json
from api.database.errors import NotOneSessionError, translated_errors

log = structlog.get_logger(__name__)

CONNECT_SECONDS = 3
STATEMENT_SECONDS = 5
CLOSE_SECONDS = 2
WHICH_PROCESS = "SELECT pg_backend_pid()"
APPLICATION = {"application_name": "king-of-fans"}  # poolers know this one
SESSION_SETTINGS = {
    "timezone": "UTC",
    "statement_timeout": "5s",
    "lock_timeout": "3s",
    "idle_in_transaction_session_timeout": "10s",
}
# What a session says that is another one for each transaction, or takes no settings at its start.
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
    """Opens connections when they are needed and keeps the idle ones.

    How many there are at once is for the lanes in front of it to say. ``on_lost`` is called for
    each connection that ended without our doing. With a ``direct_url`` of its own, ``url`` may lead
    through a pooler that lends a session for the length of a transaction.
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
        self._told: set[str] = set()

    def count_idle(self) -> int:
        """Return how many connections are kept for the next statement."""
        return len(self._idle)

    async def open_alone(self) -> asyncpg.Connection:
        """Return a session that never comes back here, past any pooler; the caller closes it.

        Raises:
            DatabaseUnavailableError: it is not to be had, or is not one session.
        """
        reason = DIRECT_BEHIND_A_POOLER if self._is_pooled else BEHIND_A_POOLER
        with translated_errors():
            return await self._open_session(self._direct, reason)

    async def reopen(self) -> asyncpg.Connection:
        """Return a connection like those kept here, which the caller closes."""
        return await asyncpg.connect(**self._usual)

    async def take(self) -> asyncpg.Connection:
        """Return an idle connection, or a new one when there is none."""
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
        """Send one statement that is its own transaction; return what ``method`` makes of it."""
        if not self._is_pooled:
            return await getattr(connection, method)(text, *arguments)
        await connection.execute(self.begin)
        try:
            answer = await getattr(connection, method)(text, *arguments)
        except asyncpg.PostgresError:
            with suppress(Exception):  # who is still in a transaction is not kept
                await connection.execute("ROLLBACK", timeout=CLOSE_SECONDS)
            raise
        await connection.execute("COMMIT")
        return answer

    async def _open_session(self, arguments: dict[str, Any], reason: str) -> asyncpg.Connection:
        """Return a connection whose session is its own for as long as it lasts.

        A pooler answers with a process of its own making, and lends others.

        Raises:
            NotOneSessionError: for this ``reason``.
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
            self._tell(reason)
            raise NotOneSessionError(reason) from error
        self._tell(reason)
        raise NotOneSessionError(reason)

    def _tell(self, reason: str) -> None:
        """Log a refusal once: every call meets it."""
        if reason not in self._told:
            self._told.add(reason)
            log.critical("database_refused", reason=reason)

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
