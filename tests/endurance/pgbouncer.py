"""A deployment of two server processes behind PgBouncer in transaction mode.

``python -m tests.endurance.pgbouncer [--calls N] [--at-once C]``

Runs PostgreSQL, PgBouncer with the configuration in docs/operations.md, Valkey, a worker process
and two server processes, all as in production. One member uses everything the product offers. Then
members make ``N`` mixed calls, ``C`` at a time. No response may be a 5xx, and the ledger must
balance. Exits with 3 if ``pgbouncer`` is not on the path.
"""

import argparse
import asyncio
import random
import re
import secrets
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from uuid import UUID, uuid4

import httpx
from api.dev.postgres.embedded import EmbeddedPostgres
from api.dev.valkey import EmbeddedValkey
from api.foundation.core import clock
from api.foundation.core.config import Settings
from api.foundation.core.money import Kobo
from api.foundation.database.database import Database
from api.foundation.security.tokens import TokenCodec
from api.money.ledger_audit.repository.audit_run import broken_invariants_in
from api.money.wallet.service import operator_credits
from fastapi import FastAPI
from sqlalchemy.engine import make_url
from valkey.asyncio import Valkey

from tests.community.chat.conftest import join, phone, say
from tests.community.moments.forms import good_form
from tests.conftest import RunningApp, SignedIn, client_of, free_port
from tests.console.test_opening_a_club import (
    block_of,
    is_ready,
    live_there,
    mail_server,
    provider,
    run_line,
    running,
)
from tests.endurance.place import open_sessions
from tests.games.battle.conftest import phone as player
from tests.shop.carts import BILLING
from tests.waiting import START_SECONDS, until

PASSWORD = "secret"
NOT_INSTALLED = 3
MEMBERS = 24
OPENING_KOBO = 50_000_00
PROVIDER_AT_HAND = Path(__file__).parents[1] / "console" / "provider_at_hand"
POOLED = "SELECT count(*) FROM pg_stat_activity WHERE usename = 'fans_app'"


@dataclass
class Deployment:
    """The addresses of all services."""

    base_url: str
    direct_url: str
    valkey_url: str
    token_key: str
    tally: Counter[int] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)

    def count(self, answer: httpx.Response) -> httpx.Response:
        self.tally[answer.status_code] += 1
        self.seconds.append(answer.elapsed.total_seconds())
        assert answer.status_code < 500, f"{answer.request.url}: {answer.text}"
        return answer


@contextmanager
def pgbouncer(program: str, folder: Path, postgres_url: str) -> Iterator[int]:
    """Run PgBouncer with the page's file, between its addresses and ours; yield its port."""
    address = make_url(postgres_url)
    port = free_port()
    settings = block_of("PgBouncer", "ini")
    for pattern, ours in (
        (r"host=\S+ port=\S+", f"host={address.query['host']} port={address.query['port']}"),
        (r"(?m)^listen_addr = .*$", "listen_addr = 127.0.0.1"),
        (r"(?m)^listen_port = .*$", f"listen_port = {port}"),
        (r"(?m)^auth_file = .*$", f"auth_file = {folder / 'userlist.txt'}\nunix_socket_dir ="),
    ):
        settings, found = re.subn(pattern, ours, settings)
        assert found == 1, pattern
    (folder / "userlist.txt").write_text(f'"fans_app" "{PASSWORD}"\n', encoding="utf-8")
    (folder / "pgbouncer.ini").write_text(settings, encoding="utf-8")
    # It never runs as root: here as the owner of PostgreSQL's socket.
    owner = Path(str(address.query["host"])).stat()
    process = subprocess.Popen(
        [program, "-q", str(folder / "pgbouncer.ini")],
        user=owner.st_uid,
        group=owner.st_gid,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield port
        assert process.poll() is None, "PgBouncer has ended"
    finally:
        process.terminate()
        process.wait()


@asynccontextmanager
async def deployed(program: str, folder: Path) -> AsyncIterator[Deployment]:
    """Create a club with the page's commands, and let a first member use everything."""
    async with AsyncExitStack() as stack:
        server = stack.enter_context(EmbeddedPostgres(folder / "postgres"))
        for statement in block_of("Roles of the database", "sql").split(";"):
            lines = [line for line in statement.splitlines() if not line.startswith("-- roles")]
            if made := re.sub(r"--.*", "", "\n".join(lines)).strip():
                server.run_sql(made.replace("'…'", f"'{PASSWORD}'"))
        place = server.url().split("@", 1)[1]
        direct = f"postgresql://fans_app:{PASSWORD}@{place}"
        pooled_port = stack.enter_context(pgbouncer(program, folder, server.url()))
        valkey = stack.enter_context(EmbeddedValkey(folder / "valkey"))
        mails = await stack.enter_async_context(mail_server())
        port, provider_port = free_port(), free_port()
        secret_key = f"sk_live_sandbox_{secrets.token_hex(16)}"
        webhook = f"http://127.0.0.1:{port}/api/v1/payment/webhook/paystack"
        paying = await stack.enter_async_context(provider(provider_port, webhook, secret_key))
        deployment = Deployment(
            f"http://127.0.0.1:{port}", direct, valkey.url, secrets.token_hex(32)
        )
        settings = {
            "APP_ENV": "production",
            "PORT": str(port),
            "WORKERS": "2",
            "PUBLIC_URL": "https://fans.test",
            "DATABASE_URL": f"postgresql://fans_app:{PASSWORD}@127.0.0.1:{pooled_port}/fans",
            "DATABASE_DIRECT_URL": direct,
            "VALKEY_URL": valkey.url,
            "SMTP_URL": f"smtp://127.0.0.1:{mails.port}",
            "MAIL_FROM": "no-reply@fans.test",
            "VAR_DIR": str(folder / "var"),
            "TOKEN_KEY": deployment.token_key,
            "CODE_KEY": secrets.token_hex(32),
            "PROFILE_KEY": secrets.token_hex(32),
            "FIXTURE_FEED_KEY": secrets.token_hex(32),
            "PAYMENT_GATEWAY": "paystack",
            "PAYSTACK_SECRET_KEY": secret_key,
            "PYTHONPATH": str(PROVIDER_AT_HAND),
            "PROVIDER_PORT": str(provider_port),
        }
        owner = f"DATABASE_URL='postgresql://fans_owner:{PASSWORD}@{place}'\n"
        (folder / "owner.env").write_text(owner.replace("'", ""), encoding="utf-8")
        (folder / "server.env").write_text(
            "".join(f"{name}={value}\n" for name, value in settings.items()), encoding="utf-8"
        )
        for line in block_of("Opening", "sh").splitlines():
            await run_line(line, folder)
        await stack.enter_async_context(running("api.app.worker", settings))
        await stack.enter_async_context(running("api.foundation.server", settings))
        async with client_of(deployment.base_url, timeout=30) as client:
            await until(lambda: is_ready(client), START_SECONDS)
            await live_there(client, paying, mails)
        server.run_sql("UPDATE season SET starts_at = now() - interval '1 day'", "fans")
        yield deployment


async def add_members(database: Database, deployment: Deployment) -> list[SignedIn]:
    """Insert members with money and a plan; return them signed in, without clients."""
    club_id: UUID = await database.fetch_value("SELECT id FROM club ORDER BY name LIMIT 1")
    ids = [uuid4() for _ in range(MEMBERS)]
    async with database.transaction() as tx:
        for number, one in enumerate(ids):
            await tx.execute(
                "INSERT INTO user_account (id, club_id, first_name, last_name, email, phone, "
                "terms_accepted_at, activated_at) VALUES ($1, $2, 'A', 'B', $3, $4, now(), now())",
                one,
                club_id,
                f"{one}@fans.test",
                f"+23480{number:08d}",
            )
            await operator_credits.import_credit(
                tx, one, Kobo(OPENING_KOBO), f"open:{one}", clock.now()
            )
            await tx.execute(
                "INSERT INTO subscription (id, user_id, plan_id, starts_at, ends_at, amount_kobo) "
                "SELECT $1, $2, id, $3::timestamptz, $3::timestamptz + interval '30 days', 0 "
                "FROM plan LIMIT 1",
                uuid4(),
                one,
                clock.now(),
            )
    tokens = await open_sessions(database, ids, codec=TokenCodec(deployment.token_key))
    client = client_of(deployment.base_url, timeout=30)
    return [
        SignedIn(one, club_id, f"{one}@fans.test", token, client)
        for one, token in zip(ids, tokens, strict=True)
    ]


async def use_sockets(deployment: Deployment, members: list[SignedIn]) -> None:
    """Chat over both server processes, and play a question of the Battle Zone."""
    app = RunningApp(FastAPI(), Settings(), members[0].client, deployment.base_url)
    for member in members:
        await join(app, member)
    async with AsyncExitStack() as stack:
        valkey = await stack.enter_async_context(Valkey.from_url(deployment.valkey_url))
        phones = []
        for member in members:
            phones.append(await stack.enter_async_context(phone(app, member)))
            if (await valkey.pubsub_numsub("king-of-fans:/chat:public"))[0][1] == 2:
                break
        else:
            raise AssertionError("no two phones are on different server processes")
        answer = await say(phones[-1], "from one process to the other")
        assert answer["status"] == 200, answer
        for held in phones:
            received = await held.next("message")
            assert received["chat_message"] == "from one process to the other"
    async with player(app, members[0]) as hers:
        entered = await hers.send("enter_battle_zone")
        assert entered["status"] == 200, entered
        question = await hers.next("new_question")
        await hers.send(
            "answer_question", {"questionId": question["question"]["id"], "answer": "A"}
        )
        await hers.next("answer_result")


async def post_moment(deployment: Deployment, member: SignedIn) -> None:
    """Post a video with its thumbnail, and check that it is listed and served."""
    posted = deployment.count(
        await member.client.post(
            "/api/v1/moment/create",
            **good_form(),
            headers=member.headers | {"Idempotency-Key": str(uuid4())},
        )
    )
    assert posted.status_code == 201, posted.text
    listed = await member.get(f"/api/v1/moment/post/user/{member.id}")
    assert len(deployment.count(listed).json()["data"]) == 1


async def make_calls(
    deployment: Deployment, members: list[SignedIn], calls: int, at_once: int
) -> None:
    """Make mixed calls, reads and writes, this many concurrently."""
    chance = random.Random(7)  # noqa: S311 a workload must be replayable
    (scarf,) = (await members[0].get("/api/v1/products")).json()["data"]
    order = {
        "carts": [{"id": scarf["id"], "quantity": 1, "price": scarf["price"]}],
        "billing": BILLING,
        "paymentMethod": "wallet",
    }
    left = iter(range(calls))

    async def call() -> None:
        for _ in left:
            member = chance.choice(members)
            reads = [
                "/api/v1/products",
                "/api/v1/subscription",
                "/api/v1/chat-messages/Public",
                "/api/v1/chat-unread",
                "/api/v1/leaderboard?period=day",
                "/api/v1/battle-ground-config",
                f"/api/v1/users/{member.id}",
                f"/api/v1/payment/wallet-balance/{member.id}",
                f"/api/v1/products/user/{member.id}",
                f"/api/v1/dashboard/statistics/{member.id}",
                f"/api/v1/moment/post/user/{member.id}",
                f"/api/v1/question/daily-trivial-question/{member.club_id}/{member.id}",
            ]
            if chance.random() < 0.15:
                answer = await member.post("/api/v1/products/checkout", order, key=str(uuid4()))
            else:
                answer = await member.get(chance.choice(reads))
            deployment.count(answer)

    await asyncio.gather(*(call() for _ in range(at_once)))


async def prove(program: str, folder: Path, calls: int, at_once: int) -> list[str]:
    """Run the deployment and everything in it; return lines of figures.

    Raises:
        AssertionError: a response was wrong.
    """
    async with deployed(program, folder) as deployment:
        database = Database(
            deployment.direct_url, runtime_role=Settings().database_runtime_role, pool_size=8
        )
        members = await add_members(database, deployment)
        await use_sockets(deployment, members)
        await post_moment(deployment, members[0])
        started_at = time.monotonic()
        await make_calls(deployment, members, calls, at_once)
        seconds = time.monotonic() - started_at
        backends = await database.fetch_value(POOLED)
        broken = await broken_invariants_in(database)
        orders = await database.fetch_value("SELECT count(*) FROM shop_order")
        await members[0].client.aclose()
        await database.close()
    assert broken == [], broken
    slowest = sorted(deployment.seconds)
    return [
        f"{sum(deployment.tally.values())} calls, {at_once} at once, in {seconds:.1f} s "
        f"({calls / seconds:.0f} a second): "
        + ", ".join(f"{count} with {status}" for status, count in sorted(deployment.tally.items())),
        f"p50 {slowest[len(slowest) // 2] * 1000:.0f} ms, "
        f"p99 {slowest[int(len(slowest) * 0.99)] * 1000:.0f} ms, "
        f"longest {slowest[-1] * 1000:.0f} ms",
        f"{backends} connections at PostgreSQL, {orders} orders, the ledger balances",
    ]


def main() -> int:
    """Run the test from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=1_600)
    parser.add_argument("--at-once", type=int, default=32)
    chosen = parser.parse_args()
    program = shutil.which("pgbouncer")
    if program is None:
        print("pgbouncer is not installed: nothing was proved.", file=sys.stderr)
        return NOT_INSTALLED
    with tempfile.TemporaryDirectory(prefix="kof-endurance-") as name:
        folder = Path(name)
        folder.chmod(0o711)
        for line in asyncio.run(prove(program, folder, chosen.calls, chosen.at_once)):
            print(line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
