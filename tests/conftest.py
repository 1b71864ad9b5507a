"""Shared fixtures: an embedded PostgreSQL, the whole application, real sign-ins."""

import asyncio
import functools
import gc
import inspect
import os
import socket
import ssl
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import timedelta
from http.cookiejar import DefaultCookiePolicy
from pathlib import Path
from typing import Any
from uuid import UUID

import asyncpg
import httpx
import pytest
import uvicorn
from api.app.metadata import metadata
from api.app.services import Services
from api.app.worker import clock_jobs, handlers
from api.dev.postgres.embedded import EmbeddedPostgres
from api.dev.valkey import EmbeddedValkey
from api.foundation.core import clock
from api.foundation.core.config import Environment, Settings
from api.foundation.core.errors import DatabaseUnavailableError
from api.foundation.core.ids import new_id
from api.foundation.core.money import Kobo
from api.foundation.database import lanes
from api.foundation.database.database import Database
from api.foundation.database.lanes import Priority
from api.foundation.database.listener import LISTENER
from api.foundation.database.locks import AdvisoryLock
from api.foundation.database.statements import Query
from api.foundation.jobs.queue import LIBRARY_TABLES
from api.foundation.jobs.working import Worker
from api.foundation.security.passwords import HashingTurn, LaneName
from api.games.ranking.service import boards
from api.main import create_app
from api.messaging.push import live as push_live
from api.money.wallet.service import operator_credits
from fastapi import FastAPI
from sqlalchemy.engine import make_url
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tests.connections import WarmConnections
from tests.databases import migrated_cluster
from tests.production import PRODUCTION
from tests.row_types import read_checked
from tests.waiting import DEADLINE_SECONDS, until

pytest_plugins = ["tests.case_report"]

PASSWORD = "Terrace-2026"
TIMEOUT_SECONDS_PER_TEST = 600.0  # ends a hang; a test of ten processes takes 190 s at a load of 8
LAST_SECONDS_OF_A_DAY = 60.0  # longer than any test but the endurance tests, which handle midnight
WAITING = "SELECT 1 FROM pgqueuer WHERE status = 'queued' LIMIT 1"
MIGRATED = {"ledger_account", "delivery_fee"}
TIMEOUT_SECONDS = 60.0  # for calls: anything slower is stuck, even on a busy machine
# Loopback is not encrypted: creating a client that loads CA certificates takes 30 ms.
NO_AUTHORITIES = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
CATALOGUE = """
SELECT concat_ws(E'\\n',
  (SELECT string_agg(concat(relname, relacl::text, relhasrules), ' ' ORDER BY relname)
     FROM pg_class WHERE relnamespace = 'public'::regnamespace),
  (SELECT string_agg(concat(tgrelid::regclass, tgname, tgenabled), ' ' ORDER BY tgrelid, tgname)
     FROM pg_trigger WHERE NOT tgisinternal),
  (SELECT string_agg(concat(oid::regprocedure, md5(prosrc), prosecdef, proacl::text), ' '
     ORDER BY oid::regprocedure::text) FROM pg_proc WHERE pronamespace = 'public'::regnamespace))
"""
CLUB_A = UUID("00000000-0000-7000-8000-00000000000a")
CLUB_B = UUID("00000000-0000-7000-8000-00000000000b")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Set a time limit for every test."""
    for item in items:
        if isinstance(item, pytest.Function) and inspect.iscoroutinefunction(item.obj):
            item.obj = bounded(item.obj)


def pytest_collection_finish() -> None:
    """Exclude everything loaded so far from garbage collection, since it stays in use."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup() -> None:
    """Start no test just before midnight in Lagos, so that each test lies within one day.

    PostgreSQL's clock cannot be stopped, and stopping only one of two clocks would not help.
    """
    left = (clock.next_midnight(clock.now()) - clock.now()).total_seconds()
    if left < LAST_SECONDS_OF_A_DAY:
        time.sleep(left + 1)


def bounded(test: Callable[..., Awaitable[None]]) -> Callable[..., Awaitable[None]]:
    """Return a test that fails after ``TIMEOUT_SECONDS_PER_TEST``."""

    @functools.wraps(test)
    async def run(*arguments: Any, **named: Any) -> None:
        async with asyncio.timeout(TIMEOUT_SECONDS_PER_TEST):
            await test(*arguments, **named)

    return run


@pytest.fixture(scope="session", autouse=True)
def _clean_environment() -> None:
    """Remove the machine's own settings from the environment."""
    for name in Settings.model_fields:
        os.environ.pop(name.upper(), None)


@pytest.fixture(scope="session", autouse=True)
def _rows_are_checked() -> Iterator[None]:
    """Fail where a row has a value that its class does not allow."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Query, "read", read_checked)
        yield


@pytest.fixture(scope="session", autouse=True)
async def warm() -> AsyncIterator[WarmConnections]:
    connections = WarmConnections()
    with pytest.MonkeyPatch.context() as patch:
        connections.patch(patch)
        connections.patch_listeners(patch)
        yield connections
    connections.end()


@pytest.fixture(scope="session")
def postgres(_clean_environment: None) -> Iterator[EmbeddedPostgres]:
    with tempfile.TemporaryDirectory(prefix="kof-tests-") as folder:
        Path(folder).chmod(0o711)
        place, template = Path(folder) / "postgres", migrated_cluster()
        with EmbeddedPostgres(place, throwaway=True, template=template) as server:
            yield server


@pytest.fixture(scope="session")
async def owner(postgres: EmbeddedPostgres) -> AsyncIterator[AsyncEngine]:
    """Connect as the tables' owner, for what the runtime role may not do."""
    # Checked before each use, because tests end connections, including ours.
    engine = create_async_engine(postgres.url(), pool_pre_ping=True)
    yield engine
    await engine.dispose()


@pytest.fixture(scope="session")
def settings(postgres: EmbeddedPostgres) -> Iterator[Settings]:
    with tempfile.TemporaryDirectory(prefix="kof-var-") as folder:
        yield Settings(
            app_env=Environment.TEST,
            database_url=postgres.url(),
            var_dir=Path(folder),
            web_dist=Path(folder) / "dist",
            log_level="WARNING",
            admin_code_reuse=False,  # as in production
        )


@pytest.fixture(scope="session")
def plain_settings(postgres: EmbeddedPostgres, settings: Settings) -> Settings:
    """The settings of a deployment whose server signs in with a role that owns nothing."""
    postgres.run_sql("CREATE ROLE fans_app LOGIN NOINHERIT PASSWORD 'plain'", "fans")
    postgres.run_sql("GRANT fans_runtime TO fans_app", "fans")
    address = make_url(settings.database_url).set(username="fans_app", password="plain")
    return settings.model_copy(
        update={"database_url": address.render_as_string(hide_password=False)}
    )


@pytest.fixture
def late_database(tmp_path: Path, plain_settings: Settings) -> tuple[Settings, Callable[[], None]]:
    """Settings of production whose database is unavailable, and a function that starts it."""
    address = make_url(plain_settings.database_url)
    place = Path(str(address.query["host"]))
    away = address.update_query_dict({"host": str(tmp_path)})
    production = Settings(
        **plain_settings.model_dump()
        | PRODUCTION
        | {"database_url": away.render_as_string(hide_password=False)}
    )

    def appear() -> None:
        for path in place.glob(".s.PGSQL.*[0-9]"):
            (tmp_path / path.name).symlink_to(path)

    return production, appear


@pytest.fixture(scope="module")
def s3_address() -> Iterator[str]:
    """Run an imitated object store; its buckets are shared by the whole process."""
    from moto.server import ThreadedMotoServer  # noqa: PLC0415 slow to import

    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    yield f"http://{host}:{port}"
    server.stop()


@functools.cache
def emptying() -> str:
    """Return the statements that empty every table except for rows inserted by migrations."""
    tables = [table.name for table in metadata().sorted_tables if table.name not in MIGRATED]
    tables += sorted(LIBRARY_TABLES)
    statements = [
        "SET LOCAL session_replication_role = replica",
        # A fold of a stopped application may still be running, and it locks in another order.
        f"SELECT pg_advisory_xact_lock({AdvisoryLock.POINTS_FOLDING})",
        *(f"DELETE FROM {name}" for name in tables),
        "DELETE FROM ledger_account WHERE type = 'wallet'",
        "UPDATE delivery_fee SET fee_kobo = 0, version = 1 WHERE fee_kobo <> 0 OR version <> 1",
        "INSERT INTO club (id, name, cc_name, colour_a, colour_b) VALUES "
        f"('{CLUB_A}', 'Enyimba', 'NPFL', '#0B4EA2', '#FFFFFF'), "
        f"('{CLUB_B}', 'Arsenal', NULL, '#0B4EA2', '#FFFFFF')",
    ]
    return "; ".join(statements)


@pytest.fixture
async def _empty_tables(owner: AsyncEngine, settings: Settings, _catalogue: None) -> None:
    await empty_tables(owner)
    # Mails are named by their time: those of a test with a moved clock would be the newest.
    for mail in (settings.var_dir / "outbox").glob("*.*"):
        mail.unlink()


@pytest.fixture(scope="module")
async def _catalogue(owner: AsyncEngine) -> AsyncIterator[None]:
    """Fail the last test of a file that leaves other grants, triggers, functions or rules."""
    before = await read_catalogue(owner)
    yield
    assert await read_catalogue(owner) == before


async def read_catalogue(owner: AsyncEngine) -> Any:
    """Return the part of the catalogue that tests must restore, as one text."""
    async with owner.connect() as connection:
        return (await connection.exec_driver_sql(CATALOGUE)).scalar_one()


async def empty_tables(owner: AsyncEngine) -> None:
    """Empty every table with one round trip, in one transaction."""
    async with owner.connect() as connection:
        driver = (await connection.get_raw_connection()).driver_connection
        assert isinstance(driver, asyncpg.Connection)
        await driver.execute(emptying())


class TokenCalls:
    """HTTP methods with a token."""

    token: str
    client: httpx.AsyncClient

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}

    async def get(self, path: str, **options: Any) -> httpx.Response:
        return await self.client.get(path, headers=self.headers, **options)

    async def post(
        self, path: str, body: Any = None, *, key: str | None = None, **options: Any
    ) -> httpx.Response:
        headers = self.headers | ({"Idempotency-Key": key} if key else {})
        return await self.client.post(path, json=body, headers=headers, **options)

    async def delete(self, path: str) -> httpx.Response:
        return await self.client.delete(path, headers=self.headers)


@dataclass
class SignedIn(TokenCalls):
    """A member with a live session."""

    id: UUID
    club_id: UUID
    email: str
    token: str
    client: httpx.AsyncClient


@dataclass
class RunningApp:
    """The running application, with its database and a client without a token."""

    asgi: FastAPI
    settings: Settings
    client: httpx.AsyncClient
    base_url: str = "http://house"
    members: dict[str, SignedIn] = field(default_factory=dict)

    @property
    def database(self) -> Database:
        database: Database = self.asgi.state.services.database
        return database

    @property
    def outbox(self) -> Path:
        return self.settings.var_dir / "outbox"

    async def settle(self) -> None:
        """Wait until background work of earlier responses is done and its mail delivered."""
        await self.asgi.state.services.resets.settle(DEADLINE_SECONDS)
        await self.asgi.state.deliver()

    def disable_cache(self) -> None:
        """Disable the session cache, so that every call reads its session from the database.

        A listener that connects after this call enables it again.
        """
        identity = self.asgi.state.services.identity
        identity.disable_cache()
        identity.enable_cache = identity.disable_cache

    async def sign_in(self, email: str, password: str = PASSWORD) -> httpx.Response:
        return await self.client.post(
            "/api/v1/sign-in/username-password", json={"username": email, "password": password}
        )

    async def member(self, name: str = "ada", *, club_id: UUID = CLUB_A) -> SignedIn:
        """Create a member with the app's own code but without the mail, and sign them in."""
        if name in self.members:
            return self.members[name]
        email = f"{name}@example.com"
        user_id = new_id()
        password_hash = await self.asgi.state.services.auth.hasher.hash(
            PASSWORD, HashingTurn(LaneName.SIGN_UP, "tests")
        )
        async with self.database.transaction() as tx:
            await tx.execute(
                "INSERT INTO user_account (id, club_id, first_name, last_name, email, phone, "
                "terms_accepted_at, activated_at) VALUES ($1, $2, $3, 'Obi', $4, "
                "$5, now(), now())",
                user_id,
                club_id,
                name.title(),
                email,
                f"+23480{user_id.int % 10**8:08d}",
            )
            await tx.execute(
                "INSERT INTO credential (user_id, password_hash) VALUES ($1, $2)",
                user_id,
                password_hash,
            )
        answer = (await self.sign_in(email)).json()
        member = SignedIn(user_id, club_id, email, answer["data"]["access_token"], self.client)
        self.members[name] = member
        return member

    async def give(self, member: SignedIn, naira: int) -> None:
        """Fund a wallet with a real ledger transfer."""
        async with self.database.transaction() as tx:
            await operator_credits.import_credit(
                tx, member.id, Kobo(naira * 100), f"demo:{new_id()}", clock.now()
            )

    async def balance(self, member: SignedIn) -> float:
        answer = await member.get(f"/api/v1/payment/wallet-balance/{member.id}")
        balance: float = answer.json()["data"]["balance"]
        return balance

    async def open_season(
        self,
        *,
        starts_in: timedelta = timedelta(days=-1),
        lasts: timedelta = timedelta(days=90),
        ranks: tuple[tuple[str, int], ...] = (("rookie", 50), ("super-fan", 120)),
        seconds: int = 15,
        quota: int = 5,
    ) -> UUID:
        """Create a season with its ladder and return its id."""
        season_id = new_id()
        starts_at = clock.now() + starts_in
        async with self.database.transaction() as tx:
            await tx.execute(
                "INSERT INTO season (id, name, starts_at, ends_at, point_per_question, "
                "question_time_limit, questions_per_day) "
                "VALUES ($1, $2, $3, $4, 10, $5, $6)",
                season_id,
                str(season_id),
                starts_at,
                starts_at + lasts,
                seconds,
                quota,
            )
            for rank, threshold in ranks:
                await tx.execute(
                    "INSERT INTO battle_rank (season_id, rank, threshold_point) "
                    "VALUES ($1, $2, $3)",
                    season_id,
                    rank,
                    threshold,
                )
        return season_id

    async def fold(self) -> None:
        """Wait until the boards include every award up to now."""
        async with asyncio.timeout(10):
            while True:
                await boards.fold(self.database)
                if await self.database.fetch_row("SELECT 1 FROM points_pending LIMIT 1") is None:
                    return
                await asyncio.sleep(0.01)

    async def subscribe(
        self, member: SignedIn, *, lasts: timedelta = timedelta(days=35), battle_zone: bool = True
    ) -> None:
        """Subscribe a member to a free plan as of yesterday."""
        plan_id = UUID(int=0xBA771E if battle_zone else 0x7E88ACE)
        starts_at = clock.now() - timedelta(days=1)
        async with self.database.transaction() as tx:
            await tx.execute(
                "INSERT INTO plan (id, plan, amount_kobo, duration, period, benefits, "
                "battle_zone, position) VALUES ($1, $2, 0, 1, 'month', '{}', $3, 1) "
                "ON CONFLICT DO NOTHING",
                plan_id,
                f"Plan {plan_id.int}",
                battle_zone,
            )
            await tx.execute(
                "INSERT INTO subscription (id, user_id, plan_id, starts_at, ends_at, "
                "amount_kobo) VALUES ($1, $2, $3, $4, $5, 0)",
                new_id(),
                member.id,
                plan_id,
                starts_at,
                starts_at + lasts,
            )

    async def add_questions(
        self, count: int, *, kind: str = "battle", club_id: UUID | None = None, difficulty: int = 1
    ) -> list[UUID]:
        """Add questions whose correct option is "Right"; return their ids."""
        ids = [new_id() for _ in range(count)]
        async with self.database.transaction() as tx:
            for number, question_id in enumerate(ids, start=1):
                await tx.execute(
                    "INSERT INTO question (id, slug, kind, club_id, topic, question, options, "
                    "right_option, explanation, source, difficulty) VALUES ($1, $2, $3, $4, "
                    "'Laws', $5, ARRAY['Wrong 1', 'Right', 'Wrong 2', 'Wrong 3'], "
                    "1, 'Because it is right.', 'IFAB Laws of the Game', $6)",
                    question_id,
                    str(question_id),
                    kind,
                    club_id,
                    f"What is right? ({number})",
                    difficulty,
                )
        return ids

    async def stock_product(
        self, name: str = "Club Scarf", *, price_kobo: int = 250_050, stock: int = 10
    ) -> UUID:
        """Add a product to the shop and return its id."""
        product_id = new_id()
        async with self.database.transaction() as tx:
            await tx.execute(
                "INSERT INTO product (id, name, description, price_kobo, image, thumbnail, "
                "star, position) VALUES ($1, $2, 'Warm', $3, '/media/a.svg', '/media/a.svg', 9, 1)",
                product_id,
                name,
                price_kobo,
            )
            await tx.execute(
                "INSERT INTO product_variant (id, product_id, is_default, stock) "
                "VALUES ($1, $2, true, $3)",
                new_id(),
                product_id,
                stock,
            )
        return product_id


class WorkerInPlace:
    """Runs a call's stored jobs before its response ends, so that its mail has been sent."""

    def __init__(self, app: ASGIApp, *, deliver: Callable[[], Awaitable[None]]) -> None:
        self._app = app
        self._deliver = deliver

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_when_done(message: Message) -> None:
            if message["type"] == "http.response.body" and not message.get("more_body"):
                await self._deliver()
            await send(message)

        # Reads store no jobs; pushes and SMS are sent by the jobs themselves.
        is_write = (
            scope["type"] == "http"
            and scope["method"] not in {"GET", "HEAD"}
            and not scope["path"].startswith(("/sandbox/push", "/sandbox/termii"))
        )
        await self._app(scope, receive, send_when_done if is_write else send)


def create_running_app(settings: Settings) -> FastAPI:
    """Return the application with its worker in the same process."""
    asgi = create_app(settings)
    services: Services = asgi.state.services
    worker = Worker(services.database, services.auth.queue, handlers(settings, services.database))
    turn = asyncio.Lock()

    async def deliver() -> None:
        with suppress(DatabaseUnavailableError, asyncpg.PostgresError):
            if await services.database.fetch_row(WAITING) is None:
                return
            async with turn:  # the previous holder may have done our work
                if await services.database.fetch_row(WAITING) is not None:
                    await worker.drain()

    asgi.state.deliver = deliver
    asgi.add_middleware(WorkerInPlace, deliver=deliver)
    background = services.database.lane(Priority.BACKGROUND)
    for job in clock_jobs(background, services.media_store, services.auth.queue):
        services.supervisor.add(job)
    return asgi


@asynccontextmanager
async def open_running_app(settings: Settings) -> AsyncIterator[RunningApp]:
    """Start the application in this process, without a network."""
    asgi = create_running_app(settings)
    async with (
        asgi.router.lifespan_context(asgi),
        httpx.AsyncClient(
            transport=httpx.ASGITransport(asgi, raise_app_exceptions=False),
            base_url="http://house",
            timeout=TIMEOUT_SECONDS,
        ) as client,
    ):
        # Members have separate devices, so they share no cookies.
        client.cookies.jar.set_policy(DefaultCookiePolicy(allowed_domains=[]))
        yield RunningApp(asgi, settings, client)


@pytest.fixture(autouse=True)
def _pushes_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stop scheduled pushes: tests start them.

    A push that reaches no service is retried after a minute, and the in-process worker, which runs
    until no job is left, would delay the next call.
    """
    monkeypatch.setattr(push_live, "SEND_SECONDS", 3600)


@pytest.fixture(autouse=True)
def _calls_wait_for_a_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    """Disable 503 responses, which a slow machine would cause by keeping calls waiting."""
    monkeypatch.setattr(lanes, "MAX_WAIT_SECONDS", DEADLINE_SECONDS)


@pytest.fixture
async def app(settings: Settings, _empty_tables: None) -> AsyncIterator[RunningApp]:
    async with open_running_app(settings) as opened:
        yield opened


@pytest.fixture
async def member(app: RunningApp) -> SignedIn:
    return await app.member("ada")


@pytest.fixture
async def rival(app: RunningApp) -> SignedIn:
    return await app.member("bello", club_id=CLUB_B)


def free_port() -> int:
    """Return an unused port on loopback."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
    return port


def client_of(base_url: str, **options: Any) -> httpx.AsyncClient:
    """Return a client for a server on loopback."""
    options = {"timeout": TIMEOUT_SECONDS} | options
    return httpx.AsyncClient(base_url=base_url, verify=NO_AUTHORITIES, **options)


@asynccontextmanager
async def served(asgi: ASGIApp, *, port: int = 0) -> AsyncIterator[str]:
    """Serve an application on loopback, by default on a free port; yield its address."""
    # IPPROTO_TCP is explicit, or the loop leaves Nagle's algorithm on: 40 ms per response.
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", port))
        port = listener.getsockname()[1]
        server = uvicorn.Server(
            uvicorn.Config(
                asgi,
                log_config=None,
                ws="websockets-sansio",
                ws_per_message_deflate=False,
                timeout_graceful_shutdown=1,
            )
        )
        task = asyncio.create_task(server.serve(sockets=[listener]))
        while not server.started:
            if task.done():
                await task
            await asyncio.sleep(0.01)
        try:
            yield f"http://127.0.0.1:{port}"
        finally:
            server.should_exit = True
            await task


async def until_listening(asgi: FastAPI) -> None:
    """Wait until the application receives announcements.

    When it begins to, it emits the counts of all screens again: of those that a test has opened by
    then, too.
    """
    up = asgi.state.services.metrics.dependency_up.labels(LISTENER)
    await until(lambda: up._value.get() == 1, DEADLINE_SECONDS)


@pytest.fixture
async def live_server(settings: Settings, _empty_tables: None) -> AsyncIterator[RunningApp]:
    """The application behind a real server on a real port, for sockets and races."""
    asgi = create_running_app(settings)
    async with served(asgi) as base_url, client_of(base_url, timeout=30) as client:
        await until_listening(asgi)
        yield RunningApp(asgi, settings, client, base_url)


@dataclass
class TwoWorkers:
    """Two workers of one deployment."""

    one: RunningApp
    other: RunningApp


@pytest.fixture
async def two_workers(
    settings: Settings, _empty_tables: None, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[TwoWorkers]:
    folder: Path = tmp_path_factory.mktemp("valkey")
    with EmbeddedValkey(folder) as valkey:
        shared = settings.model_copy(update={"valkey_url": valkey.url})
        one, other = create_running_app(shared), create_running_app(shared)
        async with (
            served(one) as one_url,
            served(other) as other_url,
            client_of(one_url) as one_client,
            client_of(other_url) as other_client,
        ):
            await asyncio.gather(until_listening(one), until_listening(other))
            yield TwoWorkers(
                RunningApp(one, shared, one_client, one_url),
                RunningApp(other, shared, other_client, other_url),
            )
