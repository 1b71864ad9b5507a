"""SQL of receipts: reads the payments from each domain's tables, and issues the numbers."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from api.foundation.core.money import Kobo
from api.foundation.database.database import Runner, Transaction
from api.foundation.database.statements import Query
from api.money.wallet.enums import ReceiptKind

# The names that members use: an order's number, a funding's reference, a refund's case.
FIND_IDS: Mapping[ReceiptKind, str] = {
    ReceiptKind.ORDER: "SELECT id FROM shop_order WHERE number = upper($1)",
    ReceiptKind.FUNDING: "SELECT id FROM funding WHERE reference = $1",
    ReceiptKind.REFUND: """
SELECT id FROM ledger_transfer WHERE kind = 'refund' AND reference = 'refund:' || $1
""",
}
LOCK_COUNTER = """
INSERT INTO receipt_counter AS c (year, last) VALUES ($1, 0)
ON CONFLICT (year) DO UPDATE SET last = c.last
"""
NEXT = "UPDATE receipt_counter SET last = last + 1 WHERE year = $1 RETURNING last"


@dataclass(frozen=True)
class ReceiptSubject:
    """What a receipt is for, with its member; ``transfer_id`` is None until it is paid."""

    id: UUID
    user_id: UUID
    transfer_id: UUID | None
    total_kobo: Kobo
    delivery_fee_kobo: Kobo
    reference: str
    paid_by: str
    billing: dict[str, Any] | None
    name: str
    email: str
    phone: str


READ_ORDER = Query(
    """
SELECT o.id, o.user_id, o.transfer_id, o.total_kobo, o.delivery_fee_kobo, o.number AS reference,
       o.payment_method AS paid_by, o.billing,
       u.first_name || ' ' || u.last_name AS name, u.email, u.phone
  FROM shop_order o JOIN user_account u ON u.id = o.user_id
 WHERE o.id = $1
""",
    ReceiptSubject,
)
READ_FUNDING = Query(
    """
SELECT f.id, f.user_id, t.id AS transfer_id, f.amount_kobo AS total_kobo, 0 AS delivery_fee_kobo,
       f.reference, f.gateway AS paid_by, NULL::jsonb AS billing,
       u.first_name || ' ' || u.last_name AS name, u.email, u.phone
  FROM funding f JOIN user_account u ON u.id = f.user_id
  LEFT JOIN ledger_transfer t ON t.kind = 'fund' AND t.reference = f.reference
 WHERE f.id = $1
""",
    ReceiptSubject,
)


@dataclass(frozen=True)
class BoughtSubject(ReceiptSubject):
    bought: str


READ_SUBSCRIPTION = Query(
    """
SELECT s.id, s.user_id, s.transfer_id, s.amount_kobo AS total_kobo, 0 AS delivery_fee_kobo,
       s.id::text AS reference, 'wallet' AS paid_by, NULL::jsonb AS billing,
       u.first_name || ' ' || u.last_name AS name, u.email, u.phone,
       p.plan AS bought
  FROM subscription s JOIN plan p ON p.id = s.plan_id JOIN user_account u ON u.id = s.user_id
 WHERE s.id = $1
""",
    BoughtSubject,
)
READ_REFUND = Query(
    """
SELECT t.id, a.owner_id AS user_id, t.id AS transfer_id, t.amount_kobo AS total_kobo,
       0 AS delivery_fee_kobo, t.reference, 'wallet' AS paid_by, NULL::jsonb AS billing,
       u.first_name || ' ' || u.last_name AS name, u.email, u.phone,
       coalesce('order ' || o.number, p.plan, 'a payment') AS bought
  FROM ledger_transfer t JOIN ledger_account a ON a.id = t.wallet_id
  JOIN user_account u ON u.id = a.owner_id
  LEFT JOIN shop_order o ON o.transfer_id = t.reverses_id
  LEFT JOIN subscription s ON s.transfer_id = t.reverses_id
  LEFT JOIN plan p ON p.id = s.plan_id
 WHERE t.kind = 'refund' AND t.id = $1
""",
    BoughtSubject,
)
SUBJECTS: Mapping[ReceiptKind, Query[ReceiptSubject] | Query[BoughtSubject]] = {
    ReceiptKind.ORDER: READ_ORDER,
    ReceiptKind.FUNDING: READ_FUNDING,
    ReceiptKind.SUBSCRIPTION: READ_SUBSCRIPTION,
    ReceiptKind.REFUND: READ_REFUND,
}


@dataclass(frozen=True)
class BoughtLine:
    name: str
    size: str | None
    quantity: int
    price_kobo: Kobo


LIST_LINES = Query(
    """
SELECT name, size, quantity, price_kobo FROM order_line WHERE order_id = $1 ORDER BY line
""",
    BoughtLine,
)


@dataclass(frozen=True)
class PaymentRefund:
    amount_kobo: Kobo
    created_at: datetime


LIST_REFUNDS = Query(
    """
SELECT amount_kobo, created_at FROM ledger_transfer
 WHERE reverses_id = $1 AND kind = 'refund' ORDER BY wallet_entry
""",
    PaymentRefund,
)


@dataclass(frozen=True)
class IssuedReceipt:
    id: UUID
    kind: str
    subject_id: UUID
    year: int
    sequence: int
    buyer: dict[str, Any]
    issued_at: datetime


READ = Query(
    """
SELECT id, kind, subject_id, year, sequence, buyer, issued_at
  FROM receipt WHERE kind = $1 AND subject_id = $2
""",
    IssuedReceipt,
)
READ_BY_ID = Query(
    """
SELECT id, kind, subject_id, year, sequence, buyer, issued_at FROM receipt WHERE id = $1
""",
    IssuedReceipt,
)
INSERT = Query(
    """
INSERT INTO receipt (id, kind, subject_id, user_id, year, sequence, buyer, issued_at)
VALUES ($1, $2, $3, $4, $5, $6, $7::text::jsonb, $8)
RETURNING id, kind, subject_id, year, sequence, buyer, issued_at
""",
    IssuedReceipt,
)


async def read_subject(
    database: Runner, kind: ReceiptKind, subject_id: UUID
) -> ReceiptSubject | None:
    return await database.fetch_row(SUBJECTS[kind], subject_id)


async def find_id(database: Runner, kind: ReceiptKind, name: str) -> UUID | None:
    if kind not in FIND_IDS:
        return None
    found: UUID | None = await database.fetch_value(FIND_IDS[kind], name)
    return found


async def list_lines(database: Runner, order_id: UUID) -> Sequence[BoughtLine]:
    return await database.fetch_rows(LIST_LINES, order_id)


async def list_refunds(database: Runner, transfer_id: UUID) -> Sequence[PaymentRefund]:
    """Return the refunds of a payment, oldest first."""
    return await database.fetch_rows(LIST_REFUNDS, transfer_id)


async def read_receipt(
    database: Runner, kind: ReceiptKind, subject_id: UUID
) -> IssuedReceipt | None:
    return await database.fetch_row(READ, kind.value, subject_id)


async def read_receipt_by_id(database: Runner, receipt_id: UUID) -> IssuedReceipt | None:
    return await database.fetch_row(READ_BY_ID, receipt_id)


async def lock_counter(tx: Transaction, year: int) -> None:
    """Lock the year's counter until commit."""
    await tx.execute(LOCK_COUNTER, year)


async def insert_receipt(
    tx: Transaction,
    receipt_id: UUID,
    kind: ReceiptKind,
    subject: ReceiptSubject,
    buyer: Mapping[str, Any],
    now: datetime,
    year: int,
) -> IssuedReceipt:
    """Issue the next number; the caller has locked the counter."""
    sequence = await tx.fetch_value(NEXT, year)
    row = await tx.fetch_row(
        INSERT,
        receipt_id,
        kind.value,
        subject.id,
        subject.user_id,
        year,
        sequence,
        json.dumps(buyer),
        now,
    )
    if row is None:
        raise RuntimeError("no receipt was written")
    return row
