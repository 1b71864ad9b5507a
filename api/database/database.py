"""The database: one pool of connections, one set of verbs, transactions that commit once.

A statement is text with ``$1``, or one that SQLAlchemy Core has put together. Asked of the
database it is its own transaction; several belong together in ``transaction()``, which commits
before the answer leaves and publishes the events it recorded afterwards. Both wait in a lane
(``api.database.lanes``).
"""

import asyncio
import copy
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from contextvars import ContextVar
from enum import StrEnum
from typing import Any, Self, cast

import asyncpg
from typing_extensions import override

from api.core.events import Bus, DomainEvent
from api.database.connections import CLOSE_SECONDS, ConnectionPool, is_answer
from api.database.errors import translated_errors
from api.database.lanes import Gates, Lane, Turn, open_lanes
from api.database.statements import (
    CoreStatement,
    Row,
    Statement,
    column_readers,
    compile_for_many,
    compile_statement,
    read_row,
)

# The last transaction that this context has begun.
_begun: "ContextVar[Transaction | None]" = ContextVar("begun", default=None)


class Method(StrEnum):
    """What of a statement's answer is wanted, by the driver's names."""

    ROW = "fetchrow"
    ROWS = "fetch"
    VALUE = "fetchval"
    NOTHING = "execute"


class Runner(ABC):
    """The verbs: what runs statements, alone or within a transaction.

    All raise ``DatabaseUnavailableError`` when the database or a free connection was not to be
    had, and ``DatabaseRefusal`` when a rule of one of our SQL functions said no.
    """

    async def fetch_row(self, statement: Statement, *arguments: Any) -> Row | None:
        """Return the first row, or None."""
        row = cast("Row | None", await self._fetch(Method.ROW, statement, arguments))
        if row is None or isinstance(statement, str):
            return row
        readers = column_readers(statement)
        return read_row(row, readers) if readers else row

    async def fetch_rows(self, statement: Statement, *arguments: Any) -> Sequence[Row]:
        """Return all rows."""
        rows = cast("Sequence[Row]", await self._fetch(Method.ROWS, statement, arguments))
        if isinstance(statement, str):
            return rows
        readers = column_readers(statement)
        return [read_row(row, readers) for row in rows] if readers else rows

    async def fetch_value(self, statement: Statement, *arguments: Any) -> Any:
        """Return the first column of the first row as the driver reads it; None without a row."""
        return await self._fetch(Method.VALUE, statement, arguments)

    async def execute(self, statement: Statement, *arguments: Any) -> None:
        """Run a statement whose answer nobody reads."""
        await self._fetch(Method.NOTHING, statement, arguments)

    async def _fetch(
        self, method: Method, statement: Statement, arguments: Sequence[Any]
    ) -> object:
        if not isinstance(statement, str):
            statement, arguments = compile_statement(statement)
        return await self._run(method, statement, arguments)

    @abstractmethod
    async def _run(self, method: str, text: str, arguments: Sequence[Any]) -> object:
        """Send one statement and return what the driver's ``method`` makes of the answer."""


class Transaction(Runner):
    """Statements that take effect together, and what they have to announce.

    Once it has ended every verb raises ``RuntimeError``: its connection is somebody else's.
    """

    def __init__(self, connection: asyncpg.Connection, begin: str) -> None:
        self._connection = connection
        self._begin = begin
        self._task = asyncio.current_task()
        self._has_ended = False
        self.events: list[DomainEvent] = []
        self.failure: BaseException | None = None  # what says most of the connection

    def record(self, event: DomainEvent) -> None:
        """Announce ``event`` once this transaction is committed; a rollback drops it."""
        self._require_open()
        self.events.append(event)

    def is_open_in(self, task: "asyncio.Task[Any] | None") -> bool:
        """Say whether this task has begun it and not ended it."""
        return not self._has_ended and task is self._task

    def end(self) -> None:
        """Take no more statements."""
        self._has_ended = True

    def _require_open(self) -> None:
        if self._has_ended:
            raise RuntimeError("the transaction has ended")

    async def execute_many(
        self, statement: CoreStatement, rows: Sequence[Mapping[str, Any]]
    ) -> None:
        """Run a statement for each of ``rows``, which have the same columns; none is fine."""
        if rows:
            text, values = compile_for_many(statement, rows)
            await self._run("executemany", text, [values])

    @override
    async def _run(self, method: str, text: str, arguments: Sequence[Any]) -> object:
        self._require_open()
        with translated_errors():
            try:
                return await getattr(self._connection, method)(text, *arguments)
            except BaseException as error:
                if self.failure is None or is_answer(self.failure):
                    self.failure = error
                raise

    async def begin(self) -> None:
        """Begin."""
        await self._run(Method.NOTHING, self._begin, ())

    async def commit(self) -> None:
        """Make it true.

        Raises:
            RuntimeError: a statement failed before; the database would roll back and call it done.
        """
        if self.failure is not None:
            raise RuntimeError("a transaction of which a statement failed") from self.failure
        await self._run(Method.NOTHING, "COMMIT", ())

    async def roll_back(self) -> None:
        """Undo it, unless the connection is not to be used any more."""
        if self.failure is None or is_answer(self.failure):
            try:
                await self._connection.execute("ROLLBACK", timeout=CLOSE_SECONDS)
            except Exception as error:  # the transaction ends with its connection
                self.failure = error


class Database(Runner):
    """The connections of one process. Nothing connects before the first statement needs it.

    There are at most ``pool_size`` of them, two of which are for ``connect_alone`` and
    ``try_anew``. ``on_lost`` is called for each connection that ended without our doing.
    ``direct_url`` leads to PostgreSQL past any pooler.
    """

    def __init__(
        self,
        url: str,
        *,
        runtime_role: str,
        pool_size: int,
        direct_url: str | None = None,
        bus: Bus | None = None,
        on_lost: Callable[[], None] = lambda: None,
    ) -> None:
        self._bus = bus or Bus()
        self._connections = ConnectionPool(
            url, runtime_role=runtime_role, on_lost=on_lost, direct_url=direct_url
        )
        self._lanes = open_lanes(pool_size)
        self._gates = self._lanes[Lane.MEMBERS]

    def lane(self, lane: Lane) -> Self:
        """Return this database, with the same connections, behind another lane's gates."""
        view = copy.copy(self)
        view._gates = self._lanes[lane]
        return view

    def gates(self) -> Mapping[Lane, Gates]:
        """Return every lane's gates, to be looked at."""
        return self._lanes

    def count_idle_connections(self) -> int:
        """Return how many connections are kept for the next statement."""
        return self._connections.count_idle()

    @asynccontextmanager
    async def transaction(self, *, commits: bool = True) -> AsyncIterator[Transaction]:
        """Open a transaction; commit it at the end, then publish its events.

        One that does not commit tells what would be, and takes it back.

        Raises:
            DatabaseUnavailableError: the database or a free connection was not to be had, or the
                commit was not answered: it may have happened.
        """
        _refuse_second_connection()
        async with Turn(self._gates.transactions), Turn(self._gates.places):
            with translated_errors():
                connection = await self._connections.take()
            transaction = Transaction(connection, self._connections.begin)
            _begun.set(transaction)
            try:
                await transaction.begin()
                yield transaction
                await (transaction.commit() if commits else transaction.roll_back())
            except BaseException:
                await transaction.roll_back()
                raise
            finally:
                transaction.end()
                self._connections.give_back(connection, transaction.failure)
        if commits:
            await self._bus.publish(transaction.events)

    async def publish(self, events: Sequence[DomainEvent]) -> None:
        """Deliver events whose statement committed by itself."""
        await self._bus.publish(events)

    async def connect_alone(self) -> asyncpg.Connection:
        """Return a session of the caller's own, who closes it: for listening, and for locks."""
        return await self._connections.open_alone()

    async def retry(self, text: str, *arguments: Any) -> None:
        """Run a statement over a connection that is opened for it, in front of all lanes.

        Raises the driver's own errors.
        """
        connection = await self._connections.reopen()
        try:
            await self._connections.ask(connection, Method.NOTHING, text, arguments)
            await connection.close(timeout=CLOSE_SECONDS)
        except BaseException:
            connection.terminate()
            raise

    async def close(self) -> None:
        """Close the connections that are idle."""
        await self._connections.close()

    @override
    async def _run(self, method: str, text: str, arguments: Sequence[Any]) -> object:
        _refuse_second_connection()
        async with Turn(self._gates.places):
            with translated_errors():
                connection = await self._connections.take()
                try:
                    answer = await self._connections.ask(connection, method, text, arguments)
                except BaseException as error:
                    self._connections.give_back(connection, error)
                    raise
                self._connections.give_back(connection)
                return answer


def _refuse_second_connection() -> None:
    """Keep a task from asking beside its own open transaction.

    It would not see what the transaction has written, and wait for a second connection with the
    first in its hand, which a full pool answers by standing still.
    """
    if (begun := _begun.get()) is not None and begun.is_open_in(asyncio.current_task()):
        raise RuntimeError("a statement beside the open transaction")
