"""A used club moves to another server with the commands of the operators' page."""

import os
import re
import secrets
import shlex
import sys
import tempfile
from asyncio import create_subprocess_shell, subprocess, wait_for
from collections.abc import Iterator, Mapping
from contextlib import AsyncExitStack
from pathlib import Path

import httpx
import pytest
from api.dev.postgres.embedded import EmbeddedPostgres
from api.foundation.core.config import DEVELOPMENT_KEYS
from sqlalchemy.engine import make_url

from tests.community.moments.forms import picture, profile_form
from tests.conftest import free_port
from tests.console.command_line import run as run_console
from tests.console.example import PATH_ON_THE_PAGE, copy_example
from tests.console.test_opening_a_club import (
    EMAIL,
    PAGE,
    PASSWORD,
    ROOT,
    SECONDS,
    balance,
    block_of,
    is_ready,
    live_there,
    mail_server,
    provider,
    running,
)
from tests.databases import empty_cluster
from tests.production import PRODUCTION
from tests.waiting import until

KEY = "kept-apart-from-all-of-the-backups"


def blocks_of(heading: str, language: str) -> list[str]:
    """Return all code blocks below a heading of the page."""
    section = PAGE.split(f"\n## {heading}\n", 1)[1].split("\n## ", 1)[0]
    return re.findall(rf"```{language}\n(.*?)```", section, re.DOTALL)


@pytest.fixture
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[EmbeddedPostgres]]:
    """Two new servers with separate data."""
    with tempfile.TemporaryDirectory(prefix="kof-moving-") as folder:
        Path(folder).chmod(0o711)
        template = empty_cluster()
        with (
            EmbeddedPostgres(Path(folder) / "old", throwaway=True, template=template) as old,
            EmbeddedPostgres(Path(folder) / "new", throwaway=True, template=template) as new,
        ):
            yield [old, new]


def address(server: EmbeddedPostgres, login: str, database: str = "fans") -> str:
    url = make_url(server.url(database)).set(drivername="postgresql")
    if login:
        url = url.set(username=login, password="secret")
    return url.render_as_string(hide_password=False)


class Operator:
    """Runs lines of the page in a folder with settings."""

    def __init__(self, folder: Path, programs: Path) -> None:
        self.folder = folder
        self.path = f"{programs}:{Path(sys.executable).parent}:{os.environ['PATH']}"
        self.variables: dict[str, str] = {}

    def write(self, name: str, settings: Mapping[str, str]) -> None:
        lines = "".join(f"{key}={value}\n" for key, value in settings.items())
        (self.folder / name).write_text(lines, encoding="utf-8")

    async def run(self, line: str) -> str:
        """Run one line in the product's folder; relative files are in the operator's folder."""
        for name in (*(path.name for path in self.folder.glob("*.*")), "today"):
            line = re.sub(rf"(?<![\w/.]){re.escape(name)}\b", str(self.folder / name), line)
        process = await create_subprocess_shell(
            f"cd {shlex.quote(str(ROOT))} && {line}",
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env={"PATH": self.path, **self.variables},
        )
        printed, _ = await wait_for(process.communicate(), SECONDS)
        assert process.returncode == 0, f"{line}\n{printed.decode()}"
        return printed.decode()


def settings_of(server: EmbeddedPostgres, var: Path, **more: str) -> dict[str, str]:
    """Return a production server's settings."""
    keys = {name.upper(): PRODUCTION[name] for name in DEVELOPMENT_KEYS}
    return {
        "APP_ENV": "production",
        "PUBLIC_URL": "https://fans.test",
        "DATABASE_URL": address(server, "fans_app"),
        "PAYMENT_GATEWAY": "paystack",
        "VAR_DIR": str(var),
        "LOG_LEVEL": "ERROR",
        "PYTHONPATH": str(Path(__file__).with_name("provider_at_hand")),
        **{name: secret.get_secret_value() for name, secret in keys.items()},  # type: ignore[attr-defined]
        **more,
    }


async def open_old_club(operator: Operator, server_env: dict[str, str], example: Path) -> None:
    """Run the commands of the opening page that change something; its own test uses the shell.

    The console is the loaded one: a process for each line takes ten times as long as its work.
    """
    settings = dict(server_env)
    url = settings.pop("DATABASE_URL")
    migrate, *lines = block_of("Opening", "sh").splitlines()
    await operator.run(migrate)
    for line in lines:
        line = line.replace(PATH_ON_THE_PAGE, str(example))
        command = shlex.split(line.split("python -m api.console ", 1)[1])
        if command != ["check"] and "--dry-run" not in command:
            answer = await run_console(*command, url=url, **settings)
            assert answer.returncode == 0, answer.stdout + answer.stderr


async def signed_in(client: httpx.AsyncClient) -> dict[str, str]:
    """Sign the member in, and return their wallet and profile."""
    await until(lambda: is_ready(client), SECONDS)
    answer = await client.post(
        "/api/v1/sign-in/username-password", json={"username": EMAIL, "password": PASSWORD}
    )
    assert answer.status_code == 200, answer.text
    data: dict[str, dict[str, str]] = answer.json()["data"]
    client.headers["Authorization"] = f"Bearer {data['access_token']}"
    return data["user"]


async def test_a_used_club_moves_by_the_commands_of_the_page(
    servers: list[EmbeddedPostgres], tmp_path: Path
) -> None:
    old, new = servers
    operator = Operator(tmp_path, old.bin_dir)
    roles = block_of("Roles of the database", "sql").replace("'…'", "'secret'")
    (tmp_path / "roles.sql").write_text(roles, encoding="utf-8")
    back_up, put_back = blocks_of("Backup and restore", "sh")
    to_psql, to_restore = put_back.splitlines()
    port, provider_port = free_port(), free_port()
    secret_key = f"sk_live_sandbox_{secrets.token_hex(16)}"
    more = {
        "PORT": str(port),
        "PAYSTACK_SECRET_KEY": secret_key,
        "PROVIDER_PORT": str(provider_port),
    }
    async with AsyncExitStack() as stack:
        mails = await stack.enter_async_context(mail_server())
        more["SMTP_URL"] = f"smtp://127.0.0.1:{mails.port}"
        webhook = f"http://127.0.0.1:{port}/api/v1/payment/webhook/paystack"
        paying = await stack.enter_async_context(provider(provider_port, webhook, secret_key))
        server_env = settings_of(old, tmp_path / "var", **more)
        new_env = settings_of(new, tmp_path / "new-var", **more)
        reader = {
            "BACKUP_DATABASE_URL": address(old, "fans_backup"),
            "BACKUP_KEY": KEY.replace(" ", "-"),
        }
        operator.write("owner.env", {"DATABASE_URL": address(old, "fans_owner")})
        operator.write("server.env", server_env)
        operator.write("new.env", new_env)
        operator.write("backup.env", reader)
        operator.write("restore.env", {**reader, "BACKUP_DATABASE_URL": address(new, "fans_owner")})
        operator.variables["NEW_SERVER"] = address(old, "", "postgres")
        await operator.run(to_psql)
        await open_old_club(operator, server_env, copy_example(tmp_path))

        async with (
            running("api.app.worker", server_env),
            running("api.foundation.server", server_env),
            httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=30) as client,
        ):
            await live_there(client, paying, mails)
            user = await signed_in(client)
            form = profile_form({"id": user["id"]}, picture())
            sent = await client.post("/api/v1/users/updatekyc", **form)
            assert sent.status_code == 200, sent.text
            face = sent.json()["data"]["avatar"]
            before = await balance(client, user["id"]), (await client.get(face)).content
        await operator.run(back_up)

        operator.variables["NEW_SERVER"] = address(new, "", "postgres")
        await operator.run(to_psql)
        said = await operator.run(to_restore)

        found = [line.split(":")[0] for line in said.splitlines() if re.match("ok|todo|FAIL", line)]
        assert [line for line in found if not line.startswith("ok")] == [
            "todo owner",
            "todo backup",
        ]
        assert "ok ledger: It balances" in said
        async with (
            running("api.foundation.server", new_env),
            httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=30) as client,
        ):
            assert (await signed_in(client))["id"] == user["id"]
            after = await balance(client, user["id"]), (await client.get(face)).content
            assert after == before
            assert 0 < after[0] < 20_000
