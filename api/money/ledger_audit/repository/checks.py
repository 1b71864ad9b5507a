"""Checks of the ledger over the tables of all domains, and totals.

Shared by all proofs, ``console check`` and the proof of a restored backup. Names in braces are what
a proof reads: whole tables, or the rows of ``scopes.py``.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import asyncpg

from api.foundation.core.money import Kobo
from api.foundation.database.statements import Query, RowT
from api.money.ledger_audit.repository.scopes import WHOLE

PROOF_SECONDS = 1800.0  # each query of a proof reads every transfer

# Each check is a query that returns one row, with a description, per violation.
TEMPLATES: Mapping[str, str] = {
    # Each transfer moves its own amount, and the wallets hold exactly what company accounts paid
    # in.
    "sum_zero": """
SELECT t.id || ' ' || t.kind || ' ' || t.reference FROM {transfers} t
 WHERE t.wallet_change_kobo <> CASE t.debit_type WHEN 'wallet' THEN -t.amount_kobo
                               ELSE t.amount_kobo END
    OR t.wallet_id <> CASE t.debit_type WHEN 'wallet' THEN t.debit_id ELSE t.credit_id END
 UNION ALL
SELECT 'all wallets hold ' || held || ' kobo, and were given ' || given
  FROM (SELECT (SELECT coalesce(sum(balance_kobo), 0) FROM {accounts} a) AS held,
               coalesce(sum(CASE debit_type WHEN 'wallet' THEN -amount_kobo
                                            ELSE amount_kobo END), 0) AS given
          FROM {entries} t) AS s WHERE held <> given""",
    "wallet_cache": """
SELECT a.id || ' of member ' || a.owner_id FROM {accounts} a
  LEFT JOIN ledger_transfer t ON t.wallet_id = a.id
 WHERE a.type = 'wallet' GROUP BY a.id, a.owner_id, a.balance_kobo, a.entries
HAVING a.balance_kobo <> coalesce(sum(t.wallet_change_kobo), 0) OR a.entries <> count(t.id)""",
    "wallet_chain": """
SELECT t.id || ' ' || t.kind || ' ' || t.reference FROM (SELECT t.*,
       lag(wallet_after_kobo, 1, 0::bigint) OVER w AS last, row_number() OVER w AS place
  FROM {entries} t WINDOW w AS (PARTITION BY wallet_id ORDER BY wallet_entry)) AS t
 WHERE t.wallet_after_kobo - t.wallet_change_kobo <> t.last OR t.wallet_entry <> t.place""",
    # Every wallet's seal is where its entries were, and its sealed months add up to them.
    "wallet_seals": """
SELECT s.wallet_id || ' at entry ' || s.last_entry FROM {seals} s
  LEFT JOIN ledger_transfer t ON t.wallet_id = s.wallet_id AND t.wallet_entry = s.last_entry
 WHERE t.id IS NULL OR t.wallet_after_kobo <> s.after_kobo
 UNION ALL
SELECT wallet_id || ' in ' || month FROM (
       SELECT wallet_id, month, entries, moved_kobo FROM {sealed_months} s
        UNION ALL
       SELECT t.wallet_id, date_trunc('month', t.created_at AT TIME ZONE 'Africa/Lagos')::date,
              -count(*), -sum(t.wallet_change_kobo)
         FROM {seals} s JOIN ledger_transfer t
           ON t.wallet_id = s.wallet_id AND t.wallet_entry <= s.last_entry
        GROUP BY 1, 2) AS sides (wallet_id, month, entries, moved_kobo)
 GROUP BY wallet_id, month HAVING sum(entries) <> 0 OR sum(moved_kobo) <> 0""",
    "orders_paid": """
SELECT o.id || ' ' || o.number FROM {orders} o
  LEFT JOIN ledger_transfer t ON t.id = o.transfer_id
  LEFT JOIN ledger_account a ON a.id = t.wallet_id
 WHERE o.is_paid AND (t.id IS NULL OR t.kind <> 'purchase' OR t.amount_kobo <> o.total_kobo
                      OR a.owner_id <> o.user_id)
    OR NOT o.is_paid AND o.transfer_id IS NOT NULL
 UNION ALL
SELECT t.id || ' ' || t.kind || ' ' || t.reference FROM {transfers} t
 WHERE t.kind = 'purchase' AND NOT EXISTS (SELECT FROM shop_order o WHERE o.transfer_id = t.id)""",
    # Every credit belongs to a funding or a bank receipt, or was accepted by a person.
    "fundings_paid": """
SELECT f.id || ' ' || f.reference FROM {fundings} f
  LEFT JOIN ledger_transfer t ON t.kind = 'fund' AND t.reference = f.reference
  LEFT JOIN ledger_account a ON a.id = t.wallet_id
 WHERE f.state = 'succeeded'
   AND (t.id IS NULL OR t.amount_kobo <> f.amount_kobo OR a.owner_id <> f.user_id)
    OR f.state <> 'succeeded' AND t.id IS NOT NULL
 UNION ALL
SELECT b.id || ' ' || b.bank || ' ' || b.reference
  FROM {receipts} b JOIN shop_order o ON o.id = b.order_id
  LEFT JOIN ledger_transfer t ON t.kind = 'fund'
   AND t.reference = 'transfer:' || b.bank || ':' || b.reference
  LEFT JOIN ledger_account a ON a.id = t.wallet_id
 WHERE coalesce(b.credited_kobo, 0) <> coalesce(t.amount_kobo, 0) OR a.owner_id <> o.user_id
 UNION ALL
SELECT r.id || ' review case ' || r.source FROM {cases} r
  LEFT JOIN ledger_transfer t ON t.kind = 'fund' AND t.reference = r.source
  LEFT JOIN ledger_account a ON a.id = t.wallet_id
 WHERE r.state = 'accepted' AND r.kind <> 'chargeback_short'
   AND (t.id IS NULL OR t.amount_kobo <> r.amount_kobo OR a.owner_id <> r.user_id)
 UNION ALL
SELECT t.id || ' ' || t.kind || ' ' || t.reference FROM {transfers} t
 WHERE t.kind = 'fund' AND NOT EXISTS (SELECT FROM funding f WHERE f.reference = t.reference)
   AND NOT EXISTS (SELECT FROM ledger_account a JOIN shop_order o ON o.user_id = a.owner_id
                     JOIN bank_receipt b ON b.order_id = o.id
                    WHERE a.id = t.wallet_id
                      AND t.reference = 'transfer:' || b.bank || ':' || b.reference)
   AND NOT EXISTS (
       SELECT FROM review_case r WHERE r.source = t.reference AND r.state = 'accepted')""",
    # A payment that was not credited has a review case, open or decided.
    "funding_cases": """
SELECT f.id || ' ' || f.reference FROM {fundings} f
 WHERE f.state = 'review' AND NOT EXISTS (
       SELECT FROM review_case r WHERE r.source = f.reference AND r.user_id = f.user_id)""",
    "subscriptions_paid": """
SELECT s.id::text FROM {subscriptions} s
  LEFT JOIN ledger_transfer t ON t.id = s.transfer_id
  LEFT JOIN ledger_account a ON a.id = t.wallet_id
 WHERE s.amount_kobo > 0 AND (t.id IS NULL OR t.kind <> 'subscription'
                              OR t.amount_kobo <> s.amount_kobo OR a.owner_id <> s.user_id)
 UNION ALL
SELECT t.id || ' ' || t.kind || ' ' || t.reference FROM {transfers} t
 WHERE t.kind = 'subscription'
   AND NOT EXISTS (SELECT FROM subscription s WHERE s.transfer_id = t.id)""",
    # Refunds never exceed the payment, by whichever route.
    "refunds_capped": """
SELECT t.id || ' ' || t.kind || ' ' || t.reference
  FROM (SELECT reverses_id, sum(amount_kobo) AS back_kobo FROM {refunds} AS back
         WHERE reverses_id IS NOT NULL GROUP BY reverses_id) r
  JOIN ledger_transfer t ON t.id = r.reverses_id WHERE r.back_kobo > t.amount_kobo
 UNION ALL
SELECT f.id || ' ' || f.reference FROM funding f JOIN {chargebacks} c ON c.funding_id = f.id
 GROUP BY f.id HAVING sum(c.amount_kobo) > f.amount_kobo
 UNION ALL
SELECT c.id || ' case ' || c.case_id FROM {chargebacks} c
  LEFT JOIN ledger_transfer t ON t.kind = 'chargeback' AND t.reference = 'chargeback:' || c.id
  LEFT JOIN debt d ON d.chargeback_id = c.id
 WHERE c.taken_kobo <> coalesce(t.amount_kobo, 0)
    OR c.amount_kobo - c.taken_kobo <> coalesce(d.amount_kobo, 0)
 UNION ALL
SELECT t.id || ' ' || t.kind || ' ' || t.reference FROM {transfers} t
 WHERE t.kind = 'chargeback' AND t.reference NOT LIKE 'debt:%'
   AND NOT EXISTS (SELECT FROM chargeback c WHERE t.reference = 'chargeback:' || c.id)
 UNION ALL
SELECT d.id || ' debt' FROM {debts} d LEFT JOIN ledger_account a ON a.owner_id = d.user_id
  LEFT JOIN ledger_transfer t ON t.wallet_id = a.id AND t.kind IN ('chargeback', 'debt_repayment')
   AND t.reference LIKE 'debt:' || d.id || ':%'
 GROUP BY d.id, d.amount_kobo, d.left_kobo
HAVING d.amount_kobo - d.left_kobo <> coalesce(sum(t.amount_kobo), 0)""",
    # What is allocated of a size is what open orders still have to ship.
    "stock_allocated": """
SELECT v.id || ' ' || p.name || coalesce(' ' || v.size, '')
  FROM product_variant v JOIN product p ON p.id = v.product_id
  LEFT JOIN (SELECT l.variant_id, sum(l.quantity - l.refunded_quantity) AS units
               FROM order_line l JOIN shop_order o ON o.id = l.order_id
              WHERE o.status IN ('pending', 'processing') GROUP BY l.variant_id) held
    ON held.variant_id = v.id
 WHERE v.allocated <> coalesce(held.units, 0)""",
    # Every payment that a provider reports is known to us, once the report had time to be settled,
    # and what we credited was paid. Flutterwave's reports are hints: a matched one was verified,
    # and denied. Only reports that match no funding are parsed.
    "provider_settled": """
SELECT e.id || ' ' || coalesce(e.reference, '?') FROM payment_event e JOIN (
       SELECT u.id FROM {reports} u
        WHERE u.type IN ('charge.success', 'charge.completed') AND u.state <> 'ignored'
          AND (u.gateway, u.state) <> ('flutterwave', 'matched')
          AND u.received_at < now() - interval '15 minutes'
          AND NOT EXISTS (SELECT FROM funding f
                           WHERE f.reference = u.reference AND f.gateway = u.gateway
                             AND f.state IN ('succeeded', 'review'))
       OFFSET 0) AS unknown USING (id)
 WHERE octet_length(e.raw) > 0
   AND (e.gateway, e.type, convert_from(e.raw, 'UTF8')::json -> 'data' ->> 'status') IN
       (('paystack', 'charge.success', 'success'),
        ('flutterwave', 'charge.completed', 'successful'))
 UNION ALL
SELECT f.id || ' ' || f.reference FROM {fundings} f
 WHERE f.state = 'succeeded' AND f.gateway_transaction_id IS NULL
   AND NOT EXISTS (SELECT FROM review_case r WHERE r.source = f.reference)""",
    "orders_total": """
SELECT o.id || ' ' || o.number FROM shop_order o JOIN (
       SELECT o.id FROM {orders} o JOIN order_line l ON l.order_id = o.id GROUP BY o.id
       HAVING sum(l.price_kobo * l.quantity) + max(o.delivery_fee_kobo) <> max(o.total_kobo)
       ) AS wrong USING (id)""",
    # Every operator credit has an initiator within the limits of that day, or an approval.
    "caused_credits": """
SELECT t.id || ' ' || t.kind || ' ' || t.reference
  FROM {transfers} t JOIN ledger_account a ON a.id = t.wallet_id
 WHERE (t.kind = 'adjust' OR t.debit_type = 'bank'
        OR t.kind = 'refund' AND t.reference LIKE 'refund:%')
   AND NOT EXISTS (
       SELECT FROM operator_credit c
        WHERE c.reference = t.reference AND c.user_id = a.owner_id
          AND (c.amount_kobo > 0) = (t.wallet_change_kobo > 0)
          AND abs(c.amount_kobo) >= t.amount_kobo)
 UNION ALL
SELECT r.id || ' review case ' || r.source FROM {cases} r
 WHERE r.state = 'accepted' AND r.kind <> 'chargeback_short' AND NOT EXISTS (
       SELECT FROM operator_credit c
        WHERE c.kind = 'review_case' AND c.document_id = r.id AND c.user_id = r.user_id
          AND c.amount_kobo = r.amount_kobo)
 UNION ALL
SELECT c.id || ' ' || c.kind || ' without its document' FROM {credits} c
 WHERE NOT c.is_imported AND NOT CASE c.kind
       WHEN 'adjustment' THEN EXISTS (
            SELECT FROM wallet_adjustment d WHERE d.id = c.document_id
               AND d.user_id = c.user_id AND d.amount_kobo = c.amount_kobo)
       WHEN 'gift' THEN EXISTS (
            SELECT FROM subscription d WHERE d.id = c.document_id
               AND d.user_id = c.user_id AND d.is_gift)
       WHEN 'review_case' THEN EXISTS (
            SELECT FROM review_case d WHERE d.id = c.document_id
               AND d.user_id = c.user_id AND d.state = 'accepted')
       WHEN 'refund' THEN EXISTS (
            SELECT FROM refund_case d WHERE d.id = c.document_id AND d.user_id = c.user_id
               AND d.amount_kobo = c.amount_kobo AND d.state = 'sent')
       WHEN 'cancellation' THEN EXISTS (
            SELECT FROM shop_order d WHERE d.id = c.document_id
               AND d.user_id = c.user_id AND d.status = 'cancelled' AND NOT d.is_paid)
       WHEN 'transfer' THEN EXISTS (
            SELECT FROM bank_receipt d JOIN shop_order o ON o.id = d.order_id
             WHERE d.id = c.document_id AND o.user_id = c.user_id
               AND d.amount_kobo = c.amount_kobo)
       END
 UNION ALL
SELECT t.id || ' ' || t.kind || ' ' || t.reference || ' of a gift that is worth less'
  FROM subscription old JOIN ledger_transfer t
    ON t.kind = 'refund' AND t.reference = 'unused:' || old.id
  JOIN subscription g ON g.user_id = old.user_id AND g.is_gift AND g.starts_at = old.replaced_at
  JOIN {credits} c ON c.kind = 'gift' AND c.document_id = g.id
 WHERE NOT c.is_imported AND c.amount_kobo < t.amount_kobo
 UNION ALL
SELECT c.id || ' ' || c.kind || ' that nobody may decide so'
  FROM {credits} c JOIN operator o ON o.id = c.initiator_id
  LEFT JOIN approval p ON p.id = c.approval_id LEFT JOIN operator d ON d.id = p.decided_by
 WHERE NOT c.is_imported AND CASE WHEN c.approval_id IS NULL THEN o.user_id = c.user_id
       ELSE p.state <> 'approved' OR p.proposed_by <> c.initiator_id
            OR d.user_id IN (c.user_id, o.user_id) END
 UNION ALL
SELECT 'operator ' || initiator_id || ' on ' || day
  FROM (SELECT initiator_id, (created_at AT TIME ZONE 'Africa/Lagos')::date AS day,
               sum(counted_kobo) AS counted, max(day_limit_kobo) AS most,
               sum(confirmed_kobo) AS confirmed, max(confirm_limit_kobo) AS most_confirmed
          FROM {credits_of_days} AS c WHERE approval_id IS NULL AND NOT is_imported
         GROUP BY initiator_id, day, kind IN ('refund', 'cancellation')) AS alone
 WHERE counted > most OR confirmed > most_confirmed""",
    # Once there are bank statements, every confirmed transfer is in one. Transfers confirmed before
    # operator credits were recorded may be older than the available statements.
    "transfers_in_bank": """
SELECT r.id || ' ' || r.bank || ' ' || r.reference FROM {old_receipts} r
 WHERE EXISTS (SELECT FROM bank_statement)
   AND r.paid_on < (now() AT TIME ZONE 'Africa/Lagos')::date - 7
   AND NOT EXISTS (SELECT FROM bank_line l WHERE l.receipt_id = r.id)
   AND NOT EXISTS (SELECT FROM operator_credit c
                    WHERE c.kind = 'transfer' AND c.document_id = r.id AND c.is_imported)""",
}
CHECKS: Mapping[str, str] = {name: TEMPLATES[name].format_map(WHOLE) for name in TEMPLATES}
SUM_UP = """
SELECT count(*) AS count, (array_agg(example ORDER BY example))[1:{most}] AS examples
  FROM ({query}) AS broken (example)
"""  # the queries are constants


@dataclass(frozen=True)
class LedgerTotals:
    """The number of transfers, and what does not add up."""

    transfers: int
    difference_kobo: Kobo


TOTALS = Query(
    """
SELECT (SELECT count(*) FROM ledger_transfer) AS transfers,
       greatest(abs((SELECT coalesce(sum(balance_kobo), 0) FROM ledger_account)
                    - (SELECT coalesce(sum(CASE debit_type WHEN 'wallet' THEN -amount_kobo
                                           ELSE amount_kobo END), 0) FROM ledger_transfer)),
                (SELECT coalesce(sum(abs(held - moved)), 0) FROM (
                   SELECT a.balance_kobo AS held, coalesce(sum(t.wallet_change_kobo), 0) AS moved
                     FROM ledger_account a LEFT JOIN ledger_transfer t ON t.wallet_id = a.id
                    WHERE a.type = 'wallet' GROUP BY a.id) AS wallets))::bigint AS difference_kobo
""",
    LedgerTotals,
)


@dataclass(frozen=True)
class Violations:
    count: int
    examples: list[str] | None


async def read_one(connection: asyncpg.Connection, query: Query[RowT], *arguments: int) -> RowT:
    """Return the only row of an aggregate.

    Fetches all rows: PostgreSQL starts no parallel workers for a query that fetches only the first.
    """
    (record,) = await connection.fetch(query.statement, *arguments, timeout=PROOF_SECONDS)
    return query.read(record)
