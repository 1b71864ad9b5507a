"""Idempotency keys: a retried write returns the first response and does nothing.

The key is claimed and the response stored in the transaction that does the work. Only successes are
stored: a rejected attempt rolls back and leaves the key unused. Concurrent calls with the same key
wait on its row. ``once`` does it all; only a write that asks a third party between two transactions
calls ``claim`` and ``store`` itself. The SQL function ``claim_idempotency_key`` is the only
implementation; the checkout function calls it, too.
"""

import hashlib
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Self
from uuid import UUID

from sqlalchemy import Index, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from api.foundation.core.errors import DomainError
from api.foundation.database.database import Database, Transaction
from api.foundation.database.statements import Query
from api.foundation.database.tables import Base

STORE = "UPDATE idempotency_key SET answer = $3 WHERE user_id = $1 AND key = $2"


@dataclass(frozen=True)
class StoredAnswer:
    """A key's write and its response."""

    route: str
    fingerprint: str
    answer: dict[str, Any] | None


@dataclass(frozen=True)
class ClaimedKey:
    """Whether a key was claimed now, and is of the same request; else the response of its write."""

    claimed: bool
    matches: bool
    answer: dict[str, Any] | None


FIND_ANSWER = Query(
    """
SELECT route, fingerprint, answer FROM idempotency_key WHERE user_id = $1 AND key = $2
""",
    StoredAnswer,
)
CLAIM = Query(
    "SELECT claimed, matches, answer FROM claim_idempotency_key($1, $2, $3, $4)", ClaimedKey
)


class IdempotencyKey(Base):
    """A member's key, with the response of its write."""

    __tablename__ = "idempotency_key"
    __table_args__ = (Index("ix_idempotency_key_created_at", "created_at"),)

    user_id: Mapped[UUID] = mapped_column(primary_key=True)
    key: Mapped[str] = mapped_column(primary_key=True)
    route: Mapped[str]
    fingerprint: Mapped[str]
    answer: Mapped[dict[str, Any] | None] = mapped_column(JSONB)
    created_at: Mapped[datetime] = mapped_column(server_default=text("now()"))


class KeyReusedError(DomainError):
    """The key was used for a different request."""

    status = 422
    code = "idempotency_key_reused"
    message = "This request was changed after it was first sent. Please try again."


@dataclass(frozen=True)
class Attempt:
    """A member's call of a route with a key."""

    user_id: UUID
    route: str
    key: str
    fingerprint: str

    @classmethod
    def of(cls, user_id: UUID, route: str, key: str | None, content: Any) -> Self | None:
        """Return the attempt of a call with this content; None if it has no key."""
        return cls(user_id, route, key, fingerprint(content)) if key else None


def fingerprint(content: Any) -> str:
    """Return the SHA-256 of ``content`` as canonical JSON."""
    canonical = json.dumps(content, sort_keys=True, separators=(",", ":"), default=str)
    return hashlib.sha256(canonical.encode()).hexdigest()


async def once(
    tx: Transaction,
    attempt: Attempt | None,
    work: Callable[[Transaction], Awaitable[dict[str, Any]]],
) -> tuple[dict[str, Any], bool]:
    """Do the work and store its answer, or return the stored answer if this is a retry.

    The answer is JSON. Returns it, and whether it is a retry's. Without an attempt the work is
    always done.

    Raises:
        KeyReusedError: the key was used for a different request.
    """
    known = None if attempt is None else await claim(tx, attempt)
    if known is not None:
        return known, True
    answer = await work(tx)
    if attempt is not None:
        await store(tx, attempt, answer)
    return answer, False


async def find_answer(database: Database, attempt: Attempt | None) -> dict[str, Any] | None:
    """Return the stored response if this is a retry, without claiming the key.

    For writes that do slow work before they open their transaction.

    Raises:
        KeyReusedError: the key was used for a different request.
    """
    if attempt is None:
        return None
    row = await database.fetch_row(FIND_ANSWER, attempt.user_id, attempt.key)
    if row is None:
        return None
    if row.route != attempt.route or row.fingerprint != attempt.fingerprint:
        raise KeyReusedError
    return row.answer


async def claim(tx: Transaction, attempt: Attempt) -> dict[str, Any] | None:
    """Claim the key in this transaction; return the stored response if this is a retry.

    Raises:
        KeyReusedError: the key was used for a different request.
    """
    row = await tx.fetch_row(
        CLAIM, attempt.user_id, attempt.key, attempt.route, attempt.fingerprint
    )
    if row is None or not row.matches:
        raise KeyReusedError
    return None if row.claimed else row.answer


async def store(tx: Transaction, attempt: Attempt, answer: dict[str, Any]) -> None:
    """Store the response of the write that claimed the key."""
    await tx.execute(STORE, attempt.user_id, attempt.key, json.dumps(answer))
