"""The database: one pool, one set of query methods, transactions that commit once.

A statement is SQL text with ``$1`` placeholders or a SQLAlchemy Core expression. Run directly on
the database, it is its own transaction. ``transaction()`` groups several: it commits before the
response is sent, then publishes the recorded events. Both wait in a lane
(``api.foundation.database.lanes``).
"""

import asyncio
import copy
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from contextvars import ContextVar
from enum import StrEnum
from typing import Any, Self, cast, overload

import asyncpg
from typing_extensions import override

from api.foundation.core.events import Bus, DomainEvent
from api.foundation.database.connections import CLOSE_SECONDS, ConnectionPool, is_answer
from api.foundation.database.errors import translated_errors
from api.foundation.database.lanes import Priority, PrioritySlots, Slot, open_slots
from api.foundation.database.statements import (
    CoreStatement,
    Query,
    Row,
    RowT,
    Statement,
    compile_for_many,
    compile_statement,
)

# The transaction most recently opened in this context.
_latest: "ContextVar[Transaction | None]" = ContextVar("begun", default=None)


class Method(StrEnum):
    """Which part of the result to return; values are asyncpg's method names."""

    ROW = "fetchrow"
    ROWS = "fetch"
    VALUE = "fetchval"
    NOTHING = "execute"


class Runner(ABC):
    """Query methods shared by the database and its transactions.

    All raise ``DatabaseUnavailableError`` if there is no database or no free connection, and
    ``DatabaseRefusal`` if one of our SQL functions rejects the call.
    """

    @overload
    async def fetch_row(self, query: Query[RowT], *arguments: Any) -> RowT | None: ...

    @overload
    async def fetch_row(self, query: Statement, *arguments: Any) -> Row | None: ...

    async def fetch_row(self, query: Query[RowT] | Statement, *arguments: Any) -> RowT | Row | None:
        """Return the first row, or None; without a type of row, the driver's record."""
        statement = query.statement if isinstance(query, Query) else query
        record = cast("Row | None", await self._fetch(Method.ROW, statement, arguments))
        return query.read(record) if record is not None and isinstance(query, Query) else record

    @overload
    async def fetch_rows(self, query: Query[RowT], *arguments: Any) -> Sequence[RowT]: ...

    @overload
    async def fetch_rows(self, query: Statement, *arguments: Any) -> Sequence[Row]: ...

    async def fetch_rows(
        self, query: Query[RowT] | Statement, *arguments: Any
    ) -> Sequence[RowT] | Sequence[Row]:
        """Return all rows; without a type of row, the driver's records."""
        statement = query.statement if isinstance(query, Query) else query
        records = cast("Sequence[Row]", await self._fetch(Method.ROWS, statement, arguments))
        return [query.read(row) for row in records] if isinstance(query, Query) else records

    async def fetch_value(self, statement: Statement, *arguments: Any) -> Any:
        """Return the first column of the first row, decoded by the driver; None without a row."""
        return await self._fetch(Method.VALUE, statement, arguments)

    async def fetch_column(self, statement: Statement, *arguments: Any) -> list[Any]:
        """Return the first column of every row, decoded by the driver."""
        records = cast(
            "Sequence[asyncpg.Record]", await self._fetch(Method.ROWS, statement, arguments)
        )
        return [record[0] for record in records]

    async def execute(self, statement: Statement, *arguments: Any) -> None:
        """Run a statement and discard its result."""
        await self._fetch(Method.NOTHING, statement, arguments)

    async def _fetch(
        self, method: Method, statement: Statement, arguments: Sequence[Any]
    ) -> object:
        if not isinstance(statement, str):
            statement, arguments = compile_statement(statement)
        return await self._run(method, statement, arguments)

    @abstractmethod
    async def _run(self, method: str, text: str, arguments: Sequence[Any]) -> object:
        """Run one statement with the driver's ``method`` and return its result."""


class Transaction(Runner):
    """Statements that take effect together, and the events to publish afterwards.

    After its end every method raises ``RuntimeError``, because its connection is in use elsewhere.
    """

    def __init__(self, connection: asyncpg.Connection, begin: str) -> None:
        self._connection = connection
        self._begin = begin
        self._task = asyncio.current_task()
        self._has_ended = False
        self.events: list[DomainEvent] = []
        self.failure: BaseException | None = None  # determines whether to keep the connection

    def record(self, event: DomainEvent) -> None:
        """Publish ``event`` after commit; a rollback discards it."""
        self._require_open()
        self.events.append(event)

    def is_open_in(self, task: "asyncio.Task[Any] | None") -> bool:
        """Return whether this task opened the transaction and has not ended it."""
        return not self._has_ended and task is self._task

    def end(self) -> None:
        """Reject further statements."""
        self._has_ended = True

    def _require_open(self) -> None:
        if self._has_ended:
            raise RuntimeError("the transaction has ended")

    async def execute_many(
        self, statement: CoreStatement, rows: Sequence[Mapping[str, Any]]
    ) -> None:
        """Run a statement for each of ``rows``, which share the same columns and may be empty."""
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
        """Start the transaction on the server."""
        await self._run(Method.NOTHING, self._begin, ())

    async def commit(self) -> None:
        """Commit.

        Raises:
            RuntimeError: an earlier statement failed; the server would roll back but report
                success.
        """
        if self.failure is not None:
            raise RuntimeError("a transaction of which a statement failed") from self.failure
        await self._run(Method.NOTHING, "COMMIT", ())

    async def roll_back(self) -> None:
        """Roll back, unless the connection is unusable."""
        if self.failure is None or is_answer(self.failure):
            try:
                await self._connection.execute("ROLLBACK", timeout=CLOSE_SECONDS)
            except Exception as error:  # closing the connection ends the transaction
                self.failure = error


class Database(Runner):
    """The connections of one process, opened on first use.

    There are at most ``pool_size``, two of which are reserved for ``connect_alone`` and ``retry``.
    ``on_lost`` is called for each connection that we did not close. ``direct_url`` bypasses any
    pooler.
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
        self._lanes = open_slots(pool_size)
        self._slots = self._lanes[Priority.MEMBERS]

    def lane(self, lane: Priority) -> Self:
        """Return this database, with the same connections, behind another lane."""
        view = copy.copy(self)
        view._slots = self._lanes[lane]
        return view

    def slots(self) -> Mapping[Priority, PrioritySlots]:
        """Return the slots of all lanes, for metrics."""
        return self._lanes

    def count_idle_connections(self) -> int:
        """Return the number of idle connections."""
        return self._connections.count_idle()

    @asynccontextmanager
    async def transaction(self, *, commits: bool = True) -> AsyncIterator[Transaction]:
        """Open a transaction; commit at the end, then publish its events.

        With ``commits=False`` it is a dry run and rolls back.

        Raises:
            DatabaseUnavailableError: no database or no free connection; or there was no response
                to the commit, which may have succeeded.
        """
        _refuse_second_connection()
        async with Slot(self._slots.transactions), Slot(self._slots.total):
            with translated_errors():
                connection = await self._connections.acquire()
            transaction = Transaction(connection, self._connections.begin)
            _latest.set(transaction)
            try:
                await transaction.begin()
                yield transaction
                await (transaction.commit() if commits else transaction.roll_back())
            except BaseException:
                await transaction.roll_back()
                raise
            finally:
                transaction.end()
                self._connections.release(connection, transaction.failure)
        if commits:
            await self._bus.publish(transaction.events)

    async def publish(self, events: Sequence[DomainEvent]) -> None:
        """Publish the events of a statement that committed on its own."""
        await self._bus.publish(events)

    async def connect_alone(self) -> asyncpg.Connection:
        """Open a dedicated session for LISTEN or locks; the caller closes it."""
        return await self._connections.open_alone()

    async def retry(self, text: str, *arguments: Any) -> None:
        """Run a statement on a fresh connection, bypassing all lanes.

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
        """Close the idle connections."""
        await self._connections.close()

    @override
    async def _run(self, method: str, text: str, arguments: Sequence[Any]) -> object:
        _refuse_second_connection()
        async with Slot(self._slots.total):
            with translated_errors():
                connection = await self._connections.acquire()
                try:
                    answer = await self._connections.ask(connection, method, text, arguments)
                except BaseException as error:
                    self._connections.release(connection, error)
                    raise
                self._connections.release(connection)
                return answer


def _refuse_second_connection() -> None:
    """Raise if a task queries the database outside its own open transaction.

    It would not see the transaction's writes, and would wait for a second connection while holding
    the first, which deadlocks a full pool.
    """
    if (latest := _latest.get()) is not None and latest.is_open_in(asyncio.current_task()):
        raise RuntimeError("a statement beside the open transaction")
