"""The jersey drop: two thousand buyers want the same product at the same moment."""

import json
from collections import Counter
from dataclasses import asdict
from functools import partial

from bench import scale
from bench.checkout import (
    BENCH_TABLES,
    BILLING,
    NEW_NUMBER,
    pgbench_script_slice,
    require_sound_ledger,
    service_slice,
)
from bench.database import BenchDatabase, database
from bench.drop_load import DropPlan, DropTally
from bench.harness import (
    BenchError,
    Subject,
    Verdict,
    interleave,
    paired,
    post,
    run_load,
)
from bench.load import summarise
from bench.subjects import our_server, sign_all_in

BUYERS = 2000
JERSEYS = 500
ROUNDS = 3
SOLD_OUT = '"available":0'
# The service's statement for consecutive buyers, each with their own wallet.
PGBENCH_SCRIPT = """\
SELECT place_orders(jsonb_build_array(jsonb_build_object(
         'id', gen_random_uuid(), 'number', {number}, 'user_id', m.id, 'method', 'wallet',
         'lines', jsonb_build_array(
           jsonb_build_object('id', a.id, 'quantity', 1, 'price_kobo', a.price_kobo)),
         'billing', '{billing}'::jsonb, 'keeps_address', false, 'key', gen_random_uuid(),
         'fingerprint', md5(random()::text), 'now', now())))
  FROM bench_member m, bench_product a
 WHERE m.n = (SELECT 1 + nextval('bench_turn') % {members})::int AND a.n = 1;
"""
TURN = "CREATE SEQUENCE bench_turn; GRANT USAGE ON SEQUENCE bench_turn TO fans_runtime"
JERSEY = "SELECT id || '|' || price_kobo FROM bench_product WHERE n = 1"
LEAVE = """
UPDATE product_variant SET stock = allocated + {count}
 WHERE product_id = (SELECT id FROM bench_product WHERE n = 1)
"""
SOLD = """
SELECT sum(quantity) FROM order_line WHERE product_id = (SELECT id FROM bench_product WHERE n = 1)
"""


def drop(verdict: Verdict) -> None:
    """Sell 500 jerseys to 2,000 simultaneous buyers; and enough for all, compared with pgbench."""
    with database() as rows:
        buyers = scale.people(BUYERS)
        rows.add_members(buyers)
        for statement in (*BENCH_TABLES.split(";"), TURN):
            if statement.strip():
                rows.sql(statement)
        sell_out(verdict, rows)
        rows.sql(LEAVE.format(count=1_000_000))
        ours = Subject("service", partial(service_slice, rows, buyers, buyers, "one-product"))
        script = PGBENCH_SCRIPT.format(
            members=buyers, billing=json.dumps(BILLING), number=NEW_NUMBER
        )
        theirs = Subject("pgbench", partial(pgbench_script_slice, rows, script))
        interleave([ours, theirs], ROUNDS)
        ratio = paired(ours, theirs, "operations_per_second")
        verdict.at_least("service_over_pgbench_one_product", ratio, 4)
        require_sound_ledger(rows)


def sell_out(verdict: Verdict, rows: BenchDatabase) -> None:
    """Have all buyers order at once over HTTP; those who get a 503 retry."""
    buyers, jerseys = scale.people(BUYERS), scale.people(JERSEYS)
    rows.sql(LEAVE.format(count=jerseys))
    before = int(rows.sql(SOLD).strip() or 0)
    product, price = rows.sql(JERSEY).strip().split("|")
    cart = {
        "carts": [{"id": product, "quantity": 1, "price": int(price) / 100}],
        "billing": BILLING,
        "paymentMethod": "wallet",
    }
    path = "/api/v1/products/checkout"
    with our_server(rows) as ours:
        requests = [
            post(path, cart, token=token, key=f"drop-{number:040}")
            for number, token in enumerate(sign_all_in(rows))
        ]
        plan = DropPlan(ours.port, requests, SOLD_OUT)
        tally = DropTally(**run_load("bench.drop_load", asdict(plan)))
    sold = int(rows.sql(SOLD).strip()) - before
    outcomes = Counter(tally.outcomes)
    summary = summarise(tally.latencies_ms, tally.seconds)
    print(
        f"drop over HTTP: {len(requests)} buyers, {dict(outcomes)}, {sold} sold, "
        f"{tally.came_back} asked to come back, decided in {tally.seconds:.1f} s "
        f"({len(requests) / tally.seconds:.0f} a second), p50 {summary.p50_ms:.0f} ms, "
        f"p99 {summary.p99_ms:.0f} ms",
        flush=True,
    )
    if outcomes != {"201": jerseys, "sold out": buyers - jerseys} or sold != jerseys:
        raise BenchError("not everybody was told what became of their order, and rightly")
    verdict.at_most("jerseys_not_sold_or_sold_twice", abs(sold - jerseys), 0, exact=True)
    verdict.at_most("seconds_until_all_are_decided", tally.seconds, 5)
