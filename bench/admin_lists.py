"""The back office's lists with a million members, orders and transactions, and with a thousand."""

import http.client
import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from statistics import median
from typing import Any
from urllib.parse import urlencode

from api.dev.seed import DEMO_PASSWORD
from api.foundation.core import clock
from api.foundation.core.config import DEMO_OPERATOR_TOTP
from api.foundation.core.ids import first_id_at
from api.foundation.http.openapi_components import expand_paths
from api.foundation.security.one_time_codes import code_at

from bench import scale
from bench.database import BenchDatabase, database
from bench.growth_fill import AS_REPLICA, grow, many
from bench.growth_plans import executed, explain, listen
from bench.harness import BenchError, Server, Verdict, port_of, server

FEW = 1000  # members of the small side, enough for full pages
ROUNDS = 11
GOAL = 3.0
SHOWN_PLANS = 5
TIMEOUT_SECONDS = 60.0
PREFIX = "/api/v1/admin"
DEEP = timedelta(days=200)
# What stands in a list's path, read from each side's rows.
OF_ROWS = {
    "order_id": "SELECT id FROM shop_order WHERE number LIKE 'FC-G%' ORDER BY id LIMIT 1",
    "user_id": "SELECT id FROM user_account WHERE email = 'grown1@example.com'",
}
# Values for filters without choices; a list without matching rows is read completely.
ASKED: dict[str, tuple[str, ...]] = {
    "q": ("grown77@example.com", "Nobody of that name", "FC-G00004d"),
    "gateway": ("paystack", "nobody"),
    "target": ("nothing",),
    "from": ("2020-01-01", "2100-01-01"),
    "to": ("2100-01-01",),
}
MORE = (
    """INSERT INTO audit_entry (id, at, operator_id, right_used, action, target_type, target_id,
                              request_id)
       SELECT uuidv7(-age), now() - age, o.id, 'shop:write', 'stock', 'product_variant',
              md5(n::text), md5(n::text)
         FROM generate_series(1, {n}) n
        CROSS JOIN LATERAL (SELECT interval '600 days' * (1.0 - n / ({n} + 1.0)) AS age) x
        CROSS JOIN (SELECT id FROM operator LIMIT 1) o""",
    """INSERT INTO product (id, name, description, price_kobo, image, thumbnail, star, position)
       SELECT uuidv7(-age), 'Jersey ' || n, 'Light', 100000, '/media/a.webp', '/media/a.webp', 5, n
         FROM generate_series(100, {n} / 10) n
        CROSS JOIN LATERAL (SELECT interval '600 days' * (1.0 - n / ({n} + 1.0)) AS age) x""",
    """INSERT INTO product_variant (id, product_id, is_default, stock)
       SELECT gen_random_uuid(), p.id, true, 10 FROM product p
        WHERE NOT EXISTS (SELECT FROM product_variant v WHERE v.product_id = p.id)""",
    """INSERT INTO pgqueuer (priority, status, entrypoint, payload)
       SELECT 0, CASE WHEN n % 100 = 0 THEN 'failed' ELSE 'picked' END::pgqueuer_status,
              'notify_by_mail', ''::bytea FROM generate_series(1, {n} / 10) n""",
    """INSERT INTO job_run (kind, subject, started_at, seconds, size_bytes, succeeded, outcome)
       SELECT 'backup', 'night-' || n, now() - n * interval '1 day', 4, 1000, true, 'Taken.'
         FROM generate_series(1, least({n}, 5000)) n""",
    """INSERT INTO article (id, slug, title, body, summary, stage, publish_at, first_published_at)
       SELECT uuidv7(-age), 'article-' || n, 'Article ' || n, 'Text.', 'Text.', 'published',
              now() - age, now() - age
         FROM generate_series(1, {n} / 10) n
        CROSS JOIN LATERAL (SELECT interval '600 days' * (1.0 - n / ({n} + 1.0)) AS age) x""",
    """INSERT INTO chat_ban (id, user_id, until, reason, banned_at)
       SELECT uuidv7(-age), id, now() + interval '1 day', 'Spam.', now() - age
         FROM (SELECT id, row_number() OVER (ORDER BY id) n FROM user_account) m
        CROSS JOIN LATERAL (SELECT interval '600 days' * (1.0 - n / ({n} + 100.0)) AS age) x
        WHERE n % 10 = 0""",
    """INSERT INTO question (id, slug, kind, topic, question, options, right_option, explanation,
                          source, difficulty)
       SELECT uuidv7(-age), 'grown-' || n, 'battle', 'Laws', 'What is right? (' || n || ')',
              ARRAY['A', 'B', 'C', 'D'], 1, 'It is.', 'Laws of the Game', 1
         FROM generate_series(1, {n} / 10) n
        CROSS JOIN LATERAL (SELECT interval '600 days' * (1.0 - n / ({n} + 1.0)) AS age) x""",
    """INSERT INTO fixture (id, competition_id, home_id, away_id, kick_off_at, state, source,
                         updated_at)
       SELECT uuidv7(-age), c.id, t.home, t.away, now() - age + interval '10 days', 'scheduled',
              'manual', now()
         FROM generate_series(1, {n} / 10) n
        CROSS JOIN LATERAL (SELECT interval '600 days' * (1.0 - n / ({n} + 1.0)) AS age) x
        CROSS JOIN (SELECT id FROM competition LIMIT 1) c
        CROSS JOIN (SELECT min(id::text)::uuid AS home, max(id::text)::uuid AS away FROM team) t""",
)


@dataclass
class Asked:
    """A list with one filter, and its times on both sides in milliseconds."""

    path: str
    taken: dict[str, list[float]] = field(default_factory=dict)

    @property
    def ratio(self) -> float:
        """How much longer it takes among many."""
        few, many = (median(self.taken[name]) for name in ("few", "many"))
        return many / few


@dataclass(frozen=True)
class Side:
    """A database with its server, and the token of an operator with all roles."""

    name: str
    rows: BenchDatabase
    ours: Server
    token: str
    of_rows: dict[str, str]

    def get(self, path: str) -> tuple[float, Any]:
        """Request a path; return the milliseconds and the content.

        Raises:
            BenchError: the request failed.
        """
        path = path.format_map(self.of_rows)
        began = time.perf_counter()
        status, content = _send(self.ours.port, "GET", path, token=self.token)
        taken = (time.perf_counter() - began) * 1000
        if status != 200:
            raise BenchError(f"{path}: {status} {content}")
        return taken, content


def admin_lists(verdict: Verdict) -> None:
    """Compare every list, with each filter and a deep page, with that of a small database."""
    with database() as demo, database() as large_db:
        for rows, members in ((demo, scale.rows(FEW)), (large_db, many())):
            grow(rows, members)
            for statement in MORE:
                rows.sql(AS_REPLICA + statement.format(n=members))
            rows.sql("VACUUM ANALYZE")
        with side(demo, "few", 0) as few, side(large_db, "many", 1) as large:
            asked = list(wanted(large))
            for one in asked:
                time_one(one, (few, large))
            asked.sort(key=lambda one: one.ratio, reverse=True)
            print(f"{'few ms':>9}{'many ms':>10}{'ratio':>8}  list")
            for one in asked:
                shown = (median(one.taken[name]) for name in ("few", "many"))
                print("{:9.1f}{:10.1f}".format(*shown) + f"{one.ratio:8.2f}  {one.path}")
            print_plans(large, asked[:SHOWN_PLANS])
    verdict.at_most("slowest_list_many_over_few", asked[0].ratio, GOAL)
    verdict.at_most("lists_over_the_goal", sum(one.ratio > GOAL for one in asked), 0)


def time_one(one: Asked, sides: tuple[Side, Side]) -> None:
    """Request alternately on both sides; the first response of each does not count."""
    warm_ups = scale.warm_ups()
    for number in range(scale.rounds(ROUNDS) + warm_ups):
        for there in sides:
            taken, _ = there.get(one.path)
            if number >= warm_ups:
                one.taken.setdefault(there.name, []).append(taken)


def wanted(there: Side) -> Iterator[Asked]:
    """Yield each list's first page, a deep one, and one per value of each filter."""
    _, description = there.get("/openapi.json")
    for path, methods in expand_paths(description).items():
        query = [
            one for one in methods.get("get", {}).get("parameters", ()) if one["in"] == "query"
        ]
        if not path.startswith(PREFIX) or not any(one["name"] == "before" for one in query):
            continue
        yield Asked(path)
        for one in query:
            for value in values_of(one, description):
                yield Asked(f"{path}?{urlencode({one['name']: value})}")


def values_of(parameter: dict[str, Any], description: dict[str, Any]) -> Iterator[str]:
    """Yield a filter's values: its choices, or samples."""
    name = parameter["name"]
    if name == "limit":
        return
    schemas = parameter["schema"].get("anyOf", [parameter["schema"]])
    if name == "before":
        is_uuid = any(one.get("format") == "uuid" for one in schemas)
        yield str(first_id_at(clock.now() - DEEP)) if is_uuid else "1000"
    elif name in ASKED:
        yield from ASKED[name]
    for one in schemas:
        if "$ref" in one:
            named = description["components"]["schemas"][one["$ref"].rpartition("/")[2]]
            yield from named["enum"]


def print_plans(there: Side, slowest: list[Asked]) -> None:
    """Print the query plans of the slowest lists."""
    path = there.rows.postgres.log_path
    for one in slowest:
        begins_at = path.stat().st_size
        listen(there.rows, is_on=True)
        there.get(one.path)
        listen(there.rows, is_on=False)
        with path.open("rb") as log:
            log.seek(begins_at)
            statements = executed(log.read().decode("utf-8", "replace"))
        print(f"=== {one.path}")
        for statement in statements:
            print(f"--- {' '.join(statement.sql.split())[:160]}\n{explain(there.rows, statement)}")


@contextmanager
def side(rows: BenchDatabase, name: str, place: int) -> Iterator[Side]:
    """Run our server on a database, with an operator of all roles signed in."""
    command, port = [sys.executable, "-m", "api.foundation.server"], port_of(place)
    environment = rows.app_environment(port)
    with server(name, command, port, environment, pinned=False) as ours:
        form = {
            "email": "ops@example.com",
            "password": DEMO_PASSWORD,
            "code": code_at(DEMO_OPERATOR_TOTP, clock.now()),
        }
        status, content = _send(ours.port, "POST", f"{PREFIX}/sign-in", body=form)
        if status != 200:
            raise BenchError(f"the operator is not let in: {content}")
        of_rows = {key: rows.sql(statement).strip() for key, statement in OF_ROWS.items()}
        yield Side(name, rows, ours, content["data"]["token"], of_rows)


def _send(
    port: int,
    method: str,
    path: str,
    *,
    token: str | None = None,
    body: dict[str, str] | None = None,
) -> tuple[int, Any]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=TIMEOUT_SECONDS)
    headers = {"Content-Type": "application/json"}
    if token is not None:
        headers["Authorization"] = f"Bearer {token}"
    try:
        connection.request(method, path, None if body is None else json.dumps(body), headers)
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read())
    finally:
        connection.close()
