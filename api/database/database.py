"""The database: units of work for writes, a direct path for the hot one-statement calls.

A unit of work is one transaction that commits once, before the answer leaves, and publishes the
events it recorded afterwards. A direct call is one statement sent straight to the driver: it is
its own transaction, and costs a third of what the same statement costs through the toolkit.
Both wait in a lane (``api.database.lanes``), because neither pool is fair under load.
"""

import asyncio
import copy
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, Self, TypeAlias, cast

import asyncpg
from sqlalchemy import event, exc
from sqlalchemy.engine import make_url
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from api.core.errors import DatabaseUnavailableError
from api.core.events import Bus, DomainEvent
from api.core.logs import report_unavailable
from api.core.strict_json import read_json
from api.database.lanes import BACKGROUND_UNITS, LONGEST_WAIT_SECONDS, Lane, Turn, open_lanes

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
REFUSAL_CLASS = "KF"
Row: TypeAlias = Mapping[str, Any]
UNAVAILABLE: tuple[type[BaseException], ...] = (
    OSError,
    TimeoutError,
    asyncpg.PostgresConnectionError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,  # a connection caught in the middle of its server's death
    asyncpg.InsufficientResourcesError,
    asyncpg.OperatorInterventionError,
    asyncpg.LockNotAvailableError,
    asyncpg.DeadlockDetectedError,
    asyncpg.SerializationError,
    asyncpg.ReadOnlySQLTransactionError,
)


@dataclass
class UnitOfWork:
    """One transaction: the connection its statements run on, and what it has to announce."""

    connection: AsyncConnection
    events: list[DomainEvent] = field(default_factory=list)

    def record(self, event: DomainEvent) -> None:
        """Announce ``event`` once this transaction is committed; a rollback drops it."""
        self.events.append(event)


class DatabaseRefusal(Exception):  # noqa: N818 a refusal is an answer, not a fault
    """A rule kept by the database's own functions said no, and the transaction is gone.

    ``code`` is the SQLSTATE the function raised (``KF402`` and its like);
    ``detail`` is the JSON it sent along, or None.
    """

    def __init__(self, code: str, detail: Any) -> None:
        self.code = code
        self.detail = detail
        super().__init__(code)


@contextmanager
def translated_errors() -> Iterator[None]:
    """Turn the driver's errors into our own.

    Raises:
        DatabaseUnavailableError: connection, time-out and capacity errors.
        DatabaseRefusal: an error that one of our SQL functions raised.
    """
    try:
        yield
    except UNAVAILABLE as error:
        raise _unavailable(error) from error
    except asyncpg.PostgresError as error:
        _raise_refusal(error)
        raise
    except exc.DBAPIError as error:
        cause = getattr(error.orig, "__cause__", None)
        if error.connection_invalidated or isinstance(cause, UNAVAILABLE):
            raise _unavailable(cause or error) from error
        if isinstance(cause, asyncpg.PostgresError):
            _raise_refusal(cause)
        raise
    except exc.TimeoutError as error:
        raise _unavailable(error) from error


def _unavailable(error: BaseException) -> DatabaseUnavailableError:
    """Return the refusal for an error of the driver, and log what it was."""
    report_unavailable("database", error)
    return DatabaseUnavailableError()


def _raise_refusal(error: asyncpg.PostgresError) -> None:
    code = str(error.sqlstate or "")
    if code.startswith(REFUSAL_CLASS):
        detail = error.detail
        raise DatabaseRefusal(code, read_json(detail) if detail else None) from error


async def _set_up_connection(connection: asyncpg.Connection) -> None:
    for name in ("json", "jsonb"):
        await connection.set_type_codec(
            name, schema="pg_catalog", encoder=_as_is, decoder=read_json, format="text"
        )


def _as_is(text: str) -> str:
    return text


class Database:
    """The pools of one process. Nothing connects before the first statement needs it.

    ``on_lost`` is called for each connection that ended without our doing.
    """

    def __init__(
        self,
        url: str,
        *,
        runtime_role: str,
        pool_size: int,
        bus: Bus | None = None,
        on_lost: Callable[[], None] = lambda: None,
    ) -> None:
        self._url = make_url(url).set(drivername="postgresql+asyncpg")
        self._bus = bus or Bus()
        self._on_lost = on_lost
        self._server_settings = dict(SESSION_SETTINGS)
        if runtime_role:
            self._server_settings["role"] = runtime_role
        self._lanes = open_lanes(pool_size)
        self._gates = self._lanes[Lane.MEMBERS]
        self._idle: list[asyncpg.Connection] = []
        self.engine: AsyncEngine = create_async_engine(
            self._url,
            pool_size=pool_size + BACKGROUND_UNITS,
            max_overflow=0,
            hide_parameters=True,  # they are members' data, and errors are logged
            pool_timeout=LONGEST_WAIT_SECONDS,
            connect_args={
                "timeout": CONNECT_SECONDS,
                "command_timeout": STATEMENT_SECONDS,
                "server_settings": self._server_settings,
            },
        )
        _watch_pool(self.engine, on_lost)

    def lane(self, lane: Lane) -> Self:
        """Return this database, with the same connections, behind another lane's gates."""
        view = copy.copy(self)
        view._gates = self._lanes[lane]
        return view

    @asynccontextmanager
    async def unit_of_work(self) -> AsyncIterator[UnitOfWork]:
        """Open a transaction; commit it at the end, then publish its events.

        Raises:
            DatabaseUnavailableError: the database or a free connection was not to be had.
        """
        with translated_errors():
            async with Turn(self._gates.units), self.engine.begin() as connection:
                unit = UnitOfWork(connection)
                yield unit
        await self._bus.publish(unit.events)

    async def fetch_row(self, query: str, *arguments: Any) -> Row | None:
        """Run one statement in its own transaction and return its first row, or None."""
        return cast("Row | None", await self._run_directly("fetchrow", query, arguments))

    async def fetch_rows(self, query: str, *arguments: Any) -> Sequence[Row]:
        """Run one statement in its own transaction and return its rows."""
        return cast("Sequence[Row]", await self._run_directly("fetch", query, arguments))

    async def connect_alone(self) -> asyncpg.Connection:
        """Return a driver connection outside the pools, for listening; the caller closes it."""
        with translated_errors():
            return await asyncpg.connect(**self._direct_arguments())

    async def publish(self, events: Sequence[DomainEvent]) -> None:
        """Deliver events whose statement committed by itself."""
        await self._bus.publish(events)

    async def close(self) -> None:
        """Close both pools."""
        while self._idle:
            with suppress(Exception):  # it may be gone already
                await self._idle.pop().close(timeout=CLOSE_SECONDS)
        await self.engine.dispose()

    async def _run_directly(self, method: str, query: str, arguments: tuple[Any, ...]) -> Any:
        """Run one statement on an idle connection, or on a new one when there is none.

        The driver's own pool starts a task and turns the event loop five times per statement,
        which costs three times the statement. Here a connection goes back unless it might still
        be busy: after anything but an answer of the server it is thrown away.
        """
        with translated_errors():
            async with Turn(self._gates.direct):
                connection = await self._take_connection()
                try:
                    answer = await getattr(connection, method)(query, *arguments)
                except asyncpg.ReadOnlySQLTransactionError:
                    # Its session was opened read-only and stays so when the server is not.
                    connection.terminate()
                    raise
                except asyncpg.PostgresError:
                    self._give_back(connection)
                    raise
                except BaseException:
                    if connection.is_closed():
                        self._on_lost()
                    connection.terminate()
                    raise
                self._give_back(connection)
                return answer

    async def _take_connection(self) -> asyncpg.Connection:
        while self._idle:
            connection = self._idle.pop()
            if not connection.is_closed():
                return connection
            self._on_lost()
        connection = await asyncpg.connect(**self._direct_arguments())
        try:
            await _set_up_connection(connection)
        except BaseException:
            connection.terminate()
            raise
        return connection

    def _give_back(self, connection: asyncpg.Connection) -> None:
        if connection.is_closed():
            self._on_lost()
        else:
            self._idle.append(connection)

    def _direct_arguments(self) -> dict[str, Any]:
        query = self._url.query
        host = self._url.host or query.get("host")
        port = self._url.port or int(str(query.get("port", "5432")))
        return {
            "host": host,
            "port": port,
            "user": self._url.username,
            "password": self._url.password,
            "database": self._url.database,
            "timeout": CONNECT_SECONDS,
            "command_timeout": STATEMENT_SECONDS,
            "server_settings": self._server_settings,
        }


def _watch_pool(engine: AsyncEngine, on_lost: Callable[[], None]) -> None:
    """Let the toolkit's pool notice what the driver knows, before a statement pays for it."""

    @event.listens_for(engine.sync_engine, "checkout")
    def refuse_closed(connection: Any, *_: object) -> None:
        if connection.driver_connection.is_closed():
            raise exc.InvalidatePoolError

    @event.listens_for(engine.sync_engine, "handle_error")
    def give_up_read_only(context: Any) -> None:
        cause = getattr(context.original_exception, "__cause__", None)
        if isinstance(cause, asyncpg.ReadOnlySQLTransactionError):
            context.is_disconnect = True

    @event.listens_for(engine.sync_engine, "invalidate")
    def count_lost(_connection: Any, _record: Any, error: BaseException | None) -> None:
        if error is not None and not isinstance(error, asyncio.CancelledError):
            on_lost()
