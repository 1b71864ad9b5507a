"""The image's programs run as an unprivileged user and write only to its two folders."""

import asyncio
import os
import signal
import socket
import subprocess
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped] # its stubs are not worth a dependency
from api.foundation.core.config import Settings
from sqlalchemy.engine import make_url

from tests.image import Image, command_of, health_of, last, make_removable, stages
from tests.production import PRODUCTION, variables

ROOT = Path(__file__).resolve().parents[1]
SECONDS = 60.0
IMPORT_ALL = """
import importlib, pkgutil, api
names = sorted(found.name for found in pkgutil.walk_packages(api.__path__, "api."))
for name in names:
    importlib.import_module(name)
print(*names)
"""


@pytest.fixture(scope="module")
def image() -> Iterator[Image]:
    with tempfile.TemporaryDirectory(prefix="kof-image-") as folder:
        Path(folder).chmod(0o755)
        built = Image("production", Path(folder))
        yield built
        make_removable(built.app)


def service(name: str) -> dict[str, Any]:
    loaded = yaml.safe_load((ROOT / "docker-compose.yml").read_text("utf-8"))
    found: dict[str, Any] = loaded["services"][name]
    return found


@asynccontextmanager
async def on_loopback(settings: Settings) -> AsyncIterator[dict[str, str]]:
    """Yield production settings with the tests' database on a port: its socket is its user's."""
    address = make_url(settings.database_url)
    place = f"{address.query['host']}/.s.PGSQL.{address.query['port']}"

    async def forward(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_unix_connection(place)
        await asyncio.gather(pump(reader, back), pump(there, writer))

    async def pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while chunk := await reader.read(65536):
                writer.write(chunk)
                await writer.drain()
        writer.close()

    server = await asyncio.start_server(forward, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    reached = address.set(host="127.0.0.1", port=port, query={})
    production = Settings(
        **settings.model_dump()
        | PRODUCTION
        | {"database_url": reached.render_as_string(hide_password=False)}
    )
    async with server:
        yield variables(production)


def free_port() -> str:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return str(listener.getsockname()[1])


async def until(is_so: Callable[[], bool]) -> None:
    """Wait until ``is_so`` returns true; polls rarely, as each health check is a process."""
    async with asyncio.timeout(SECONDS):
        while not is_so():  # noqa: ASYNC110 another process
            await asyncio.sleep(0.02)


def listens(port: str) -> bool:
    with socket.socket() as caller:
        return caller.connect_ex(("127.0.0.1", int(port))) == 0


async def healthy_at_last(image: Image, command: list[str], settings: dict[str, str]) -> None:
    async with asyncio.timeout(SECONDS):
        while (await asyncio.to_thread(image.run, command, settings))[0]:  # noqa: ASYNC110 another process
            await asyncio.sleep(0.2)


async def end(process: "subprocess.Popen[str]") -> tuple[int, str]:
    process.send_signal(signal.SIGTERM)
    printed, _ = await asyncio.to_thread(process.communicate, timeout=30)
    return process.returncode, printed


def test_it_holds_the_product_and_nothing_of_development(image: Image) -> None:
    held = {path.name for path in image.app.iterdir()}

    assert held == {"api", "migrations", "alembic.ini"}  # and web/dist, which Node builds
    assert "dev" not in {path.name for path in (image.app / "api").iterdir()}
    assert list(stages())[-1] == "production"
    for stage in ("development", "backup", "production"):
        assert last(stage, "USER") == "fans"


def test_every_module_loads_with_the_locked_packages_alone(image: Image) -> None:
    code, printed = image.run(["python", "-c", IMPORT_ALL], {})
    missing, _ = image.run(["python", "-c", "import pytest"], {})

    assert code == 0, printed
    names = printed.split()
    assert {"api.main", "api.app.worker", "api.app.backup.__main__", "api.console.__main__"} <= set(
        names
    )
    assert not {".".join(name.split(".")[:2]) for name in names} & {"api.dev"}
    assert missing == 1


def test_its_user_writes_to_its_folders_only(image: Image) -> None:
    if os.geteuid() != 0:
        assert not os.access(image.app / "api", os.W_OK)
    for place, code in ((image.app, 1), (image.app / "api", 1), (image.var, 0), (image.tmp, 0)):
        found, printed = image.run(["python", "-c", f"open({str(place / 'x')!r}, 'w')"], {})
        assert found == code, printed


@pytest.mark.usefixtures("_empty_tables")
async def test_the_server_serves_and_its_health_check_sees_it(
    image: Image, plain_settings: Settings
) -> None:
    async with on_loopback(plain_settings) as settings:
        settings["PORT"] = free_port()
        before = await asyncio.to_thread(image.run, health_of("production"), settings)
        process = image.start(command_of("production"), settings)
        try:
            await until(lambda: listens(settings["PORT"]) or process.poll() is not None)
            await healthy_at_last(image, health_of("production"), settings)
            ready = [
                *("python", "-c"),
                f"import urllib.request as u; u.urlopen('http://127.0.0.1:{settings['PORT']}/readyz')",
            ]
            await healthy_at_last(image, ready, settings)
        finally:
            code, printed = await end(process)

    assert before[0] == 1
    assert code == 128 + signal.SIGTERM, printed
    assert not list(image.app.rglob("__pycache__"))


@pytest.mark.usefixtures("_empty_tables")
async def test_the_worker_works_and_its_health_check_sees_it_stand_still(
    image: Image, plain_settings: Settings
) -> None:
    kind, *health = service("worker")["healthcheck"]["test"]
    async with on_loopback(plain_settings) as settings:
        before = await asyncio.to_thread(image.run, health, settings)
        process = image.start(service("worker")["command"], settings)
        beats = "king-of-fans-worker-*.beat"
        try:
            await until(lambda: any(image.tmp.glob(beats)) or process.poll() is not None)
            await healthy_at_last(image, health, settings)
            (file,) = image.tmp.glob(beats)
            process.send_signal(signal.SIGSTOP)  # stops the heartbeat
            os.utime(file, (0, 0))
            stopped = await asyncio.to_thread(image.run, health, settings)
            process.send_signal(signal.SIGCONT)
            await healthy_at_last(image, health, settings)
        finally:
            process.send_signal(signal.SIGCONT)
            code, printed = await end(process)
        after = await asyncio.to_thread(image.run, health, settings)

    assert kind == "CMD"
    assert (before[0], stopped[0], after[0]) == (1, 1, 1)
    assert code == 0, printed


@pytest.mark.usefixtures("_empty_tables")
async def test_the_console_and_the_migrations_run(
    image: Image, settings: Settings, plain_settings: Settings
) -> None:
    async with on_loopback(plain_settings) as server, on_loopback(settings) as owner:
        jobs = await asyncio.to_thread(image.run, ["python", "-m", "api.console", "jobs"], server)
        upgrade = ["python", "-m", "alembic", "upgrade", "head"]
        migrated = await asyncio.to_thread(image.run, upgrade, owner)

    assert jobs == (0, "The queue is empty.\n")
    assert migrated[0] == 0, migrated[1]


def test_compose_runs_its_own_processes_read_only_without_rights() -> None:
    for name in ("app", "worker", "backup"):
        run = service(name)
        assert run["read_only"] is True
        assert run["tmpfs"] == ["/tmp"]  # noqa: S108 the container's own
        assert run["cap_drop"] == ["ALL"]
        assert run["security_opt"] == ["no-new-privileges:true"]
    assert service("backup")["build"]["target"] == "backup"
    assert service("backup")["profiles"] == ["backup"]
    assert command_of("backup") == ["python", "-m", "api.app.backup"]
    assert health_of("backup") == ["python", "-m", "api.foundation.jobs.heartbeat", "backup"]
