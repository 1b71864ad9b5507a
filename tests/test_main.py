"""The whole application: how it starts, drains, serves the web app, and what production rejects."""

import asyncio
import base64
import hashlib
import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest
import websockets
from api.dev.postgres.embedded import EmbeddedPostgres
from api.foundation.core.config import Settings
from api.main import create_app
from pydantic import SecretStr

from tests.conftest import RunningApp, free_port, open_running_app
from tests.preloaded import start
from tests.production import PRODUCTION, RIGHTS, login_made, variables
from tests.waiting import DEADLINE_SECONDS, START_SECONDS

ROOT = Path(__file__).parents[1]


async def test_production_refuses_a_database_with_demo_accounts(
    app: RunningApp, plain_settings: Settings
) -> None:
    await app.member("ada")
    production = Settings(**plain_settings.model_dump() | PRODUCTION)

    with pytest.raises(RuntimeError, match="demo accounts"):
        async with open_running_app(production):
            pass


@pytest.mark.parametrize("kind", ["FUNCTION announce_identity_change()", "SCHEMA public"])
async def test_production_refuses_a_running_role_that_owns_functions_or_the_schema(
    app: RunningApp, plain_settings: Settings, postgres: EmbeddedPostgres, kind: str
) -> None:
    owner = "pg_database_owner" if kind.startswith("SCHEMA") else "CURRENT_USER"
    production = Settings(**plain_settings.model_dump() | PRODUCTION)

    postgres.run_sql(f"ALTER {kind} OWNER TO fans_runtime", "fans")
    try:
        with pytest.raises(RuntimeError, match="the owner"):
            async with open_running_app(production):
                pass
    finally:
        postgres.run_sql(f"ALTER {kind} OWNER TO {owner}", "fans")


@pytest.mark.usefixtures("_empty_tables")
async def test_production_is_ready_only_when_its_database_was_found_safe(
    late_database: tuple[Settings, Callable[[], None]],
) -> None:
    production, appear = late_database
    async with open_running_app(production) as opened:
        assert (await opened.client.get("/readyz")).status_code == 503
        assert not opened.asgi.state.services.safety.is_passed
        appear()
        async with asyncio.timeout(DEADLINE_SECONDS):
            while (await opened.client.get("/readyz")).status_code != 200:  # noqa: ASYNC110 probes have no event
                await asyncio.sleep(0.05)

        assert opened.asgi.state.services.safety.is_passed


async def test_a_database_that_takes_writes_is_not_enough_to_be_ready(
    app: RunningApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app.asgi.state.services.safety, "is_passed", False)

    answer = await app.client.get("/readyz")

    assert (answer.status_code, answer.json()) == (503, {"status": "not ready", "database": True})


async def test_nothing_of_a_database_is_served_before_it_was_found_safe(
    live_server: RunningApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    member = await live_server.member("ada")
    monkeypatch.setattr(live_server.asgi.state.services.safety, "is_passed", False)

    answers = [
        await live_server.client.get("/api/v1/clubs"),
        await live_server.client.get("/api/v1/no-such-call"),
        await member.get(f"/api/v1/payment/wallet-balance/{member.id}"),
        await live_server.sign_in(member.email),
        await live_server.client.get("/socket.io/?EIO=4&transport=polling"),
    ]
    place = live_server.base_url.removeprefix("http://")
    with pytest.raises(websockets.InvalidStatus) as refused:
        async with websockets.connect(f"ws://{place}/socket.io/?EIO=4&transport=websocket"):
            pass

    assert [answer.status_code for answer in answers] == [503] * 5
    assert {answer.json()["error"]["code"] for answer in answers} == {"database_unavailable"}
    assert {answer.headers["Retry-After"] for answer in answers} == {"2"}
    assert refused.value.response.status_code == 503
    for path in ("/healthz", "/metrics"):
        assert (await live_server.client.get(path)).status_code == 200


@pytest.mark.parametrize("workers", [1, 2])
async def test_production_ends_when_its_database_comes_and_is_not_safe(
    app: RunningApp, late_database: tuple[Settings, Callable[[], None]], workers: int
) -> None:
    await app.member("ada")
    production, appear = late_database
    environment = variables(production)
    environment |= {"PORT": "0", "WORKERS": str(workers), "STOP_NOTICE_SECONDS": "0"}
    environment["VALKEY_URL"] = "valkey://127.0.0.1:1"  # nothing listens there, nor is it needed
    process = await start(
        "-m",
        "api.foundation.server",
        env={"PYTHONPATH": str(ROOT), "PATH": os.environ["PATH"]} | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    assert process.stdout is not None
    try:
        async with asyncio.timeout(START_SECONDS):
            said = b""
            while b'"ready"' not in said:
                said = await process.stdout.readline()
                assert said
            appear()
            said += await process.stdout.read()
            code = await process.wait()
    finally:
        if process.returncode is None:
            process.kill()

    assert b"Production refuses a database with demo accounts" in said
    assert code != 0


@pytest.mark.parametrize("who", RIGHTS)
async def test_production_refuses_a_sign_in_that_could_change_the_tables(
    app: RunningApp, plain_settings: Settings, postgres: EmbeddedPostgres, who: str
) -> None:
    production = Settings(**plain_settings.model_dump() | PRODUCTION)

    with (
        login_made(who, postgres),
        pytest.raises(RuntimeError, match=r"DATABASE_URL signs in as (a|the|some)"),
    ):
        async with open_running_app(production):
            pass


async def test_production_has_no_sandbox_and_gives_the_browser_no_other_addresses(
    app: RunningApp, plain_settings: Settings
) -> None:
    production = Settings(**plain_settings.model_dump() | PRODUCTION)
    async with open_running_app(production) as opened:
        assert (await opened.client.get("/sandbox/paystack/popup")).status_code == 404
        assert opened.asgi.state.services.payments.checkout is None
        assert opened.asgi.state.services.limiter._leniency == 1


async def test_a_house_whose_database_is_away_starts_says_so_and_heals(
    tmp_path_factory: pytest.TempPathFactory, settings: Settings, postgres: EmbeddedPostgres
) -> None:
    nowhere = tmp_path_factory.mktemp("nowhere")
    away = settings.model_copy(
        update={"database_url": f"postgresql+asyncpg://u:p@/fans?host={nowhere}&port=5432"}
    )
    async with open_running_app(away) as opened:
        health = await opened.client.get("/healthz")
        ready = await opened.client.get("/readyz")
        clubs = await opened.client.get("/api/v1/clubs")

    assert health.status_code == 200
    assert (ready.status_code, ready.json()["database"]) == (503, False)
    assert (clubs.status_code, clubs.json()["error"]["code"]) == (503, "database_unavailable")
    assert int(clubs.headers["Retry-After"]) >= 1


@pytest.fixture
def built(tmp_path: Path) -> Path:
    dist = tmp_path / "dist"
    (dist / "assets").mkdir(parents=True)
    (dist / "index.html").write_text("<!doctype html><title>King of Fans</title>")
    (dist / "assets" / "app-1.js").write_text("console.log(1)")
    (dist / "assets" / "app-1.js.br").write_bytes(b"brotli")
    (dist / ".secret").write_text("secret")
    (tmp_path / "outside.txt").write_text("outside")
    return dist


@pytest.mark.usefixtures("_empty_tables")
async def test_the_web_app_is_served_behind_everything_else(
    settings: Settings, built: Path
) -> None:
    browser = {"Accept": "text/html,*/*"}
    async with open_running_app(settings.model_copy(update={"web_dist": built})) as opened:
        client = opened.client
        for path in ("/", "/signin", "/product/1", "/activate-account/x"):
            page = await client.get(path, headers=browser)
            assert page.status_code == 200, path
            assert "King of Fans" in page.text
            assert page.headers["Cache-Control"] == "no-cache"
            assert "script-src 'self'" in page.headers["Content-Security-Policy"]
            assert "unsafe" not in page.headers["Content-Security-Policy"]
        script = await client.get("/assets/app-1.js", headers={"Accept-Encoding": "identity"})
        assert "immutable" in script.headers["Cache-Control"]
        packed = await client.send(
            client.build_request("GET", "/assets/app-1.js", headers={"Accept-Encoding": "br"}),
            stream=True,
        )
        assert packed.headers["Content-Encoding"] == "br"
        assert packed.headers["Content-Type"].startswith("text/javascript")
        await packed.aclose()
        for path in (
            "/assets/gone.js",
            "/api/v1/nope",
            "/.secret",
            "/assets/app-1.js.br",
            "/assets/%2e%2e/.secret",
        ):
            answer = await client.get(path, headers=browser)
            assert answer.status_code == 404, path
        for path in ("/%2e%2e/%2e%2e/outside.txt", "/..%2foutside.txt", "/%5c..%5coutside.txt"):
            assert "outside" not in (await client.get(path, headers=browser)).text, path
        assert (await client.get("/signin", headers={"Accept": "*/*"})).status_code == 200
        only_json = await client.get("/signin", headers={"Accept": "application/json"})
        assert only_json.status_code == 404
        assert (await client.post("/signin")).status_code in {404, 405}
        assert (await client.delete("/api/v1/clubs")).status_code == 405


@pytest.mark.usefixtures("_empty_tables")
async def test_the_page_may_run_its_own_inline_script_and_no_other(
    settings: Settings, built: Path
) -> None:
    script = 'document.title = "own"'
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    (built / "index.html").write_text(
        f'<!doctype html><script>{script}</script><script src="/assets/app-1.js"></script>'
    )
    async with open_running_app(settings.model_copy(update={"web_dist": built})) as opened:
        page = await opened.client.get("/", headers={"Accept": "text/html"})
    directives = page.headers["Content-Security-Policy"].split("; ")
    assert f"script-src 'self' 'sha256-{digest}'" in directives
    assert {part for part in directives if "//" in part} == {
        f"connect-src 'self' {settings.public_url.replace('http', 'ws', 1)} "
        "https://api.paystack.co https://standard.paystack.co",
        "frame-src 'self' https://checkout.paystack.com",
    }


@pytest.mark.usefixtures("_empty_tables")
async def test_every_read_of_many_at_once_is_answered_with_the_smallest_pool(
    settings: Settings,
) -> None:
    small = settings.model_copy(update={"database_pool_size": 8})
    async with open_running_app(small) as opened:
        member = await opened.member("ada")

        answers = await asyncio.gather(
            *(member.get(f"/api/v1/payment/wallet-balance/{member.id}") for _ in range(120))
        )

    assert {answer.status_code for answer in answers} == {200}


def test_the_description_is_the_same_every_time() -> None:
    assert create_app(Settings()).openapi() == create_app(Settings()).openapi()


async def test_pictures_are_served_as_pictures(app: RunningApp) -> None:
    folder = app.settings.var_dir / "media" / "products"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "scarf.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>")

    answer: httpx.Response = await app.client.get("/media/products/scarf.svg")

    assert answer.headers["Content-Type"] == "image/svg+xml; charset=utf-8"
    assert "sandbox" in answer.headers["Content-Security-Policy"]
    assert "max-age" in answer.headers["Cache-Control"]


async def test_only_pages_of_configured_origins_may_call(
    settings: Settings, app: RunningApp
) -> None:
    friends = settings.model_copy(update={"allowed_origins": ("https://friend.example",)})
    asked = {
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "content-type",
    }
    async with open_running_app(friends) as opened:
        welcome = await opened.client.options(
            "/api/v1/signup", headers=asked | {"Origin": "https://friend.example"}
        )
        other_origin = await opened.client.options(
            "/api/v1/signup", headers=asked | {"Origin": "https://evil.example"}
        )
    closed = await app.client.get("/api/v1/clubs", headers={"Origin": "https://friend.example"})

    assert welcome.headers["Access-Control-Allow-Origin"] == "https://friend.example"
    assert "Access-Control-Allow-Credentials" not in welcome.headers
    assert "Access-Control-Allow-Origin" not in other_origin.headers
    assert "Access-Control-Allow-Origin" not in closed.headers


@pytest.mark.usefixtures("_empty_tables")
async def test_production_shows_its_figures_by_key_or_address_and_to_nobody_else(
    plain_settings: Settings,
) -> None:
    key = "m" * 31 + "!"
    watched = {"metrics_key": SecretStr(key), "metrics_addresses": ("10.1.0.0/16", "fd00::/8")}
    plain = Settings(**plain_settings.model_dump() | PRODUCTION)
    asked: dict[str, int] = {}
    async with (
        open_running_app(plain) as app,
        open_running_app(plain.model_copy(update=watched)) as guarded,
    ):
        unknown = (await app.client.get("/nothing-here")).json()
        for name, asgi, address, headers in (
            ("nobody is named", app.asgi, "127.0.0.1", {}),
            ("no key", guarded.asgi, "127.0.0.1", {}),
            ("wrong key", guarded.asgi, "127.0.0.1", {"Authorization": f"Bearer {key}x"}),
            ("forwarded", guarded.asgi, "127.0.0.1", {"X-Forwarded-For": "10.1.2.3"}),
            ("key", guarded.asgi, "127.0.0.1", {"Authorization": f"Bearer {key}"}),
            ("address", guarded.asgi, "10.1.2.3", {}),
            ("mapped", guarded.asgi, "::ffff:10.1.2.3", {}),
            ("six", guarded.asgi, "fd00::1", {}),
        ):
            transport = httpx.ASGITransport(asgi, client=(address, 1))
            async with httpx.AsyncClient(transport=transport, base_url="http://x") as client:
                answer = await client.get("/metrics", headers=headers)
            asked[name] = answer.status_code
            if answer.status_code == 404:
                body = answer.json()
                body["error"]["requestId"] = unknown["error"]["requestId"]
                assert body == unknown
    assert asked == {
        "nobody is named": 404,
        "no key": 404,
        "wrong key": 404,
        "forwarded": 404,
        "key": 200,
        "address": 200,
        "mapped": 200,
        "six": 200,
    }


@pytest.mark.parametrize("wrong", [{"metrics_addresses": "10.0.0.0/99"}, {"metrics_key": "short"}])
def test_a_wrong_way_to_watch_is_refused_at_the_start(
    settings: Settings, wrong: dict[str, str]
) -> None:
    with pytest.raises(ValueError, match=r"METRICS_KEY|must hold addresses"):
        Settings(**settings.model_dump() | wrong)


@pytest.mark.usefixtures("_empty_tables")
async def test_a_server_logs_nobodys_address_or_query_and_a_refused_socket_is_no_error(
    settings: Settings, tmp_path: Path
) -> None:
    process = await start(
        "-m",
        "api.foundation.server",
        env={
            "PYTHONPATH": str(ROOT),
            "PATH": os.environ["PATH"],
            "DATABASE_URL": settings.database_url,
            "VAR_DIR": str(tmp_path),
            "APP_ENV": "test",
            "LOG_LEVEL": "DEBUG",
            "TRUSTED_PROXIES": "127.0.0.1",
            "STOP_NOTICE_SECONDS": "0",
            "PORT": str(port := free_port()),
        },
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    assert process.stdout is not None
    forwarded = {"X-Forwarded-For": "203.0.113.77"}
    query = "userId=CANARY&token=CANARY"
    try:
        async with asyncio.timeout(START_SECONDS):
            said = b""
            while b'"ready"' not in said:
                said = await process.stdout.readline()
                assert said
            address = f"ws://127.0.0.1:{port}"
            engine = f"{address}/socket.io/?EIO=4&transport=websocket&{query}"
            async with websockets.connect(engine, additional_headers=forwarded) as accepted:
                await accepted.recv()
            for refused in (f"{address}/nowhere?{query}", f"{engine}&sid=CANARY"):
                with pytest.raises(websockets.WebSocketException):
                    async with websockets.connect(refused, additional_headers=forwarded) as opened:
                        await opened.recv()
            process.terminate()
            said += await process.stdout.read()
            await process.wait()
    finally:
        if process.returncode is None:
            process.kill()

    lines = said.decode().splitlines()
    assert [line for line in lines if "203.0.113.77" in line or "CANARY" in line] == []
    assert [line for line in lines if json.loads(line)["level"] in {"error", "critical"}] == []
