"""The checkout: checkout-svc beside pgbench, checkout-http beside itself without SQL."""

import json
import os
import subprocess
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from bench import scale
from bench.database import BenchDatabase, database
from bench.harness import (
    BenchError,
    Slice,
    Subject,
    Verdict,
    figures,
    http_slice,
    interleave,
    paired,
    post,
    run_module,
)
from bench.load import KEY, Plan, summarise
from bench.subjects import SignedIn, our_server, our_server_without_database, sign_in

MEMBERS = 10_000
CALLERS = 16
SLICE_SECONDS = 3
ROUNDS = 3
SHOPPERS = 16
BILLING = {"firstName": "Ada", "lastName": "Obi", "phone": "08030000001", "address": "1 Stadium Rd"}
# The same statement, arguments and role as the server's; the order number is drawn from the same
# letters but twice as long, because it is not retried after a collision.
NUMBER_LETTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
NEW_NUMBER = "'FC-' || " + " || ".join(
    [f"substr('{NUMBER_LETTERS}', 1 + floor(random() * {len(NUMBER_LETTERS)})::int, 1)"] * 12
)
PGBENCH_SCRIPT = """\
\\set member random(1, {members})
\\set one random(1, {products})
\\set two random(1, {products})
SELECT place_orders(jsonb_build_array(jsonb_build_object(
         'id', gen_random_uuid(), 'number', {number}, 'user_id', m.id, 'method', 'wallet',
         'lines', jsonb_build_array(
           jsonb_build_object('id', a.id, 'quantity', 1, 'price_kobo', a.price_kobo),
           jsonb_build_object('id', b.id, 'quantity', 2, 'price_kobo', b.price_kobo)),
         'billing', '{billing}'::jsonb, 'keeps_address', false, 'key', gen_random_uuid(),
         'fingerprint', md5(random()::text), 'now', now())))
  FROM bench_member m, bench_product a, bench_product b
 WHERE m.n = :member::int AND a.n = :one::int
   AND b.n = (:one::int + :two::int) % {products} + 1;
"""
BENCH_TABLES = """
CREATE TABLE bench_member AS
  SELECT row_number() OVER (ORDER BY id)::int AS n, id FROM user_account WHERE email LIKE 'bench%';
CREATE TABLE bench_product AS
  SELECT row_number() OVER (ORDER BY position, id)::int AS n, id, price_kobo FROM product;
ALTER TABLE bench_member ADD PRIMARY KEY (n);
ALTER TABLE bench_product ADD PRIMARY KEY (n);
GRANT SELECT ON bench_member, bench_product TO fans_runtime;
"""


def checkout_svc(verdict: Verdict) -> None:
    """Compare our service layer with pgbench calling the same function."""
    with database() as rows:
        rows.add_members(scale.people(MEMBERS))
        for statement in BENCH_TABLES.split(";"):
            if statement.strip():
                rows.sql(statement)
        for name, members, goal in (("many", scale.people(MEMBERS), 0.6), ("one", 1, 0.8)):
            ours = Subject(f"service, {name}", partial(service_slice, rows, members))
            theirs = Subject(f"pgbench, {name}", partial(pgbench_slice, rows, members))
            interleave([ours, theirs], ROUNDS)
            ratio = paired(ours, theirs, "operations_per_second")
            verdict.at_least(f"service_over_pgbench_{name}", ratio, goal)
        require_sound_ledger(rows)


def service_slice(rows: BenchDatabase, members: int, callers: int = CALLERS, *words: str) -> Slice:
    """Run our service layer in a separate process."""
    environment = {**os.environ, **rows.app_environment(1)}
    asked = (str(members), str(callers), str(scale.seconds(SLICE_SECONDS)), *words)
    return Slice(**run_module(["bench.service_load", *asked], env=environment))


def pgbench_slice(rows: BenchDatabase, members: int) -> Slice:
    """Run pgbench with carts of two products."""
    script = PGBENCH_SCRIPT.format(
        members=members, products=50, billing=json.dumps(BILLING), number=NEW_NUMBER
    )
    return pgbench_script_slice(rows, script)


def pgbench_script_slice(rows: BenchDatabase, script: str) -> Slice:
    """Run a prepared pgbench script with as many connections as ours, and read its log.

    Raises:
        BenchError: it failed, or some of its transactions did.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "checkout.sql"
        path.write_text(script, encoding="utf-8")
        command = [
            *(str(rows.postgres.bin_dir / "pgbench"), "--no-vacuum", "--protocol=prepared"),
            *(f"--client={CALLERS}", "--jobs=1", scale.pgbench_length(SLICE_SECONDS)),
            f"--file={path}",
            *("--log", f"--log-prefix={folder}/latency", "--max-tries=1"),
        ]
        environment = {
            **os.environ,
            **rows.peer_environment(),
            "PGOPTIONS": "-c role=fans_runtime",
        }
        result = subprocess.run(
            command, env=environment, capture_output=True, text=True, check=False
        )
        if result.returncode != 0 or "number of failed transactions: 0 " not in result.stdout:
            raise BenchError(f"pgbench failed: {result.stdout[-400:]} {result.stderr[-600:]}")
        latencies = [
            int(line.split()[2]) / 1000
            for log in Path(folder).glob("latency*")
            for line in log.read_text(encoding="utf-8").splitlines()
        ]
    return figures(summarise(latencies, SLICE_SECONDS), 0.0)


def checkout_http(verdict: Verdict) -> None:
    """Compare POST checkout with the same route whose statement is a constant."""
    with database() as rows:
        rows.add_members(SHOPPERS)
        with our_server(rows) as ours, our_server_without_database(rows) as floor:
            shoppers = [sign_in(ours, f"bench{n}@example.com") for n in range(1, SHOPPERS + 1)]
            plans = {
                target.port: Plan(target.port, SHOPPERS, 2.0, list(checkouts(rows, shoppers)))
                for target in (ours, floor)
            }
            real = Subject("checkout", lambda: http_slice(ours, plans[ours.port], expect="201"))
            bare = Subject(
                "without database", lambda: http_slice(floor, plans[floor.port], expect="201")
            )
            interleave([real, bare], ROUNDS)
        require_sound_ledger(rows)
    verdict.at_least("checkout_over_no_database", paired(bare, real, "cpu_us_per_operation"), 0.6)
    print(f"also: ops/s ratio {paired(real, bare, 'operations_per_second'):.3f}")


def checkouts(rows: BenchDatabase, shoppers: list[SignedIn]) -> Iterator[str]:
    """Yield one two-line checkout per shopper, who is identified by the token."""
    prices = [
        line.split("|")
        for line in rows.sql(
            "SELECT id, price_kobo FROM product ORDER BY position, id"
        ).splitlines()
    ]
    for number, shopper in enumerate(shoppers):
        lines = [
            {"id": product, "quantity": quantity, "price": int(price) / 100}
            for quantity, (product, price) in enumerate(
                (prices[number % len(prices)], prices[(number * 3 + 7) % len(prices)]), start=1
            )
        ]
        body = {"carts": lines, "billing": BILLING, "paymentMethod": "wallet"}
        yield post("/api/v1/products/checkout", body, token=shopper.token, key=KEY.decode())


def require_sound_ledger(rows: BenchDatabase) -> None:
    """Check the ledger after the run.

    Raises:
        BenchError: a balance is negative or differs from its transfers, or an order has none.
    """
    unsound = rows.sql(
        """
        SELECT (SELECT count(*) FROM ledger_account WHERE type = 'wallet' AND balance_kobo < 0)
             + (SELECT count(*) FROM ledger_account a WHERE a.type = 'wallet' AND a.balance_kobo <>
                 (SELECT coalesce(sum(wallet_change_kobo), 0) FROM ledger_transfer
                   WHERE wallet_id = a.id))
             + (SELECT count(*) FROM shop_order o LEFT JOIN ledger_transfer t
                   ON t.id = o.transfer_id
                 WHERE o.payment_method = 'wallet' AND t.amount_kobo IS DISTINCT FROM o.total_kobo)
        """
    ).strip()
    orders = int(rows.sql("SELECT count(*) FROM shop_order").strip())
    if unsound != "0" or orders < scale.min_count(100):
        raise BenchError(f"the ledger is not sound: {unsound} bad rows, {orders} orders")
    print(f"ledger sound after {orders} orders")
