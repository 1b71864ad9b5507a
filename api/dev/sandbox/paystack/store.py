"""Stores transactions and webhook deliveries, in memory or in one SQLite file."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from pydantic import TypeAdapter

from api.dev.sandbox.paystack.state import GatewayTransaction

MAX_LISTED = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """One webhook, and the state of its delivery.

    Attributes:
        body: The exact bytes that are signed and sent, as text.
        last_answer: The receiver's last HTTP status, or the kind of failure that prevented one.
    """

    id: str
    event: str
    reference: str
    body: str
    attempts: int = 0
    delivered: bool = False
    last_answer: str | None = None


class TransactionStore(Protocol):
    """The storage interface of the sandbox; every change is atomic."""

    def insert(self, transaction: GatewayTransaction) -> bool:
        """Insert a transaction; return False, and store nothing, if its reference is used."""

    def read(self, transaction_id: int) -> GatewayTransaction | None:
        """Return the transaction with this id."""

    def read_by_reference(self, reference: str) -> GatewayTransaction | None:
        """Return the transaction with the merchant's ``reference``."""

    def read_by_access_code(self, access_code: str) -> GatewayTransaction | None:
        """Return the transaction that ``access_code`` opens."""

    def change(
        self, transaction_id: int, move: Callable[[GatewayTransaction], GatewayTransaction]
    ) -> tuple[GatewayTransaction, GatewayTransaction]:
        """Apply ``move`` atomically; return the transaction before and after.

        Raises:
            LookupError: No transaction has this id.
        """

    def list_recent(self) -> list[GatewayTransaction]:
        """Return the newest transactions, newest first, at most 100."""

    def save_delivery(self, delivery: Delivery) -> None:
        """Insert or update a delivery."""

    def list_deliveries(self) -> list[Delivery]:
        """Return the newest deliveries, newest first, at most 100."""

    def list_undelivered(self) -> list[Delivery]:
        """Return every delivery that was not accepted yet, oldest first."""

    def close(self) -> None:
        """Close the storage."""


class MemoryStore:
    """Stores everything in this process; a restart loses it."""

    def __init__(self) -> None:
        """Start empty."""
        self._transactions: dict[int, GatewayTransaction] = {}
        self._deliveries: dict[str, Delivery] = {}

    def insert(self, transaction: GatewayTransaction) -> bool:
        """Insert a transaction; return False, and store nothing, if its reference is used."""
        if self.read_by_reference(transaction.reference) is not None:
            return False
        self._transactions[transaction.id] = transaction
        return True

    def read(self, transaction_id: int) -> GatewayTransaction | None:
        """Return the transaction with this id."""
        return self._transactions.get(transaction_id)

    def read_by_reference(self, reference: str) -> GatewayTransaction | None:
        """Return the transaction with the merchant's ``reference``."""
        kept = self._transactions.values()
        return next((each for each in kept if each.reference == reference), None)

    def read_by_access_code(self, access_code: str) -> GatewayTransaction | None:
        """Return the transaction that ``access_code`` opens."""
        kept = self._transactions.values()
        return next((each for each in kept if each.access_code == access_code), None)

    def change(
        self, transaction_id: int, move: Callable[[GatewayTransaction], GatewayTransaction]
    ) -> tuple[GatewayTransaction, GatewayTransaction]:
        """Apply ``move`` atomically; return the transaction before and after."""
        before = self._transactions[transaction_id]
        after = move(before)
        self._transactions[transaction_id] = after
        return before, after

    def list_recent(self) -> list[GatewayTransaction]:
        """Return the newest transactions, newest first, at most 100."""
        return list(reversed(self._transactions.values()))[:MAX_LISTED]

    def save_delivery(self, delivery: Delivery) -> None:
        """Insert or update a delivery."""
        self._deliveries[delivery.id] = delivery

    def list_deliveries(self) -> list[Delivery]:
        """Return the newest deliveries, newest first, at most 100."""
        return list(reversed(self._deliveries.values()))[:MAX_LISTED]

    def list_undelivered(self) -> list[Delivery]:
        """Return every delivery that was not accepted yet, oldest first."""
        return [each for each in self._deliveries.values() if not each.delivered]

    def close(self) -> None:
        """Do nothing: memory needs no closing."""


_TRANSACTION = TypeAdapter(GatewayTransaction)
_DELIVERY = TypeAdapter(Delivery)

_SCHEMA = """
CREATE TABLE IF NOT EXISTS transactions (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    id INTEGER NOT NULL UNIQUE,
    reference TEXT NOT NULL UNIQUE,
    access_code TEXT NOT NULL UNIQUE,
    body TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS deliveries (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    delivered INTEGER NOT NULL,
    body TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS deliveries_undelivered ON deliveries (sequence) WHERE NOT delivered;
"""


class SqliteStore:
    """Stores everything in one SQLite file that several processes may share.

    Uses write-ahead logging, so an answered call survives a killed process. Connects on first use,
    and reconnects after ``close``.
    """

    def __init__(self, path: Path) -> None:
        """Use the file at ``path``; it and its folder are created if missing."""
        self._path = path
        self._opened: sqlite3.Connection | None = None

    @property
    def _connection(self) -> sqlite3.Connection:
        if self._opened is None:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._opened = sqlite3.connect(self._path, isolation_level=None, timeout=5)
            self._opened.execute("PRAGMA journal_mode=WAL")
            self._opened.execute("PRAGMA synchronous=NORMAL")
            self._opened.executescript(_SCHEMA)
        return self._opened

    def insert(self, transaction: GatewayTransaction) -> bool:
        """Insert a transaction; return False, and store nothing, if its reference is used."""
        cursor = self._connection.execute(
            "INSERT INTO transactions (id, reference, access_code, body) VALUES (?, ?, ?, ?)"
            " ON CONFLICT (reference) DO NOTHING",
            (
                transaction.id,
                transaction.reference,
                transaction.access_code,
                _TRANSACTION.dump_json(transaction).decode(),
            ),
        )
        return cursor.rowcount == 1

    def read(self, transaction_id: int) -> GatewayTransaction | None:
        """Return the transaction with this id."""
        return self._find("SELECT body FROM transactions WHERE id = ?", transaction_id)

    def read_by_reference(self, reference: str) -> GatewayTransaction | None:
        """Return the transaction with the merchant's ``reference``."""
        return self._find("SELECT body FROM transactions WHERE reference = ?", reference)

    def read_by_access_code(self, access_code: str) -> GatewayTransaction | None:
        """Return the transaction that ``access_code`` opens."""
        return self._find("SELECT body FROM transactions WHERE access_code = ?", access_code)

    def change(
        self, transaction_id: int, move: Callable[[GatewayTransaction], GatewayTransaction]
    ) -> tuple[GatewayTransaction, GatewayTransaction]:
        """Apply ``move`` atomically; return the transaction before and after."""
        with self._exclusively():
            before = self.read(transaction_id)
            if before is None:
                raise LookupError(transaction_id)
            after = move(before)
            self._connection.execute(
                "UPDATE transactions SET body = ? WHERE id = ?",
                (_TRANSACTION.dump_json(after).decode(), transaction_id),
            )
        return before, after

    def list_recent(self) -> list[GatewayTransaction]:
        """Return the newest transactions, newest first, at most 100."""
        rows = self._connection.execute(
            "SELECT body FROM transactions ORDER BY sequence DESC LIMIT ?", (MAX_LISTED,)
        )
        return [_TRANSACTION.validate_json(body) for (body,) in rows]

    def save_delivery(self, delivery: Delivery) -> None:
        """Insert or update a delivery."""
        self._connection.execute(
            "INSERT INTO deliveries (id, delivered, body) VALUES (?, ?, ?)"
            " ON CONFLICT (id) DO UPDATE SET delivered = excluded.delivered, body = excluded.body",
            (delivery.id, delivery.delivered, _DELIVERY.dump_json(delivery).decode()),
        )

    def list_deliveries(self) -> list[Delivery]:
        """Return the newest deliveries, newest first, at most 100."""
        rows = self._connection.execute(
            "SELECT body FROM deliveries ORDER BY sequence DESC LIMIT ?", (MAX_LISTED,)
        )
        return [_DELIVERY.validate_json(body) for (body,) in rows]

    def list_undelivered(self) -> list[Delivery]:
        """Return every delivery that was not accepted yet, oldest first."""
        rows = self._connection.execute(
            "SELECT body FROM deliveries WHERE NOT delivered ORDER BY sequence"
        )
        return [_DELIVERY.validate_json(body) for (body,) in rows]

    def close(self) -> None:
        """Close the file, if it was opened."""
        if self._opened is not None:
            self._opened.close()
            self._opened = None

    def _find(self, statement: str, value: int | str) -> GatewayTransaction | None:
        row = self._connection.execute(statement, (value,)).fetchone()
        return None if row is None else _TRANSACTION.validate_json(row[0])

    @contextmanager
    def _exclusively(self) -> Iterator[None]:
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._connection.execute("ROLLBACK")
            raise
        self._connection.execute("COMMIT")
