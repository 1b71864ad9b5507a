"""Payments of a sandbox, stored in memory or in one SQLite file."""

import secrets
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter


class ChargeStatus(StrEnum):
    """The status of a payment; before the first attempt there is no transaction."""

    UNTRIED = "untried"
    PENDING = "pending"
    SUCCESSFUL = "successful"
    FAILED = "failed"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True, kw_only=True)
class HostedPayment:
    """One payment that a merchant requested, in major units."""

    tx_ref: str
    amount: Decimal
    currency: str
    redirect_url: str
    email: str
    meta: dict[str, Any]
    id: int = field(default_factory=lambda: 1_000_000_000 + secrets.randbelow(8_000_000_000))
    code: str = field(default_factory=lambda: secrets.token_hex(10))
    status: ChargeStatus = ChargeStatus.UNTRIED

    @property
    def is_tried(self) -> bool:
        """Whether the provider has a transaction for it."""
        return self.status not in {ChargeStatus.UNTRIED, ChargeStatus.CANCELLED}


_PAYMENT = TypeAdapter(HostedPayment)
_SCHEMA = """
CREATE TABLE IF NOT EXISTS payments (
    tx_ref TEXT PRIMARY KEY, code TEXT NOT NULL UNIQUE, id INTEGER NOT NULL UNIQUE,
    body TEXT NOT NULL
)
"""


class PaymentStore:
    """Stores payments; several processes may share the file.

    Connects on first use, and reconnects after ``close``.
    """

    def __init__(self, file: Path | None) -> None:
        self._file = file
        self._opened: sqlite3.Connection | None = None

    @property
    def _connection(self) -> sqlite3.Connection:
        if self._opened is None:
            if self._file is not None:
                self._file.parent.mkdir(parents=True, exist_ok=True)
            where = ":memory:" if self._file is None else self._file
            self._opened = sqlite3.connect(where, isolation_level=None, timeout=5)
            self._opened.execute("PRAGMA journal_mode=WAL")
            self._opened.execute(_SCHEMA)
        return self._opened

    def insert(self, payment: HostedPayment) -> HostedPayment:
        """Insert a payment; return it, or the existing one with its ``tx_ref``."""
        self._connection.execute(
            "INSERT INTO payments (tx_ref, code, id, body) VALUES (?, ?, ?, ?)"
            " ON CONFLICT (tx_ref) DO NOTHING",
            (payment.tx_ref, payment.code, payment.id, _PAYMENT.dump_json(payment).decode()),
        )
        kept = self.find("tx_ref", payment.tx_ref)
        assert kept is not None  # noqa: S101 it was just written
        return kept

    def find(self, column: str, value: str | int) -> HostedPayment | None:
        """Return the payment with this ``tx_ref``, ``code`` or ``id``."""
        statements = {
            name: f"SELECT body FROM payments WHERE {name} = ?"  # noqa: S608 our own three words
            for name in ("tx_ref", "code", "id")
        }
        row = self._connection.execute(statements[column], (value,)).fetchone()
        return None if row is None else _PAYMENT.validate_json(row[0])

    def change(
        self, tx_ref: str, move: Callable[[HostedPayment], HostedPayment]
    ) -> tuple[HostedPayment, HostedPayment]:
        """Apply ``move`` atomically; return the payment before and after.

        Raises:
            LookupError: there is no such payment.
        """
        with self._exclusively():
            before = self.find("tx_ref", tx_ref)
            if before is None:
                raise LookupError(tx_ref)
            after = move(before)
            self._connection.execute(
                "UPDATE payments SET body = ? WHERE tx_ref = ?",
                (_PAYMENT.dump_json(after).decode(), tx_ref),
            )
        return before, after

    def close(self) -> None:
        """Close the file, if it was opened."""
        if self._opened is not None:
            self._opened.close()
            self._opened = None

    @contextmanager
    def _exclusively(self) -> Iterator[None]:
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._connection.execute("ROLLBACK")
            raise
        self._connection.execute("COMMIT")
