from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from uuid import UUID

from api.foundation.core.money import Kobo
from api.foundation.database.database import Runner, Transaction
from api.foundation.database.statements import Query

INSERT_RECEIPT = """
INSERT INTO bank_receipt (id, order_id, bank, reference, amount_kobo, paid_on, received_at)
VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (bank, reference) DO NOTHING RETURNING id
"""
READ_RECEIVED = """
SELECT coalesce(sum(amount_kobo), 0)::bigint FROM bank_receipt WHERE order_id = $1
"""
READ_CREDITED = """
SELECT coalesce(sum(credited_kobo), 0)::bigint FROM bank_receipt WHERE order_id = $1
"""
IS_KNOWN = "SELECT EXISTS (SELECT FROM bank_receipt WHERE bank = $1 AND reference = $2)"
RECORD_CREDITED = "UPDATE bank_receipt SET credited_kobo = $2 WHERE id = $1"
RECORD_PAID = "UPDATE shop_order SET is_paid = true, transfer_id = $2 WHERE id = $1"


@dataclass(frozen=True)
class WaitingTransfer:
    id: UUID
    order_id: UUID
    bank: str
    reference: str
    amount_kobo: Kobo
    user_id: UUID


LIST_WAITING = Query(
    """
SELECT r.id, r.order_id, r.bank, r.reference, r.amount_kobo, o.user_id
  FROM bank_receipt r JOIN shop_order o ON o.id = r.order_id
 WHERE r.order_id = ANY ($1::uuid[]) AND r.credited_kobo IS NULL
 ORDER BY o.user_id, r.id
""",
    WaitingTransfer,
)


@dataclass(frozen=True)
class NewReceipt:
    """A received transfer: the bank's code, the reference in normal form, the day it was paid."""

    id: UUID
    order_id: UUID
    bank: str
    reference: str
    amount_kobo: int
    paid_on: date
    received_at: datetime


async def insert_receipt(tx: Transaction, receipt: NewReceipt) -> bool:
    """Insert a transfer; False if the bank's reference is already confirmed."""
    inserted = await tx.fetch_value(
        INSERT_RECEIPT,
        receipt.id,
        receipt.order_id,
        receipt.bank,
        receipt.reference,
        receipt.amount_kobo,
        receipt.paid_on,
        receipt.received_at,
    )
    return inserted is not None


async def is_reference_known(tx: Transaction, bank: str, reference: str) -> bool:
    return bool(await tx.fetch_value(IS_KNOWN, bank, reference))


async def read_received(database: Runner, order_id: UUID) -> int:
    """Return how many kobo were received for an order."""
    return int(await database.fetch_value(READ_RECEIVED, order_id))


async def read_credited(database: Runner, order_id: UUID) -> int:
    """Return how much of an order's transfers was credited to the wallet, in kobo."""
    return int(await database.fetch_value(READ_CREDITED, order_id))


async def list_waiting(tx: Transaction, order_ids: Sequence[UUID]) -> Sequence[WaitingTransfer]:
    """Return the uncredited transfers of these orders, oldest first for each member."""
    return await tx.fetch_rows(LIST_WAITING, order_ids)


async def record_credited(tx: Transaction, receipt_id: UUID, credited_kobo: int) -> None:
    await tx.execute(RECORD_CREDITED, receipt_id, credited_kobo)


async def record_paid(tx: Transaction, order_id: UUID, transfer_id: UUID) -> None:
    await tx.execute(RECORD_PAID, order_id, transfer_id)
