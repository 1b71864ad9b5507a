"""What the driver raises, in our own terms."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import asyncpg

from api.core.errors import DatabaseUnavailableError
from api.core.logs import report_unavailable
from api.core.strict_json import read_json

REFUSAL_CLASS = "KF"
UniqueViolation = asyncpg.UniqueViolationError  # what was written is there already
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


class DatabaseRefusal(Exception):  # noqa: N818 a refusal is an answer, not a fault
    """A rule kept by the database's own functions said no, and the transaction is gone.

    ``code`` is the SQLSTATE the function raised (``KF402`` and its like);
    ``detail`` is the JSON it sent along, or None.
    """

    def __init__(self, code: str, detail: Any) -> None:
        self.code = code
        self.detail = detail
        super().__init__(code)


class NotOneSessionError(DatabaseUnavailableError):
    """A connection whose session is not the same from one transaction to the next.

    ``reason`` says what to change.
    """

    def __init__(self, reason: str) -> None:
        super().__init__()
        self.reason = reason


@contextmanager
def translated_errors() -> Iterator[None]:
    """Turn the driver's errors into our own; only calls of the driver belong inside.

    Raises:
        DatabaseUnavailableError: connection, time-out and capacity errors.
        DatabaseRefusal: an error that one of our SQL functions raised.
    """
    try:
        yield
    except UNAVAILABLE as error:
        report_unavailable("database", error)
        raise DatabaseUnavailableError from error
    except asyncpg.PostgresError as error:
        code = str(error.sqlstate or "")
        if code.startswith(REFUSAL_CLASS):
            raise DatabaseRefusal(
                code, read_json(error.detail) if error.detail else None
            ) from error
        raise
