from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from uuid import UUID

from api.foundation.core.money import Kobo
from api.foundation.database.database import Database, Runner
from api.foundation.database.days import id_bounds
from api.foundation.database.statements import Query, literal_pattern
from api.shop.enums import OrderStatus, PaymentMethod
from api.shop.repository.orders import ListedOrderLine, OrderRow
from api.shop.schemas.admin import OrderFilter

# A page of orders, newest first, and then their lines: ids are ordered by time.
LIST = """
WITH page AS (
  SELECT o.*, u.first_name, u.last_name, u.email, u.phone
    FROM shop_order o JOIN user_account u ON u.id = o.user_id
   WHERE ($1::text IS NULL OR o.number = upper($9) OR o.user_id = ANY (ARRAY(
          SELECT w.id FROM user_account w WHERE lower(w.email) LIKE lower($1)
              OR lower(w.first_name || ' ' || w.last_name) LIKE lower($1) LIMIT 200)))
     AND ($2::text IS NULL OR o.status = $2) AND ($3::text IS NULL OR o.payment_method = $3)
     AND ($4::timestamptz IS NULL OR o.created_at >= $4)
     AND ($5::timestamptz IS NULL OR o.created_at < $5)
     AND {proof} AND {kind}
     AND ($7::uuid IS NULL OR o.id < $7)
     AND ($10::uuid IS NULL OR o.id >= $10) AND ($11::uuid IS NULL OR o.id < $11)
   ORDER BY o.id DESC LIMIT $8)
SELECT p.id, p.number, p.user_id, p.status, p.payment_method, p.is_paid, p.total_kobo, p.billing,
       p.pay_by, p.created_at, p.first_name, p.last_name, p.email, p.phone,
       l.line, l.product_id, l.variant_id, l.size, l.name, l.price_kobo, l.quantity,
       l.refunded_quantity, l.thumbnail
  FROM page p JOIN order_line l ON l.order_id = p.id
 ORDER BY p.id DESC, l.line
"""
ANY_PROOF = "$6::text IS NULL"
HAS_PROOF = "o.id IN (SELECT t.order_id FROM transfer_proof t WHERE t.state = $6)"
ANY_KIND = "true"
# The newest of each kind from the index alone: old kinds, such as delivered orders, are found as
# fast as new ones.
OF_KIND = """o.id = ANY (ARRAY(
       SELECT k.id
         FROM unnest($12::text[]) s(status) CROSS JOIN unnest($13::text[]) m(method)
        CROSS JOIN LATERAL (
          SELECT i.id FROM shop_order i
           WHERE i.status = s.status AND i.payment_method = m.method
             AND ($4::timestamptz IS NULL OR i.created_at >= $4)
             AND ($5::timestamptz IS NULL OR i.created_at < $5)
             AND ($7::uuid IS NULL OR i.id < $7)
             AND ($10::uuid IS NULL OR i.id >= $10) AND ($11::uuid IS NULL OR i.id < $11)
           ORDER BY i.id DESC LIMIT $8) k
        ORDER BY k.id DESC LIMIT $8))"""


@dataclass(frozen=True)
class OrderOwner:
    user_id: UUID
    first_name: str
    last_name: str
    email: str
    phone: str


@dataclass(frozen=True)
class OwnedOrderLine(ListedOrderLine, OrderOwner):
    """A line in a list of orders, with its order and the order's member."""


@dataclass(frozen=True)
class OwnedOrderRow(OrderRow, OrderOwner):
    """An order with its member."""


READ = Query(
    """
SELECT o.id, o.number, o.user_id, o.status, o.payment_method, o.is_paid, o.total_kobo, o.billing,
       o.delivery_fee_kobo, o.transfer_id, o.pay_by, o.created_at,
       u.first_name, u.last_name, u.email, u.phone
  FROM shop_order o JOIN user_account u ON u.id = o.user_id
 WHERE o.id = $1 OR o.number = $2
""",
    OwnedOrderRow,
)


@dataclass(frozen=True)
class OrderTransfer:
    bank: str
    reference: str
    amount_kobo: Kobo
    paid_on: date
    received_at: datetime
    operator_id: UUID | None
    operator_name: str | None


LIST_TRANSFERS = Query(
    """
SELECT r.bank, r.reference, r.amount_kobo, r.paid_on, r.received_at, p.id AS operator_id,
       u.first_name || ' ' || u.last_name AS operator_name
  FROM bank_receipt r
  LEFT JOIN operator_credit c ON c.kind = 'transfer' AND c.document_id = r.id
  LEFT JOIN operator p ON p.id = c.initiator_id LEFT JOIN user_account u ON u.id = p.user_id
 WHERE r.order_id = $1 ORDER BY r.id
""",
    OrderTransfer,
)


@dataclass(frozen=True)
class OrderCase:
    kind: str
    id: UUID
    amount: Kobo


LIST_OPEN_CASES = Query(
    """
SELECT 'review_case' AS kind, id, amount_kobo AS amount FROM review_case
 WHERE state = 'open' AND kind = 'surplus' AND user_id = $2 AND subject = $1::uuid::text
UNION ALL SELECT 'refund', id, amount_kobo FROM refund_case WHERE state = 'asked' AND order_id = $1
 ORDER BY id
""",
    OrderCase,
)


async def list_all_orders(
    database: Database, wanted: OrderFilter, before: UUID | None, limit: int
) -> Sequence[OwnedOrderLine]:
    """Return the lines of up to ``limit`` orders, newest order first."""
    is_of_kind = (wanted.status or wanted.method) and not (wanted.q or wanted.proof)
    kinds = (
        (
            [wanted.status] if wanted.status else list(OrderStatus),
            [wanted.method] if wanted.method else list(PaymentMethod),
        )
        if is_of_kind
        else ()
    )
    return await database.fetch_rows(
        Query(
            LIST.format(
                proof=ANY_PROOF if wanted.proof is None else HAS_PROOF,
                kind=OF_KIND if is_of_kind else ANY_KIND,
            ),
            OwnedOrderLine,
        ),
        None if wanted.q is None else literal_pattern(wanted.q) + "%",
        wanted.status,
        wanted.method,
        wanted.days.since,
        wanted.days.until,
        wanted.proof,
        before,
        limit,
        wanted.q,
        *id_bounds(wanted.days.since, wanted.days.until),
        *kinds,
    )


async def read_any_order(
    runner: Runner, order_id: UUID | None, number: str
) -> OwnedOrderRow | None:
    return await runner.fetch_row(READ, order_id, number)


async def list_order_transfers(runner: Runner, order_id: UUID) -> Sequence[OrderTransfer]:
    """Return the confirmed transfers, oldest first."""
    return await runner.fetch_rows(LIST_TRANSFERS, order_id)


async def list_open_cases(runner: Runner, order_id: UUID, user_id: UUID) -> Sequence[OrderCase]:
    """Return the undecided review cases and refunds, oldest first."""
    return await runner.fetch_rows(LIST_OPEN_CASES, order_id, user_id)
