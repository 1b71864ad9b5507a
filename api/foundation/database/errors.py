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


class _TranslatedErrors:
    """A shared context manager without state: one made from a generator costs 2 µs a statement."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        if error is None:
            return
        if isinstance(error, UNAVAILABLE):
            report_unavailable("database", error)
            raise DatabaseUnavailableError from error
        if isinstance(error, asyncpg.PostgresError):
            code = str(error.sqlstate or "")
            if code.startswith(REFUSAL_CLASS):
                detail = read_json(error.detail) if error.detail else None
                raise DatabaseRefusal(code, detail) from error


_TRANSLATED_ERRORS = _TranslatedErrors()


def translated_errors() -> _TranslatedErrors:
    """Translate the driver's errors; the block must contain only driver calls.

    Raises:
        DatabaseUnavailableError: connection, timeout and capacity errors.
        DatabaseRefusal: an error raised by one of our SQL functions.
    """
    return _TRANSLATED_ERRORS


class StaleVersionError(DomainError):
    status = 409
    code = "stale"
    message = "This has changed in the meantime. Please check it again."
