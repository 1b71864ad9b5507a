from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import asyncpg

from api.foundation.core.errors import DatabaseUnavailableError, DomainError
from api.foundation.core.logs import report_unavailable
from api.foundation.core.strict_json import read_json

REFUSAL_CLASS = "KF"
UniqueViolation = asyncpg.UniqueViolationError  # the row already exists
UNAVAILABLE: tuple[type[BaseException], ...] = (
    OSError,
    TimeoutError,
    asyncpg.PostgresConnectionError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,  # the server died during a call
    asyncpg.InsufficientResourcesError,
    asyncpg.OperatorInterventionError,
    asyncpg.LockNotAvailableError,
    asyncpg.DeadlockDetectedError,
    asyncpg.SerializationError,
    asyncpg.ReadOnlySQLTransactionError,
)


class DatabaseRefusal(Exception):  # noqa: N818 a result, not a fault
    """A rule in one of the database's functions rejected the call; the transaction is aborted.

    ``code`` is the SQLSTATE the function raised (``KF402`` and similar); ``detail`` is its JSON
    detail, or None.
    """

    def __init__(self, code: str, detail: Any) -> None:
        self.code = code
        self.detail = detail
        super().__init__(code)


class NotOneSessionError(DatabaseUnavailableError):
    """A connection whose session changes from one transaction to the next.

    ``reason`` says what to change.
    """

    def __init__(self, reason: str) -> None:
        super().__init__()
        self.reason = reason


@contextmanager
def translated_errors() -> Iterator[None]:
    """Translate the driver's errors; the block must contain only driver calls.

    Raises:
        DatabaseUnavailableError: connection, timeout and capacity errors.
        DatabaseRefusal: an error raised by one of our SQL functions.
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


class StaleVersionError(DomainError):
    status = 409
    code = "stale"
    message = "This has changed in the meantime. Please check it again."
