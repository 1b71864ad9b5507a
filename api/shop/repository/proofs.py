from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from api.foundation.database.database import Database, Runner, Transaction
from api.foundation.database.statements import Query

READ_ALL = """
SELECT id, order_id, state, media_key, reason, uploaded_at FROM transfer_proof WHERE order_id = $1
"""
REPLACE = """
UPDATE transfer_proof SET state = 'replaced' WHERE order_id = $1 AND state = 'waiting'
"""
INSERT = """
INSERT INTO transfer_proof (id, order_id, state, media_key, note, uploaded_at)
VALUES ($1, $2, 'waiting', $3, $4, $5)
"""
COUNT = "SELECT count(*) FROM transfer_proof WHERE order_id = $1"
COUNT_WAITING = """
SELECT count(*) FROM transfer_proof WHERE state = 'waiting' AND uploaded_at <= $1
"""
HAS_WAITING = "SELECT EXISTS (SELECT FROM transfer_proof WHERE order_id = $1 AND state = 'waiting')"
DECIDE = """
UPDATE transfer_proof SET state = $2, reason = $3 WHERE order_id = $1 AND state = 'waiting'
"""
# The proof kept the order open until now, so its deadline moves to now.
EXPIRE = """
WITH expired AS (
  UPDATE transfer_proof SET state = 'expired' WHERE order_id = ANY ($1) AND state = 'waiting'
  RETURNING order_id
)
UPDATE shop_order SET pay_by = greatest(pay_by, $2) WHERE id IN (SELECT order_id FROM expired)
"""
EXTEND_DEADLINE = """
UPDATE shop_order SET pay_by = greatest(pay_by, $2)
 WHERE id = $1 AND status = 'pending' AND NOT is_paid
"""


@dataclass(frozen=True)
class StoredProof:
    """A proof of payment; ``reason`` is why it was rejected."""

    id: UUID
    order_id: UUID
    state: str
    media_key: str
    reason: str | None
    uploaded_at: datetime


LIST = Query(READ_ALL + " ORDER BY id", StoredProof)
READ = Query(READ_ALL + " AND id = $2", StoredProof)


DELETE_OF = """
DELETE FROM transfer_proof p USING shop_order o
 WHERE o.id = p.order_id AND o.user_id = $1 RETURNING p.media_key
"""
LIST_NAMED = "SELECT media_key FROM transfer_proof WHERE media_key = ANY ($1::text[])"


@dataclass(frozen=True)
class NewProof:
    id: UUID
    order_id: UUID
    media_key: str
    note: str | None
    uploaded_at: datetime


async def insert_proof(tx: Transaction, proof: NewProof) -> None:
    """Insert a proof, replacing the one under review; the caller has locked the order."""
    await tx.execute(REPLACE, proof.order_id)
    await tx.execute(
        INSERT, proof.id, proof.order_id, proof.media_key, proof.note, proof.uploaded_at
    )


async def count_proofs(database: Runner, order_id: UUID) -> int:
    """Return how many were uploaded for an order, including replaced ones."""
    return int(await database.fetch_value(COUNT, order_id))


async def list_proofs(database: Runner, order_id: UUID) -> Sequence[StoredProof]:
    """Return an order's proofs, including replaced ones, oldest first."""
    return await database.fetch_rows(LIST, order_id)


async def count_waiting_proofs(database: Database, until: datetime) -> int:
    """Count the proofs under review that were uploaded before ``until``."""
    return int(await database.fetch_value(COUNT_WAITING, until))


async def has_waiting_proof(tx: Transaction, order_id: UUID) -> bool:
    return bool(await tx.fetch_value(HAS_WAITING, order_id))


async def read_proof(database: Runner, order_id: UUID, proof_id: UUID) -> StoredProof | None:
    return await database.fetch_row(READ, order_id, proof_id)


async def decide_proof(
    tx: Transaction, order_id: UUID, state: str, reason: str | None = None
) -> None:
    """Decide the proof under review, if there is one; the caller has locked the order."""
    await tx.execute(DECIDE, order_id, state, reason)


async def expire_proofs(tx: Transaction, order_ids: Sequence[UUID], now: datetime) -> None:
    """End the review of these orders' proofs; the caller has locked the orders."""
    await tx.execute(EXPIRE, order_ids, now)


async def extend_deadline(tx: Transaction, order_id: UUID, until: datetime) -> None:
    """Extend an order's deadline to at least ``until``."""
    await tx.execute(EXTEND_DEADLINE, order_id, until)


async def delete_proofs(tx: Transaction, user_id: UUID) -> list[str]:
    """Delete all of a member's proofs; return the objects to delete."""
    return await tx.fetch_column(DELETE_OF, user_id)


async def list_named_proofs(database: Database, keys: Sequence[str]) -> set[str]:
    """Return which of ``keys`` belong to a proof."""
    return set(await database.fetch_column(LIST_NAMED, keys))
