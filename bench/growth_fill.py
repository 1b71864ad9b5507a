"""A database after years of use: a million members and their rows, written by SQL.

Rows are as the functions would have written them, so that the same functions can continue: balances
equal their last transfer, rooms their last message, histograms their boards. Triggers and indexes
are disabled while rows are written; the indexes are rebuilt at the end.
"""

import os
import time
from concurrent.futures import ThreadPoolExecutor

from bench import scale
from bench.database import BenchDatabase

MEMBERS = int(os.environ.get("GROWTH_MEMBERS", "1000000"))

# uuidv7(shift) generates past ids in chronological order, like the server's.
BEFORE = "; ".join(
    f"ALTER SYSTEM SET {one}"
    for one in (
        "fsync = off",
        "full_page_writes = off",
        "autovacuum = off",
        "max_wal_size = '8GB'",
        "maintenance_work_mem = '512MB'",
    )
)
AFTER = "; ".join(
    f"ALTER SYSTEM RESET {one}"
    for one in ("fsync", "full_page_writes", "autovacuum", "maintenance_work_mem")
)
AS_REPLICA = "SET session_replication_role = replica; "
HELPERS = """
CREATE FUNCTION grown(kind int, n bigint) RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN ('00000000-0000-7000-' || (8000 + kind) || '-' || lpad(to_hex(n), 12, '0'))::uuid;
CREATE TABLE grown_club AS
  SELECT id, (row_number() OVER (ORDER BY name) - 1)::int AS place FROM club;
CREATE FUNCTION grown_club_of(n bigint) RETURNS uuid LANGUAGE sql STABLE
  RETURN (SELECT id FROM grown_club WHERE place = n % {clubs})
"""
# ``{n}`` is the number of members, ``{clubs}`` the number of clubs. The two lists share no table.
FILLS: tuple[tuple[str, ...], tuple[str, ...]] = (
    (
        """INSERT INTO user_account (id, club_id, first_name, last_name, email, phone,
                                   terms_accepted_at, activated_at)
           SELECT grown(0, n), c.id, 'Grown', 'Member ' || n, 'grown' || n || '@example.com',
                  '+235' || lpad(n::text, 10, '0'), now() - interval '2 years',
                  now() - interval '2 years'
             FROM generate_series(1, {n}) n JOIN grown_club c ON c.place = n % {clubs}""",
        """INSERT INTO chat_room (id, club_id, last_seq)
           SELECT id, id, 7 * {n}::bigint / {clubs} + 1 FROM club
           UNION ALL SELECT '00000000-0000-0000-0000-000000000000', NULL, 3 * {n}::bigint + 10
           ON CONFLICT (id) DO UPDATE SET last_seq = excluded.last_seq""",
        """DELETE FROM chat_message""",
        """INSERT INTO chat_message (id, room_id, seq, user_id, client_id, content, sent_at,
                                   hidden_at)
           SELECT uuidv7(-age), coalesce(c.id, '00000000-0000-0000-0000-000000000000'),
                  CASE WHEN i % 10 < 3 THEN i / 10 * 3 + i % 10 + 1 ELSE j / {clubs} + 1 END,
                  grown(0, 1 + (i * 7919) % {n}), uuidv7(-age),
                  'What a match that was, number ' || i || ' of the season', now() - age,
                  CASE WHEN i % 997 = 0 THEN now() - age END
             FROM generate_series(0, 10 * {n}::bigint - 1) i
            CROSS JOIN LATERAL (SELECT i / 10 * 7 + i % 10 - 3 AS j,
                    interval '700 days' * (1.0 - i / (10.0 * {n})) AS age) x
             LEFT JOIN grown_club c ON i % 10 >= 3 AND c.place = j % {clubs}""",
        """INSERT INTO chat_membership (user_id, room_id, last_read_seq, joined_at)
           SELECT grown(0, n), r.id, greatest(0, r.last_seq - n % 200), now() - interval '1 year'
             FROM generate_series(1, {n}) n JOIN grown_club c ON c.place = n % {clubs}
             JOIN chat_room r ON r.club_id = c.id OR r.club_id IS NULL""",
        """INSERT INTO point_entry (id, user_id, club_id, season_id, source, source_id, points,
                                  elapsed_ms, detail, day, earned_at)
           SELECT uuidv7(-age), grown(0, 1 + (i * 7919) % {n}), c.id,
                  (SELECT id FROM season LIMIT 1),
                  'trivia', uuidv7(-age), 20, 900, '{{"of": 5, "right": 4}}', (now() - age)::date,
                  now() - age
             FROM generate_series(1, 3 * {n}::bigint) i
            CROSS JOIN LATERAL (SELECT interval '700 days' * (1.0 - i / (3.0 * {n})) AS age) x
             JOIN grown_club c ON c.place = (1 + (i * 7919) % {n}) % {clubs}""",
        """DELETE FROM board_total; DELETE FROM rank_histogram; DELETE FROM board;
           DELETE FROM points_pending""",
        """INSERT INTO board (period, starts_on, season_id)
           SELECT 'day', current_date - d, NULL::uuid FROM generate_series(0, 20) d
           UNION ALL SELECT 'week', date_trunc('week', current_date)::date, NULL
           UNION ALL SELECT 'month', date_trunc('month', current_date)::date, NULL
           UNION ALL SELECT 'season', NULL, id FROM season""",
        """INSERT INTO board_total (board_id, user_id, club_id, points, elapsed_ms, reached_at)
           SELECT b.id, grown(0, n), c.id, (5000 * power(random(), 3))::int + 1,
                  (random() * 100000)::int, now() - random() * interval '20 days'
             FROM board b
            CROSS JOIN LATERAL generate_series(1, {n}, CASE b.period WHEN 'day' THEN 10
                    WHEN 'week' THEN 2 ELSE 1 END) n
             JOIN grown_club c ON c.place = n % {clubs}""",
        """INSERT INTO rank_histogram (board_id, club_id, level, bucket, members)
           SELECT board_id, whose, level, bucket, count(*)
             FROM board_total t
            CROSS JOIN LATERAL (VALUES (t.club_id), ('00000000-0000-0000-0000-000000000000'::uuid))
                  w (whose)
            CROSS JOIN LATERAL (VALUES (1, t.points / 1000), (2, t.points / 100),
                                       (3, t.points / 10), (4, t.points)) AS side (level, bucket)
            GROUP BY board_id, whose, level, bucket""",
        """INSERT INTO member_season (user_id, season_id, club_id, points, battle_points, answered,
                                    answered_correctly, badge)
           SELECT t.user_id, b.season_id, t.club_id, t.points, 0, 10, 5, 'rookie'
             FROM board_total t JOIN board b ON b.id = t.board_id WHERE b.period = 'season'
           ON CONFLICT DO NOTHING""",
    ),
    (
        """INSERT INTO ledger_account (id, type, owner_id, balance_kobo, entries)
           SELECT grown(1, n), 'wallet', grown(0, n), 3000000, 10 FROM generate_series(1, {n}) n""",
        """INSERT INTO ledger_transfer (id, kind, reference, debit_id, debit_type, credit_id,
                                      credit_type, amount_kobo, wallet_id, wallet_entry,
                                      wallet_change_kobo, wallet_after_kobo, created_at)
           SELECT CASE e WHEN 2 THEN grown(2, n) WHEN 6 THEN grown(3, n) ELSE uuidv7(-age) END,
                  x.kind, 'grown:' || n || ':' || e,
                  CASE WHEN x.kind = 'fund' THEN house.id ELSE grown(1, n) END,
                  CASE WHEN x.kind = 'fund' THEN house.type ELSE 'wallet' END,
                  CASE WHEN x.kind = 'fund' THEN grown(1, n) ELSE house.id END,
                  CASE WHEN x.kind = 'fund' THEN 'wallet' ELSE house.type END,
                  x.amount, grown(1, n), e,
                  CASE WHEN x.kind = 'fund' THEN x.amount ELSE -x.amount END,
                  e / 2 * 600000 + e % 2 * 1000000, now() - age
             FROM generate_series(1, 10) e CROSS JOIN generate_series(1, {n}) n
            CROSS JOIN LATERAL (SELECT interval '70 days' * (11 - e - n / ({n} + 1.0)) AS age,
                    CASE WHEN e % 2 = 1 THEN 'fund' WHEN e = 6 THEN 'subscription'
                         ELSE 'purchase' END AS kind,
                    CASE WHEN e % 2 = 1 THEN 1000000 ELSE 400000 END AS amount) x
             JOIN ledger_account house ON house.type = CASE x.kind WHEN 'fund' THEN 'gateway'
                    WHEN 'subscription' THEN 'subscriptions' ELSE 'sales' END""",
        """INSERT INTO shop_order (id, number, user_id, status, payment_method, is_paid, total_kobo,
                                 billing, transfer_id, pay_by, created_at)
           SELECT uuidv7(-age), 'FC-G' || k || lpad(to_hex(n), 6, '0'), grown(0, n),
                  CASE WHEN k = 0 THEN 'delivered' WHEN n % 1000 = 0 THEN 'pending'
                       ELSE 'expired' END,
                  CASE k WHEN 0 THEN 'wallet' ELSE 'bank-transfer' END, k = 0, 400000,
                  '{{"firstName": "Grown", "address": "1 Long Street, Lagos"}}',
                  CASE k WHEN 0 THEN grown(2, n) END,
                  CASE k WHEN 1 THEN now() + interval '1 day' END,
                  now() - age
             FROM generate_series(0, 1) k CROSS JOIN generate_series(1, {n}) n
            CROSS JOIN LATERAL (SELECT interval '300 days' * (2 - k - n / ({n} + 1.0)) AS age) x""",
        """INSERT INTO order_line (order_id, line, product_id, variant_id, name, price_kobo,
                                 quantity, thumbnail)
           SELECT o.id, 1, p.id, p.variant_id, p.name, 200000, 2, p.thumbnail
             FROM shop_order o
            CROSS JOIN (SELECT p.*, v.id AS variant_id FROM product p
                          JOIN product_variant v ON v.product_id = p.id AND v.is_default
                         ORDER BY p.position LIMIT 1) p""",
        """INSERT INTO subscription (id, user_id, plan_id, starts_at, ends_at, amount_kobo,
                                   transfer_id)
           SELECT uuidv7(-interval '20 days'), grown(0, n), p.id, now() - interval '20 days',
                  now() + interval '10 days', 400000, grown(3, n)
             FROM generate_series(1, {n}) n
            CROSS JOIN (SELECT id FROM plan ORDER BY position DESC LIMIT 1) p""",
        """INSERT INTO funding (id, reference, user_id, gateway, amount_kobo, currency, state,
                              gateway_transaction_id, decided_at, notified_at, created_at)
           SELECT uuidv7(-age), 'grown-' || k || '-' || n, grown(0, n), 'paystack', 1000000, 'NGN',
                  'succeeded', 'grown-' || k || '-' || n, now() - age, now() - age, now() - age
             FROM generate_series(0, 1) k CROSS JOIN generate_series(1, {n}) n
            CROSS JOIN LATERAL (SELECT interval '300 days' * (2.1 - k - n / ({n} + 1.0)) AS age
                  ) x""",
        """INSERT INTO payment_event (id, gateway, dedupe_key, type, reference, raw, received_at)
           SELECT uuidv7(f.created_at - now()), 'paystack', f.reference, 'charge.success',
                  f.reference,
                  convert_to(repeat(md5(f.reference), 20), 'UTF8'), f.created_at FROM funding f""",
        """INSERT INTO session (id, user_id, device, created_at, last_seen_at, expires_at,
                              revoked_at)
           SELECT uuidv7(-age), grown(0, n), 'Chrome on Android', now() - age, now() - age,
                  now() - age + interval '7 days', CASE WHEN n % 3 = 0 THEN now() - age END
             FROM generate_series(1, {n}) n
            CROSS JOIN LATERAL (SELECT interval '35 days' * (1.0 - n / ({n} + 1.0)) AS age) x""",
        """INSERT INTO known_origin (user_id, origin, seen_at)
           SELECT grown(0, n), md5(n::text), now() - interval '80 days' * random()
             FROM generate_series(1, {n}) n""",
        """INSERT INTO idempotency_key (user_id, key, route, fingerprint, answer, created_at)
           SELECT grown(0, n), uuidv7()::text, 'checkout', md5(n::text), '{{"id": "x"}}',
                  now() - interval '2 days' * random()
             FROM generate_series(1, {n}, 10) n""",
        """INSERT INTO trivia_attempt (id, user_id, day, club_id, shown, issued_at, submitted_at,
                                     choices, correct, points)
           SELECT uuidv7(-interval '1 day' * d), grown(0, n), current_date - d, c.id, shown.items,
                  now() - interval '1 day' * d, now() - interval '1 day' * d, '{{}}', 4, 20
             FROM (SELECT jsonb_agg(jsonb_build_object(
                            'question', id, 'order', '[2, 0, 3, 1]'::jsonb)) AS items
                     FROM (SELECT id FROM question WHERE kind = 'trivia' LIMIT 5) q) shown
            CROSS JOIN generate_series(2, 1, -1) d CROSS JOIN generate_series(1, {n}) n
             JOIN grown_club c ON c.place = n % {clubs}""",
        """INSERT INTO battle_attempt (id, user_id, club_id, season_id, day, n, question_id, rank,
                                     shown, opened_at, deadline_at, answer, outcome, points,
                                     elapsed_ms, closed_at)
           SELECT uuidv7(-interval '1 day' * (d + 40)), grown(0, n), c.id, s.id,
                  current_date - 40 - d, 1, q.id, 'rookie', '{{0,1,2,3}}',
                  now() - interval '1 day' * (d + 40), now() - interval '1 day' * (d + 40), 1,
                  'right', 10, 4000, now() - interval '1 day' * (d + 40)
             FROM generate_series(2, 1, -1) d CROSS JOIN generate_series(1, {n}) n
             JOIN grown_club c ON c.place = n % {clubs}
            CROSS JOIN (SELECT id FROM season LIMIT 1) s
            CROSS JOIN (SELECT id FROM question WHERE kind = 'battle' LIMIT 1) q""",
        """INSERT INTO moment (id, user_id, title, content, thumbnail_key, video_key, video_type,
                             video_bytes, created_at)
           SELECT uuidv7(-interval '1 day' * (n % 600)), grown(0, n), 'Goal', 'What a goal',
                  'moments/g' || n || '.webp', 'moments/g' || n || '.mp4', 'video/mp4', 1000000,
                  now() - interval '1 day' * (n % 600)
             FROM generate_series(1, {n}, 5) n""",
        """INSERT INTO trivia_set (club_id, day, question_ids)
           SELECT c.id, current_date - d, q.ids FROM club c CROSS JOIN generate_series(1, 365) d
            CROSS JOIN (SELECT array_agg(id) AS ids FROM (SELECT id FROM question
                         WHERE kind = 'trivia' LIMIT 5) one) q ON CONFLICT DO NOTHING""",
    ),
)
CLUB_SIZES = """
DELETE FROM club_size_change; DELETE FROM club_size;
INSERT INTO club_size (club_id, members)
SELECT club_id, count(*) FROM user_account WHERE erased_at IS NULL GROUP BY club_id
"""
SIZES = """
SELECT c.relname, c.reltuples::bigint, pg_table_size(c.oid) / 1000000,
       pg_indexes_size(c.oid) / 1000000
  FROM pg_class c WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace
   AND c.reltuples >= {least} ORDER BY pg_total_relation_size(c.oid) DESC
"""
# Indexes are not updated while rows are written; REINDEX makes them valid again.
SET_ASIDE = """
UPDATE pg_index SET indisready = false, indisvalid = false
 WHERE indrelid = ANY (ARRAY[{tables}]::regclass[])
"""
TABLES = tuple(
    sorted(
        {
            fill.split("INSERT INTO ")[1].split()[0]
            for part in FILLS
            for fill in part
            if "INSERT INTO " in fill
        }
        - {"chat_room", "board"}
    )
)


def many() -> int:
    """Return the number of members of the large database."""
    return scale.rows(MEMBERS)


def grow(rows: BenchDatabase, members: int) -> None:
    """Fill a database that has the demo data, and print its size."""
    began = time.monotonic()
    configure(rows, BEFORE)
    clubs = int(rows.sql("SELECT count(*) FROM club"))
    rows.sql(HELPERS.format(clubs=clubs))
    rows.sql(SET_ASIDE.format(tables=", ".join(f"'{table}'" for table in TABLES)))

    def fill(part: tuple[str, ...]) -> None:
        for statement in part:
            rows.sql(AS_REPLICA + statement.format(n=members, clubs=clubs))

    with ThreadPoolExecutor(len(FILLS)) as both:
        list(both.map(fill, FILLS))
        print(f"rows written in {time.monotonic() - began:.0f} s", flush=True)
        list(both.map(lambda table: rows.sql(f"REINDEX TABLE {table}"), TABLES))
    rows.sql(CLUB_SIZES)
    rows.sql("VACUUM ANALYZE")
    configure(rows, AFTER)
    rows.sql("CHECKPOINT")
    size = int(rows.sql("SELECT pg_database_size(current_database()) / 1000000"))
    print(f"{members} members grown in {time.monotonic() - began:.0f} s: {size} MB", flush=True)
    print(f"{'table':20}{'rows':>12}{'MB':>8}{'indexes':>9}")
    for line in rows.sql(SIZES.format(least=members // 10)).splitlines():
        table, count, table_mb, index_mb = line.split("|")
        print(f"{table:20}{count:>12}{table_mb:>8}{index_mb:>9}", flush=True)


def configure(rows: BenchDatabase, settings: str) -> None:
    """Change settings of the server, one per statement, and reload them."""
    for statement in (*settings.strip().split("; "), "SELECT pg_reload_conf()"):
        rows.sql(statement)
