"""Real faults in a running deployment, detected by scraped metrics.

The deployment consists of processes: two servers, PostgreSQL, Valkey, and sometimes a worker. Each
test names the alert that it rehearses; the alert's values are read from ``/metrics``.
"""

import asyncio
import contextlib
import json
import math
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import asyncpg
import httpx
import pytest
from api.dev.postgres.embedded import EmbeddedPostgres
from api.dev.valkey import EmbeddedValkey
from api.foundation.core.ids import new_id

from tests.conftest import CLUB_A, client_of, free_port
from tests.databases import migrated_cluster
from tests.mail_server import MailServer, running
from tests.operations.alerts import alerts, parse
from tests.preloaded import PreloadedPopen, start, workers_of
from tests.waiting import START_SECONDS

ROOT = Path(__file__).resolve().parents[2]
SCRAPE_SECONDS = 5.0  # a scrape responds in time, whatever is unavailable
SIGN_UP = {
    "firstName": "Bello",
    "lastName": "Musa",
    "phone": "08031234567",
    "password": "a long enough secret",
    "club": str(CLUB_A),
    "tnc": True,
}
FUNDING = """
WITH member AS (
  INSERT INTO user_account (id, club_id, first_name, last_name, email, phone, terms_accepted_at,
    activated_at)
  VALUES (gen_random_uuid(), $1, 'Ada', 'Obi', 'ada@example.com', '+2348030000001', now(), now())
  ON CONFLICT DO NOTHING RETURNING id
), whose AS (
  SELECT id FROM member
  UNION ALL SELECT id FROM user_account WHERE email = 'ada@example.com' LIMIT 1
)
INSERT INTO funding (id, reference, user_id, gateway, amount_kobo, currency, state, created_at,
  next_check_at, decided_at, review_reason)
SELECT gen_random_uuid(), $2, id, 'paystack', 100000, 'NGN', $3::text, now() - interval '1 hour',
  now() - interval '30 minutes' , CASE WHEN $3::text = 'review' THEN now() END,
  CASE WHEN $3::text = 'review' THEN 'amount' END FROM whose
"""


@dataclass
class Deployment:
    """The processes, and access to their metrics."""

    postgres: EmbeddedPostgres
    valkey: EmbeddedValkey
    environment: dict[str, str]
    port: int
    server: PreloadedPopen
    log: Path
    client: httpx.AsyncClient
    scrapes: list[float] = field(default_factory=list)

    async def scrape(self) -> list[tuple[str, dict[str, str], float]]:
        began = time.monotonic()
        answer = await self.client.get("/metrics")
        self.scrapes.append(time.monotonic() - began)
        assert answer.status_code == 200
        return parse(answer.text)

    async def value(
        self, name: str, choose: Callable[[list[float]], float] = sum, /, **labels: str
    ) -> float | None:
        """Return a metric of all processes, None while it is missing.

        Each process caches values for some seconds, so two processes may differ.
        """
        values = [
            value
            for shown, said, value in await self.scrape()
            if shown == name and labels.items() <= said.items()
        ]
        return choose(values) if values else None

    async def until(
        self,
        alert: str,
        name: str,
        /,
        *,
        choose: Callable[[list[float]], float] = max,
        over: float = 0.0,
        **labels: str,
    ) -> float:
        """Wait until a metric, less ``over``, passes an alert's threshold; return it."""
        rule = alerts()[alert]
        assert name in rule.expression
        is_below = "<" in rule.expression
        async with asyncio.timeout(START_SECONDS):
            while True:
                value = await self.value(name, choose, **labels)
                if value is not None:
                    passes = (
                        value < rule.threshold() if is_below else value - over > rule.threshold()
                    )
                    if passes:
                        return value
                await asyncio.sleep(0.1)

    async def until_value(self, wanted: float, name: str, /, **labels: str) -> None:
        async def is_there() -> bool:
            return await self.value(name, **labels) == wanted

        await eventually(is_there)

    async def run(self, statement: str, *arguments: Any) -> None:
        connection = await asyncpg.connect(self.postgres.url().replace("+asyncpg", ""))
        try:
            await connection.execute(statement, *arguments)
        finally:
            await connection.close()

    def processes(self) -> list[int]:
        """Return the pids of the server processes."""
        return workers_of(self.server.pid)

    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.log.read_text().splitlines() if line[:1] == "{"]


@dataclass
class Services:
    """The services of a deployment, with a database for one."""

    folder: Path
    postgres: EmbeddedPostgres
    valkey: EmbeddedValkey


@pytest.fixture(scope="module")
def services() -> Iterator[Services]:
    with tempfile.TemporaryDirectory(prefix="kof-faults-") as name:
        folder = Path(name)
        folder.chmod(0o711)
        valkey = EmbeddedValkey(folder / "valkey")
        with EmbeddedPostgres(folder / "postgres", template=migrated_cluster()) as postgres:
            valkey.start()
            postgres.run_sql(
                "INSERT INTO club (id, name, cc_name, colour_a, colour_b) "
                f"VALUES ('{CLUB_A}', 'Enyimba', 'NPFL', '#0B4EA2', '#FFFFFF')",
                "fans",
            )
            found = Services(folder, postgres, valkey)
            yield found
            found.valkey.stop()


@pytest.fixture(scope="module")
def server(
    services: Services, unused_tcp_port_factory: Callable[[], int]
) -> Iterator[tuple[PreloadedPopen, dict[str, str]]]:
    environment = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(ROOT),
        "APP_ENV": "test",
        "DATABASE_URL": services.postgres.url(),
        "VALKEY_URL": services.valkey.url,
        "VAR_DIR": str(services.folder / "var"),
        "PORT": str(unused_tcp_port_factory()),
        "WORKERS": "2",
        "DATABASE_POOL_SIZE": "8",
        "STOP_NOTICE_SECONDS": "0",
    }
    with (services.folder / "server.log").open("wb") as log:
        process = PreloadedPopen(
            [sys.executable, "-m", "api.foundation.server"],
            cwd=ROOT,
            env=environment,
            stdout=log,
            stderr=subprocess.STDOUT,
        )
        yield process, environment
        process.terminate()
        process.wait(START_SECONDS)


@pytest.fixture
async def deployment(
    services: Services, server: tuple[PreloadedPopen, dict[str, str]]
) -> AsyncIterator[Deployment]:
    process, environment = server
    port = int(environment["PORT"])
    async with client_of(
        f"http://127.0.0.1:{port}",
        timeout=20,
        limits=httpx.Limits(max_connections=700, max_keepalive_connections=0),
    ) as client:
        log = services.folder / "server.log"
        found = Deployment(
            services.postgres, services.valkey, environment, port, process, log, client
        )
        await ready(found)
        yield found


async def ready(deployment: Deployment) -> None:
    async with asyncio.timeout(60):
        while True:
            with contextlib.suppress(httpx.TransportError):
                if (await deployment.client.get("/readyz")).status_code == 200:
                    break
            await asyncio.sleep(0.1)
    # One of two processes is ready before the other.
    await deployment.until_value(2, "server_processes")


@contextlib.asynccontextmanager
async def worker(deployment: Deployment, smtp_url: str) -> AsyncIterator[int]:
    process = await start(
        "-m",
        "api.app.worker",
        cwd=ROOT,
        env=deployment.environment | {"SMTP_URL": smtp_url},
        stdout=asyncio.subprocess.DEVNULL,
    )
    try:
        yield process.pid
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()


async def sign_up(deployment: Deployment, email: str) -> None:
    form = SIGN_UP | {"email": email, "username": email}
    answer = await deployment.client.post("/api/v1/signup", json=form)
    assert answer.status_code == 201, answer.text


async def test_all_processes_are_in_every_scrape(deployment: Deployment) -> None:
    for _ in range(40):
        answer = await deployment.client.get(f"/media/crests/{CLUB_A}.svg")
        assert answer.status_code == 200

    # A route that no other test here calls: the processes outlive a test.
    route = "/media/crests/{club_id}.svg"
    await deployment.until_value(40, "http_requests_total", route=route)
    assert await deployment.value("server_processes") == 2
    shown = {said["process"] for name, said, _ in await deployment.scrape() if "process" in said}
    assert shown == {str(pid) for pid in deployment.processes()}
    await deployment.until_value(1, "ready")
    await deployment.until_value(1, "database_figures_up")


async def test_a_killed_process_loses_no_counts_that_were_shown(deployment: Deployment) -> None:
    """Rehearses ProcessesReplaced."""
    for _ in range(10):
        await deployment.client.get("/api/v1/clubs")
    counts = [0.0]
    async with asyncio.timeout(START_SECONDS):
        while counts[-1] < 10:
            counts.append(await deployment.value("http_requests_total", route="/api/v1/clubs") or 0)
            await asyncio.sleep(0.1)
    starts = await deployment.value("server_process_starts_total") or 0
    assert starts >= 2
    for _ in range(4):
        before_count = await deployment.value("server_process_starts_total") or 0
        os.kill(deployment.processes()[0], signal.SIGKILL)
        async with asyncio.timeout(START_SECONDS):
            while True:
                with contextlib.suppress(httpx.TransportError):
                    counts.append(
                        await deployment.value("http_requests_total", route="/api/v1/clubs") or 0
                    )
                    if (await deployment.value("server_process_starts_total") or 0) > before_count:
                        break
                await asyncio.sleep(0.1)

    assert counts == sorted(counts)
    await deployment.until("ProcessesReplaced", "server_process_starts_total", over=starts)
    await deployment.until_value(2, "server_processes")


async def test_without_postgresql_a_scrape_answers_and_says_so(deployment: Deployment) -> None:
    """Rehearses NotReady, ListenerLost and Errors."""
    deployment.scrapes.clear()
    deployment.postgres.stop()
    try:
        await deployment.until("NotReady", "ready", choose=min)
        await deployment.until("ListenerLost", "dependency_up", choose=min, name="postgres")

        async def is_reported() -> bool:
            figures = await deployment.scrape()
            shown = {name: value for name, _, value in figures}
            return (
                shown["database_figures_up"] == 0
                and "stored_jobs" not in shown
                and math.isnan(shown["job_workers"])
                and math.isnan(shown["review_cases_open"])
            )

        await eventually(is_reported)
        assert (await deployment.client.get("/api/v1/shop/products")).status_code >= 400
        failed = await deployment.client.post(
            "/api/v1/sign-in/username-password", json={"username": "a@b.co", "password": "x" * 9}
        )
        assert failed.status_code == 503
        assert max(deployment.scrapes) < SCRAPE_SECONDS
    finally:
        deployment.postgres.start()
    await deployment.until_value(1, "database_figures_up")
    await deployment.until_value(2, "dependency_up", name="postgres")
    assert await deployment.value("http_requests_total", status="503")


async def test_a_valkey_that_is_gone_is_seen_and_its_return_too(
    deployment: Deployment, services: Services
) -> None:
    """Rehearses ValkeyAway and DependencyRestarted."""
    since = await deployment.value("dependency_changed_seconds", max, name="valkey")
    assert since is not None
    deployment.valkey.stop()
    await deployment.until("ValkeyAway", "dependency_up", choose=min, name="valkey")
    assert (await deployment.value("dependency_changed_seconds", max, name="valkey") or 0) > since

    services.valkey = EmbeddedValkey(services.folder / "valkey")
    services.valkey.start()
    await deployment.until_value(2, "dependency_up", name="valkey")
    await deployment.until("DependencyRestarted", "dependency_restarts_total", name="valkey")


async def test_work_that_nobody_does_is_seen_in_three_figures(deployment: Deployment) -> None:
    """Rehearses MailWaiting, WorkersAway and JobsNotBeating."""
    server = MailServer()
    with running(server, free_port()) as url:
        async with worker(deployment, url):

            async def is_seen() -> bool:
                return (await deployment.value("job_worker_resident_bytes") or 0) > 10_000_000

            await eventually(is_seen)
    await sign_up(deployment, "waiting@example.com")
    await deployment.run("UPDATE pgqueuer SET created = created - interval '2 minutes'")
    await deployment.run("UPDATE job_kind SET beat_at = beat_at - interval '2 minutes'")
    await deployment.run("UPDATE job_worker SET beat_at = beat_at - interval '2 minutes'")

    await deployment.until("MailWaiting", "stored_job_oldest_waiting_seconds", kind="mail_code")
    await deployment.until("WorkersAway", "job_workers")

    async def is_silent() -> bool:
        beat = await deployment.value("stored_job_last_beat_seconds", max, kind="mail_code")
        return time.time() - (beat or time.time()) > alerts()["JobsNotBeating"].threshold()

    await eventually(is_silent)


async def test_a_mail_that_is_refused_for_good_is_a_dead_letter(deployment: Deployment) -> None:
    """Rehearses DeadLetters."""
    server = MailServer(unknown=frozenset({"refused@example.com"}))
    with running(server, free_port()) as url:
        async with worker(deployment, url):
            await sign_up(deployment, "refused@example.com")
            await sign_up(deployment, "known@example.com")
            await deployment.until("DeadLetters", "stored_jobs", kind="mail_code", state="failed")
            runs = "stored_job_runs_total"
            await deployment.until_value(1, runs, kind="mail_code", outcome="failure")

            async def has_left() -> bool:
                sent = await deployment.value(runs, kind="mail_code", outcome="success")
                return (sent or 0) >= 1

            await eventually(has_left)


async def test_forged_reports_are_counted_and_written_boundedly(deployment: Deployment) -> None:
    """Rehearses WebhooksRefused."""
    for _ in range(40):
        answer = await deployment.client.post(
            "/api/v1/payment/webhook/paystack",
            content=b'{"event":"charge.success"}',
            headers={"X-Paystack-Signature": "00" * 64},
        )
        assert answer.status_code == 400

    await deployment.until("WebhooksRefused", "webhooks_total", choose=sum, outcome="refused")
    await deployment.until_value(40, "webhooks_total", outcome="refused")
    await written(deployment, 40, route="/api/v1/payment/webhook/{gateway}")
    logged = [line for line in deployment.lines() if line.get("event_type") == "signature_refused"]
    assert 1 <= len(logged) <= 20


async def test_money_that_waits_for_somebody_is_seen(deployment: Deployment) -> None:
    """Rehearses FundingUnsettled, FundingsNotAsked and ReviewsWaiting."""
    await deployment.run(FUNDING, CLUB_A, "FW-aside", "review")
    await deployment.run(
        "INSERT INTO review_case "
        "(id, kind, reasons, user_id, amount_kobo, subject, source, opened_at) "
        "SELECT gen_random_uuid(), 'amount', '{amount}', user_id, amount_kobo, reference, "
        "reference, now() FROM funding WHERE state = 'review'"
    )
    await deployment.run(FUNDING, CLUB_A, "FW-paid", "pending")
    await deployment.run(
        "INSERT INTO payment_event (id, gateway, dedupe_key, type, reference, raw, received_at) "
        "VALUES (gen_random_uuid(), 'paystack', 'one', 'charge.success', 'FW-paid', '', "
        "now() - interval '10 minutes')"
    )

    await deployment.until("ReviewsWaiting", "review_cases_open")
    waited = "funding_oldest_unsettled_seconds"
    await deployment.until("FundingUnsettled", waited, since="reported")
    await deployment.until("FundingsNotAsked", waited, since="due")


async def test_a_lane_that_is_held_is_seen_and_so_are_the_calls_refused(
    deployment: Deployment,
) -> None:
    """Rehearses LanesWaiting and Refusals."""
    blocker = await asyncpg.connect(deployment.postgres.url().replace("+asyncpg", ""))
    transaction = blocker.transaction()
    await transaction.start()
    await blocker.execute("LOCK TABLE club IN ACCESS EXCLUSIVE MODE")
    page = "/api/v1/public/clubs"  # of another club each time: the same would be read once
    calls = [asyncio.create_task(deployment.client.get(f"{page}/{new_id()}")) for _ in range(600)]
    try:
        await deployment.until(
            "LanesWaiting", "database_places", choose=sum, lane="members", state="waiting"
        )
        await deployment.until("Refusals", "http_requests_refused_total", choose=sum, load="reads")
    finally:
        await transaction.rollback()
        await blocker.close()
        answers = await asyncio.gather(*calls, return_exceptions=True)
    # 503: refused, or the lane was held for too long.
    assert {getattr(answer, "status_code", 0) for answer in answers} <= {0, 404, 503}
    assert await deployment.value("database_wait_seconds_count", lane="members")


async def test_a_process_that_is_missing_is_seen_until_it_is_replaced(
    deployment: Deployment,
) -> None:
    """Rehearses ProcessesMissing."""
    await deployment.until_value(2, "server_processes_wanted")
    os.kill(deployment.processes()[0], signal.SIGKILL)

    async def is_seen() -> bool:
        with contextlib.suppress(httpx.TransportError):
            figures = {name: value for name, _, value in await deployment.scrape()}
            missing = figures["server_processes_wanted"] - figures["server_processes"]
            return missing > alerts()["ProcessesMissing"].threshold()
        return False

    await eventually(is_seen)
    await deployment.until_value(2, "server_processes")


async def test_a_process_that_stands_still_shows_how_long(deployment: Deployment) -> None:
    """Rehearses EventLoopLag."""
    pid = deployment.processes()[0]
    before = await deployment.value("event_loop_lag_seconds_sum") or 0
    os.kill(pid, signal.SIGSTOP)
    await asyncio.sleep(1.2)  # the fault itself
    os.kill(pid, signal.SIGCONT)

    async with asyncio.timeout(START_SECONDS):
        while True:
            lag = (await deployment.value("event_loop_lag_seconds_sum") or 0) - before
            if lag > max(0.8, alerts()["EventLoopLag"].threshold()):
                break
            await asyncio.sleep(0.1)


async def test_a_client_that_leaves_in_mid_body_is_a_line_and_no_traceback(
    deployment: Deployment,
) -> None:
    paths = ("/api/v1/payment/webhook/paystack", "/api/v1/signup")
    for path in paths:
        _, writer = await asyncio.open_connection("127.0.0.1", deployment.port)
        writer.write(
            f"POST {path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
            'Content-Length: 1000\r\n\r\n{"half'.encode()
        )
        await writer.drain()
        await asyncio.sleep(0.2)  # so that the body is being read
        writer.close()

    left = await written(deployment, 2, status=499)
    assert {line["route"] for line in left} == {
        "/api/v1/payment/webhook/{gateway}",
        "/api/v1/signup",
    }
    await deployment.until_value(2, "http_requests_total", status="499")
    said = deployment.log.read_text()
    assert "Exception in ASGI application" not in said
    assert "ClientDisconnect" not in said


async def test_every_request_has_one_line_with_its_id_and_nothing_of_the_caller(
    deployment: Deployment,
) -> None:
    answers = [
        await deployment.client.get("/api/v1/clubs?secret=canary"),
        await deployment.client.get("/api/v1/users/nobody", headers={"Authorization": "Bearer x"}),
        await deployment.client.get("/api/v1/nothing-here"),
    ]
    quiet = [await deployment.client.get(path) for path in ("/healthz", "/readyz", "/metrics", "/")]
    ids = [answer.headers["X-Request-Id"] for answer in answers]

    for request_id in ids:
        await written(deployment, 1, event="request", request_id=request_id)
    requests = [line for line in deployment.lines() if line["event"] == "request"]
    # Two processes write, each its own lines in order.
    of_ours = [line for one in ids for line in requests if line["request_id"] == one]
    assert len(of_ours) == len(ids)
    assert [line["status"] for line in of_ours] == [answer.status_code for answer in answers]
    assert of_ours[0]["route"] == "/api/v1/clubs"
    assert {"method", "ms", "level", "timestamp"} <= of_ours[0].keys()
    assert not {answer.headers["X-Request-Id"] for answer in quiet} & {
        line["request_id"] for line in requests
    }
    said = deployment.log.read_text()
    assert "canary" not in said
    assert not re.search(r"127\.0\.0\.1", "".join(map(json.dumps, requests)))


async def written(deployment: Deployment, count: int, **said: Any) -> list[dict[str, Any]]:
    """Wait until ``count`` lines of the log match; return them."""

    def found() -> list[dict[str, Any]]:
        return [line for line in deployment.lines() if said.items() <= line.items()]

    async def are_there() -> bool:
        return len(found()) >= count

    await eventually(are_there)
    return found()


async def eventually(is_so: Callable[[], Awaitable[bool]]) -> None:
    async with asyncio.timeout(START_SECONDS):
        while True:
            if await is_so():
                return
            await asyncio.sleep(0.1)
