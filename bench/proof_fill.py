"""A ledger after years of use, with all records behind its entries, so that the audit passes.

A member has ten entries: five fundings, four orders and a plan. Rows are as the functions would
have written them, in chronological order, so that a wallet's entries are far apart.
"""

import os
import time
from concurrent.futures import ThreadPoolExecutor

from bench.database import BenchDatabase
from bench.growth_fill import AFTER, AS_REPLICA, BEFORE, FILLS, HELPERS, SET_ASIDE, configure

ENTRIES = int(os.environ.get("PROOF_ENTRIES", "10000000"))
EACH = 10  # entries per wallet

# Members are numbered by ``n``, their entries by ``e``. An entry's record has an id of kind ``30 +
# e``, its transfer one of kind ``10 + e``.
MEMBERS = FILLS[0][0]
REFERENCE = "'FW-' || upper(left(md5(n || ':' || e), 26))"
MOMENT = "now() - interval '70 days' * (11 - e - n / ({n} + 1.0))"
BILLING = (
    '{"firstName": "Grown", "lastName": "Member", "phone": "08030000001", '
    '"address": "1 Long Street, Lagos", "state": "Lagos"}'
)
REPORT = """'{"event":"charge.success","data":{"id":' || n * 16 + e || ',"domain":"live",'
         || '"status":"success","reference":"' || reference || '","amount":1000000,'
         || '"currency":"NGN","channel":"card","gateway_response":"Successful",'
         || '"metadata":{"user_id":"' || grown(0, n) || '"},"fees":15000,"customer":{"email":'
         || '"grown' || n || '@example.com"},"authorization":{"bank":"TEST BANK"}}}'"""
TABLES: dict[str, str] = {
    "ledger_account": """
INSERT INTO ledger_account (id, type, owner_id, balance_kobo, entries)
SELECT grown(1, n), 'wallet', grown(0, n), 3000000, 10 FROM generate_series(1, {n}) n""",
    "ledger_transfer": """
INSERT INTO ledger_transfer (id, kind, reference, debit_id, debit_type, credit_id, credit_type,
                             amount_kobo, wallet_id, wallet_entry, wallet_change_kobo,
                             wallet_after_kobo, created_at)
SELECT grown(10 + e, n), x.kind,
       CASE x.kind WHEN 'fund' THEN {reference} WHEN 'purchase' THEN grown(30 + e, n)::text
                   ELSE 'plan:' || grown(30 + e, n) END,
       CASE x.kind WHEN 'fund' THEN house.id ELSE grown(1, n) END,
       CASE x.kind WHEN 'fund' THEN house.type ELSE 'wallet' END,
       CASE x.kind WHEN 'fund' THEN grown(1, n) ELSE house.id END,
       CASE x.kind WHEN 'fund' THEN 'wallet' ELSE house.type END,
       abs(x.change), grown(1, n), e, x.change, e / 2 * 600000 + e % 2 * 1000000, {moment}
  FROM generate_series(1, 10) e CROSS JOIN generate_series(1, {n}) n
 CROSS JOIN LATERAL (SELECT CASE WHEN e % 2 = 1 THEN 'fund' WHEN e = 6 THEN 'subscription'
                                 ELSE 'purchase' END AS kind,
                            CASE WHEN e % 2 = 1 THEN 1000000 ELSE -400000 END AS change) x
  JOIN ledger_account house ON house.owner_id IS NULL AND house.type = CASE x.kind
       WHEN 'fund' THEN 'gateway' WHEN 'subscription' THEN 'subscriptions' ELSE 'sales' END""",
    "funding": """
INSERT INTO funding (id, reference, user_id, gateway, amount_kobo, currency, state,
                     gateway_transaction_id, decided_at, notified_at, created_at)
SELECT grown(30 + e, n), {reference}, grown(0, n), 'paystack', 1000000, 'NGN', 'succeeded',
       n * 16 + e, {moment}, {moment}, {moment}
  FROM generate_series(1, 9, 2) e CROSS JOIN generate_series(1, {n}) n""",
    "payment_event": """
INSERT INTO payment_event (id, gateway, dedupe_key, type, reference, raw, received_at, state)
SELECT grown(50 + e, n), 'paystack', 'paystack:charge.success:' || n * 16 + e, 'charge.success',
       reference, convert_to({report}, 'UTF8'), {moment}, 'matched'
  FROM generate_series(1, 9, 2) e CROSS JOIN generate_series(1, {n}) n
 CROSS JOIN LATERAL (SELECT {reference} AS reference) r""",
    "shop_order": """
INSERT INTO shop_order (id, number, user_id, status, payment_method, is_paid, total_kobo, billing,
                        transfer_id, created_at)
SELECT grown(30 + e, n), 'FC-' || e || lpad(to_hex(n), 8, '0'), grown(0, n),
       CASE WHEN e = 10 AND n % 100 = 0 THEN 'processing' ELSE 'delivered' END, 'wallet', true,
       400000, '{billing}', grown(10 + e, n), {moment}
  FROM unnest(ARRAY[2, 4, 8, 10]) e CROSS JOIN generate_series(1, {n}) n""",
    "order_line": """
INSERT INTO order_line (order_id, line, product_id, variant_id, name, price_kobo, quantity,
                        thumbnail)
SELECT grown(30 + e, n), 1, p.product_id, p.id, 'Grown Jersey', 200000, 2, '/media/a.webp'
  FROM unnest(ARRAY[2, 4, 8, 10]) e CROSS JOIN generate_series(1, {n}) n
  JOIN (SELECT id, product_id, row_number() OVER (ORDER BY id) - 1 AS place
          FROM product_variant) p ON p.place = n % (SELECT count(*) FROM product_variant)""",
    "subscription": """
INSERT INTO subscription (id, user_id, plan_id, starts_at, ends_at, amount_kobo, transfer_id)
SELECT grown(36, n), grown(0, n), p.id, now() - interval '20 days', now() + interval '10 days',
       400000, grown(16, n)
  FROM generate_series(1, {n}) n
 CROSS JOIN (SELECT id FROM plan ORDER BY position DESC LIMIT 1) p""",
}
# A night's new entries, one per wallet: half are fundings, the others mostly orders. Each night has
# wallets of its own, spread over all.
NEW_TABLES = (
    """
CREATE UNLOGGED TABLE IF NOT EXISTS bench_new (n bigint, kind text, change bigint, id uuid);
TRUNCATE bench_new;
INSERT INTO bench_new
SELECT 1 + i * 7919 % {n}, x.kind, CASE x.kind WHEN 'fund' THEN 1000000 ELSE -400000 END, uuidv7()
  FROM generate_series({r}::bigint * {new}, ({r} + 1)::bigint * {new} - 1) i
 CROSS JOIN LATERAL (SELECT CASE WHEN i % 10 < 5 THEN 'fund' WHEN i % 10 < 9 THEN 'purchase'
                                 ELSE 'subscription' END AS kind) x""",
    """
INSERT INTO ledger_transfer (id, kind, reference, debit_id, debit_type, credit_id, credit_type,
                             amount_kobo, wallet_id, wallet_entry, wallet_change_kobo,
                             wallet_after_kobo)
SELECT b.id, b.kind, CASE b.kind WHEN 'fund' THEN 'FW-NEW-' ELSE '' END || b.id,
       CASE b.kind WHEN 'fund' THEN house.id ELSE a.id END,
       CASE b.kind WHEN 'fund' THEN house.type ELSE 'wallet' END,
       CASE b.kind WHEN 'fund' THEN a.id ELSE house.id END,
       CASE b.kind WHEN 'fund' THEN 'wallet' ELSE house.type END,
       abs(b.change), a.id, a.entries + 1, b.change, a.balance_kobo + b.change
  FROM bench_new b JOIN ledger_account a ON a.id = grown(1, b.n)
  JOIN ledger_account house ON house.owner_id IS NULL AND house.type = CASE b.kind
       WHEN 'fund' THEN 'gateway' WHEN 'subscription' THEN 'subscriptions' ELSE 'sales' END
 ORDER BY b.id""",
    """
UPDATE ledger_account a SET balance_kobo = balance_kobo + b.change, entries = entries + 1
  FROM bench_new b WHERE a.id = grown(1, b.n)""",
    """
INSERT INTO funding (id, reference, user_id, gateway, amount_kobo, currency, state,
                     gateway_transaction_id, decided_at, notified_at)
SELECT id, 'FW-NEW-' || id, grown(0, n), 'paystack', change, 'NGN', 'succeeded', id, now(), now()
  FROM bench_new WHERE kind = 'fund'""",
    """
INSERT INTO payment_event (id, gateway, dedupe_key, type, reference, raw, state)
SELECT id, 'paystack', 'paystack:charge.success:' || id, 'charge.success', 'FW-NEW-' || id,
       '{{}}', 'matched' FROM bench_new WHERE kind = 'fund'""",
    """
INSERT INTO shop_order (id, number, user_id, status, payment_method, is_paid, total_kobo, billing,
                        transfer_id)
SELECT id, 'FC-N' || {r} || lpad(to_hex(n), 8, '0'), grown(0, n), 'delivered', 'wallet', true,
       400000, '{billing}', id FROM bench_new WHERE kind = 'purchase'""",
    """
INSERT INTO order_line (order_id, line, product_id, variant_id, name, price_kobo, quantity,
                        thumbnail)
SELECT b.id, 1, p.product_id, p.id, 'Grown Jersey', 200000, 2, '/media/a.webp'
  FROM bench_new b CROSS JOIN (SELECT * FROM product_variant ORDER BY id LIMIT 1) p
 WHERE b.kind = 'purchase'""",
    """
UPDATE subscription s SET replaced_at = now()
  FROM bench_new b WHERE b.kind = 'subscription' AND s.user_id = grown(0, b.n)""",
    """
INSERT INTO subscription (id, user_id, plan_id, starts_at, ends_at, amount_kobo, transfer_id)
SELECT b.id, grown(0, b.n), p.id, now(), now() + interval '30 days', 400000, b.id
  FROM bench_new b CROSS JOIN (SELECT id FROM plan ORDER BY position DESC LIMIT 1) p
 WHERE b.kind = 'subscription'""",
)
HELD = """
UPDATE product_variant v SET stock = 1000000000, allocated = held.units
  FROM (SELECT l.variant_id, sum(l.quantity) AS units
          FROM order_line l JOIN shop_order o ON o.id = l.order_id
         WHERE o.status = 'processing' GROUP BY l.variant_id) held WHERE held.variant_id = v.id
"""
SIZES = """
SELECT c.relname, c.reltuples::bigint, pg_table_size(c.oid) / 1000000
  FROM pg_class c WHERE c.relname = ANY (ARRAY[{tables}]) ORDER BY 3 DESC
"""


def add_night(rows: BenchDatabase, number: int, new: int, entries: int) -> str:
    """Add a night's new entries with their records; return the first id."""
    words = {"n": entries // EACH, "r": number, "new": new, "billing": BILLING}
    for statement in NEW_TABLES:
        rows.sql(AS_REPLICA + statement.format(**words))
    return rows.sql("SELECT id FROM bench_new ORDER BY id LIMIT 1").strip()


def fill(rows: BenchDatabase, entries: int) -> None:
    """Fill a database that has the demo data, and print its size."""
    began = time.monotonic()
    members, clubs = entries // EACH, int(rows.sql("SELECT count(*) FROM club"))
    tables = ("user_account", *TABLES)
    named = ", ".join(f"'{table}'" for table in tables)
    configure(rows, BEFORE)
    rows.sql(HELPERS.format(clubs=clubs))
    rows.sql(SET_ASIDE.format(tables=named))
    statements = (MEMBERS, *TABLES.values())

    words = {
        "n": members,
        "clubs": clubs,
        "reference": REFERENCE,
        "moment": MOMENT.format(n=members),
        "billing": BILLING,
        "report": REPORT,
    }

    def insert(statement: str) -> None:
        rows.sql(AS_REPLICA + statement.format(**words))

    with ThreadPoolExecutor(2) as both:
        list(both.map(insert, statements))
        list(both.map(lambda table: rows.sql(f"REINDEX TABLE {table}"), tables))
    rows.sql(HELD)
    rows.sql("VACUUM ANALYZE")
    configure(rows, AFTER)
    rows.sql("CHECKPOINT")
    print(f"{entries} entries filled in {time.monotonic() - began:.0f} s")
    for line in rows.sql(SIZES.format(tables=named)).splitlines():
        table, count, table_mb = line.split("|")
        print(f"{table:20}{count:>12}{table_mb:>8} MB", flush=True)
