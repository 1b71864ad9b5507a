"""SQL of the proofs: what each check holds the ledger to, over all domains' tables.

A check's query returns a row for everything that breaks it, and says what that is.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

import asyncpg

from api.database.connections import CLOSE_SECONDS
from api.database.database import Database, Transaction
from api.database.statements import Row
from api.proofs.enums import ProofSource

PROOF_SECONDS = 1800.0  # a proof reads every transfer there is
MOST_EXAMPLES = 5

CHECKS: Mapping[str, str] = {
    # Each transfer moves its own amount, and what all wallets hold is what the house gave them.
    "sum_zero": """
SELECT t.id || ' ' || t.kind || ' ' || t.reference FROM ledger_transfer t
 WHERE t.wallet_change_kobo <> CASE t.debit_type WHEN 'wallet' THEN -t.amount_kobo
                               ELSE t.amount_kobo END
    OR t.wallet_id <> CASE t.debit_type WHEN 'wallet' THEN t.debit_id ELSE t.credit_id END
 UNION ALL
SELECT 'all wallets hold ' || held || ' kobo, and were given ' || given
  FROM (SELECT (SELECT coalesce(sum(balance_kobo), 0) FROM ledger_account) AS held,
               coalesce(sum(CASE debit_type WHEN 'wallet' THEN -amount_kobo
                                            ELSE amount_kobo END), 0) AS given
          FROM ledger_transfer) AS s WHERE held <> given""",
    "wallet_cache": """
SELECT a.id || ' of member ' || a.owner_id FROM ledger_account a
  LEFT JOIN ledger_transfer t ON t.wallet_id = a.id
 WHERE a.type = 'wallet' GROUP BY a.id
HAVING a.balance_kobo <> coalesce(sum(t.wallet_change_kobo), 0) OR a.entries <> count(t.id)""",
    "wallet_chain": """
SELECT t.id || ' ' || t.kind || ' ' || t.reference FROM (SELECT t.*,
       lag(wallet_after_kobo, 1, 0::bigint) OVER w AS last, row_number() OVER w AS place
  FROM ledger_transfer t WINDOW w AS (PARTITION BY wallet_id ORDER BY wallet_entry)) AS t
 WHERE t.wallet_after_kobo - t.wallet_change_kobo <> t.last OR t.wallet_entry <> t.place""",
    "orders_paid": """
SELECT o.id || ' ' || o.number FROM shop_order o
  LEFT JOIN ledger_transfer t ON t.id = o.transfer_id
  LEFT JOIN ledger_account a ON a.id = t.wallet_id
 WHERE o.is_paid AND (t.id IS NULL OR t.kind <> 'purchase' OR t.amount_kobo <> o.total_kobo
                      OR a.owner_id <> o.user_id)
    OR NOT o.is_paid AND o.transfer_id IS NOT NULL
 UNION ALL
SELECT t.id || ' ' || t.kind || ' ' || t.reference FROM ledger_transfer t
 WHERE t.kind = 'purchase' AND NOT EXISTS (SELECT FROM shop_order o WHERE o.transfer_id = t.id)""",
    # What came in is a funding's, a bank receipt's, or was accepted by a person.
    "fundings_paid": """
SELECT f.id || ' ' || f.reference FROM funding f
  LEFT JOIN ledger_transfer t ON t.kind = 'fund' AND t.reference = f.reference
  LEFT JOIN ledger_account a ON a.id = t.wallet_id
 WHERE f.state = 'succeeded'
   AND (t.id IS NULL OR t.amount_kobo <> f.amount_kobo OR a.owner_id <> f.user_id)
    OR f.state <> 'succeeded' AND t.id IS NOT NULL AND NOT EXISTS (
       SELECT FROM review_case r WHERE r.source = t.reference AND r.state = 'accepted')
 UNION ALL
SELECT b.id || ' ' || b.bank || ' ' || b.reference FROM bank_receipt b
  LEFT JOIN ledger_transfer t ON t.kind = 'fund'
   AND t.reference = 'transfer:' || b.bank || ':' || b.reference
 WHERE coalesce(b.credited_kobo, 0) <> coalesce(t.amount_kobo, 0)
 UNION ALL
SELECT t.id || ' ' || t.kind || ' ' || t.reference FROM ledger_transfer t
 WHERE t.kind = 'fund' AND NOT EXISTS (SELECT FROM funding f WHERE f.reference = t.reference)
   AND NOT EXISTS (SELECT FROM bank_receipt b
                    WHERE t.reference = 'transfer:' || b.bank || ':' || b.reference)
   AND NOT EXISTS (
       SELECT FROM review_case r WHERE r.source = t.reference AND r.state = 'accepted')""",
    "subscriptions_paid": """
SELECT s.id::text FROM subscription s
  LEFT JOIN ledger_transfer t ON t.id = s.transfer_id
  LEFT JOIN ledger_account a ON a.id = t.wallet_id
 WHERE s.amount_kobo > 0 AND (t.id IS NULL OR t.kind <> 'subscription'
                              OR t.amount_kobo <> s.amount_kobo OR a.owner_id <> s.user_id)
 UNION ALL
SELECT t.id || ' ' || t.kind || ' ' || t.reference FROM ledger_transfer t
 WHERE t.kind = 'subscription'
   AND NOT EXISTS (SELECT FROM subscription s WHERE s.transfer_id = t.id)""",
    # What went back is no more than what came, whichever way it went.
    "refunds_capped": """
SELECT t.id || ' ' || t.kind || ' ' || t.reference
  FROM ledger_transfer t JOIN ledger_transfer r ON r.reverses_id = t.id
 GROUP BY t.id HAVING sum(r.amount_kobo) > t.amount_kobo
 UNION ALL
SELECT f.id || ' ' || f.reference FROM funding f JOIN chargeback c ON c.funding_id = f.id
 GROUP BY f.id HAVING sum(c.amount_kobo) > f.amount_kobo
 UNION ALL
SELECT c.id || ' case ' || c.case_id FROM chargeback c
  LEFT JOIN ledger_transfer t ON t.kind = 'chargeback' AND t.reference = 'chargeback:' || c.id
  LEFT JOIN debt d ON d.chargeback_id = c.id
 WHERE c.taken_kobo <> coalesce(t.amount_kobo, 0)
    OR c.amount_kobo - c.taken_kobo <> coalesce(d.amount_kobo, 0)
 UNION ALL
SELECT d.id || ' debt' FROM debt d
  LEFT JOIN ledger_transfer t ON t.kind = 'chargeback'
   AND t.reference LIKE 'debt:' || d.id || ':%'
 GROUP BY d.id HAVING d.amount_kobo - d.left_kobo <> coalesce(sum(t.amount_kobo), 0)""",
    # What orders hold of a size is what open orders still have to be sent.
    "stock_allocated": """
SELECT v.id || ' ' || p.name || coalesce(' ' || v.size, '')
  FROM product_variant v JOIN product p ON p.id = v.product_id
  LEFT JOIN (SELECT l.variant_id, sum(l.quantity - l.refunded_quantity) AS units
               FROM order_line l JOIN shop_order o ON o.id = l.order_id
              WHERE o.status IN ('pending', 'processing') GROUP BY l.variant_id) held
    ON held.variant_id = v.id
 WHERE v.allocated <> coalesce(held.units, 0)""",
    # What a provider says it was paid is known to us, once the report had time to be settled, and
    # what we credited was paid.
    "provider_settled": """
SELECT e.id || ' ' || coalesce(e.reference, '?') FROM payment_event e
  LEFT JOIN funding f ON f.reference = e.reference AND f.gateway = e.gateway
 WHERE octet_length(e.raw) > 0
   AND (e.gateway, e.type, convert_from(e.raw, 'UTF8')::json -> 'data' ->> 'status') IN
       (('paystack', 'charge.success', 'success'),
        ('flutterwave', 'charge.completed', 'successful'))
   AND e.state <> 'ignored'
   AND e.received_at < now() - interval '15 minutes'
   AND (f.id IS NULL OR f.state NOT IN ('succeeded', 'review'))
 UNION ALL
SELECT f.id || ' ' || f.reference FROM funding f
 WHERE f.state = 'succeeded' AND f.gateway_transaction_id IS NULL
   AND NOT EXISTS (SELECT FROM review_case r WHERE r.source = f.reference)""",
}
SUM_UP = """
SELECT count(*) AS count, (array_agg(example ORDER BY example))[1:{most}] AS examples
  FROM ({query}) AS broken (example)
"""  # the queries are our own words
TOTALS = """
SELECT (SELECT count(*) FROM ledger_transfer) AS transfers,
       greatest(abs((SELECT coalesce(sum(balance_kobo), 0) FROM ledger_account)
                    - (SELECT coalesce(sum(CASE debit_type WHEN 'wallet' THEN -amount_kobo
                                           ELSE amount_kobo END), 0) FROM ledger_transfer)),
                (SELECT coalesce(sum(abs(held - moved)), 0) FROM (
                   SELECT a.balance_kobo AS held, coalesce(sum(t.wallet_change_kobo), 0) AS moved
                     FROM ledger_account a LEFT JOIN ledger_transfer t ON t.wallet_id = a.id
                    WHERE a.type = 'wallet' GROUP BY a.id) AS wallets))::bigint AS difference_kobo
"""
INSERT = """
INSERT INTO ledger_proof (id, at, source, ok, difference_kobo, transfers, checks, took_ms)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
"""
READ = "SELECT id, at, source, ok, difference_kobo, transfers, checks, took_ms FROM ledger_proof"
LIST = READ + " WHERE $1::uuid IS NULL OR id < $1 ORDER BY id DESC LIMIT $2"
READ_ONE = READ + " WHERE id = $1"
READ_LAST = READ + " WHERE $1::text IS NULL OR source = $1 ORDER BY id DESC LIMIT 1"
LIST_WARNED = """
SELECT id FROM operator WHERE disabled_at IS NULL AND roles && ARRAY['owner', 'finance']
"""
READ_MAIL = """
SELECT u.email, u.first_name FROM operator o JOIN user_account u ON u.id = o.user_id
 WHERE o.id = $1 AND o.disabled_at IS NULL
"""


@dataclass(frozen=True)
class Found:
    """What one check has found."""

    name: str
    count: int
    examples: list[str]


@dataclass(frozen=True)
class KeptProof:
    """What one look has found, to be kept."""

    id: UUID
    at: datetime
    source: ProofSource
    difference_kobo: int
    transfers: int
    found: tuple[Found, ...]
    took_ms: int

    @property
    def ok(self) -> bool:
        """Whether nothing breaks any check."""
        return not any(one.count for one in self.found) and self.difference_kobo == 0


async def look(database: Database) -> tuple[Row, tuple[Found, ...]]:
    """Return the ledger's totals and what each check finds, all as of one moment.

    Over a session of its own, because it may take minutes: no lane's place is held for so long.

    Raises:
        DatabaseUnavailableError: it is not to be had.
    """
    connection = await database.connect_alone()
    try:
        await connection.execute("SET statement_timeout = 0")
        async with connection.transaction(isolation="repeatable_read", readonly=True):
            totals = await connection.fetchrow(TOTALS, timeout=PROOF_SECONDS)
            assert totals is not None  # noqa: S101 it has no FROM
            found = [await _check(connection, name, query) for name, query in CHECKS.items()]
        return totals, tuple(found)
    finally:
        await connection.close(timeout=CLOSE_SECONDS)


async def _check(connection: asyncpg.Connection, name: str, query: str) -> Found:
    statement = SUM_UP.format(query=query, most=MOST_EXAMPLES)
    row = await connection.fetchrow(statement, timeout=PROOF_SECONDS)
    assert row is not None  # noqa: S101 an aggregate always has one
    return Found(name, row["count"], row["examples"] or [])


async def insert_proof(tx: Transaction, proof: KeptProof) -> None:
    """Keep what was found."""
    checks = [
        {"name": one.name, "ok": one.count == 0, "count": one.count, "examples": one.examples}
        for one in proof.found
    ]
    await tx.execute(
        INSERT,
        proof.id,
        proof.at,
        proof.source.value,
        proof.ok,
        proof.difference_kobo,
        proof.transfers,
        json.dumps(checks),
        proof.took_ms,
    )


async def list_proofs(database: Database, before: UUID | None, limit: int) -> Sequence[Row]:
    """Return up to ``limit`` proofs, newest first."""
    return await database.fetch_rows(LIST, before, limit)


async def read_proof(database: Database, proof_id: UUID) -> Row | None:
    """Return a proof, or None."""
    return await database.fetch_row(READ_ONE, proof_id)


async def read_last(database: Database, source: ProofSource | None = None) -> Row | None:
    """Return the last proof, of one source or of any, or None before there is one."""
    return await database.fetch_row(READ_LAST, source and source.value)


async def list_warned(tx: Transaction) -> list[UUID]:
    """Return the operators who are told of a ledger that does not balance."""
    return [row["id"] for row in await tx.fetch_rows(LIST_WARNED)]


async def read_mail(database: Database, operator_id: UUID) -> Row | None:
    """Return where an operator gets mail; None when they work here no more."""
    return await database.fetch_row(READ_MAIL, operator_id)
