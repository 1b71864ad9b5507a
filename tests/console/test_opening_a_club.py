"""A production deployment opens from an empty database with the commands of the operators' page."""

import asyncio
import json
import os
import re
import secrets
import shlex
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import pytest
import uvicorn
from api.dev.postgres.embedded import EmbeddedPostgres
from api.dev.sandbox.paystack.app import create_sandbox
from api.dev.sandbox.paystack.config import SandboxConfig
from api.dev.sandbox.paystack.provider import Provider
from api.dev.sandbox.paystack.store import MemoryStore

from tests.conftest import free_port
from tests.console.example import PATH_ON_THE_PAGE, copy_example
from tests.preloaded import start
from tests.shop.carts import BILLING
from tests.waiting import until

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
SECONDS = 90.0
CODE = re.compile(r"\b\d{6}\b")
EMAIL, PASSWORD = "first@fans.test", "a stand by the sea"


def block_of(heading: str, language: str) -> str:
    """Return the first code block below a heading of the page."""
    section = PAGE.split(f"\n## {heading}\n", 1)[1].split("\n## ", 1)[0]
    return section.split(f"```{language}\n", 1)[1].split("```", 1)[0]


@dataclass
class MailServer:
    """Accepts and stores every mail; speaks as much SMTP as sending needs."""

    port: int = 0
    mails: list[str] = field(default_factory=list)

    async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"220 here\r\n")
        while line := (await reader.readline()).decode().strip():
            if line.upper() == "DATA":
                writer.write(b"354 go on\r\n")
                self.mails.append((await reader.readuntil(b"\r\n.\r\n")).decode())
                writer.write(b"250 kept\r\n")
            elif line.upper() == "QUIT":
                writer.write(b"221 bye\r\n")
                break
            else:
                writer.write(b"250 fine\r\n")
        writer.close()

    async def code(self) -> str:
        """Return the code of the last mail, once there is one."""
        await until(lambda: bool(self.mails), SECONDS)
        found = CODE.search(self.mails[-1].split("\r\n\r\n", 1)[1])
        assert found is not None
        return found.group()


@asynccontextmanager
async def mail_server() -> AsyncIterator[MailServer]:
    mails = MailServer()
    server = await asyncio.start_server(mails.talk, "127.0.0.1", 0)
    mails.port = server.sockets[0].getsockname()[1]
    async with server:
        yield mails


@asynccontextmanager
async def provider(port: int, webhook_url: str, secret_key: str) -> AsyncIterator[Provider]:
    """Run the sandbox provider as a separate server with realistic latency."""
    app = create_sandbox(
        SandboxConfig(
            secret_key=secret_key,
            public_url="https://checkout.paystack.com",
            webhook_url=webhook_url,
            app_origins=("https://fans.test",),
            merchant_name="King of Fans",
            store=MemoryStore(),
        )
    )
    server = uvicorn.Server(uvicorn.Config(app, port=port, log_config=None))
    task = asyncio.create_task(server.serve())
    await until(lambda: server.started, SECONDS)
    imitated: Provider = app.state.provider
    yield imitated
    server.should_exit = True
    await task


async def run_line(line: str, folder: Path) -> str:
    """Run a line of the page in a folder; return its output."""
    shell = f"cd {shlex.quote(str(ROOT))} && {line}"
    for name, replacement in (
        ("owner.env", folder / "owner.env"),
        ("server.env", folder / "server.env"),
        (PATH_ON_THE_PAGE, folder / "opening" / "club.toml"),
    ):
        shell = shell.replace(name, str(replacement))
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    process = await asyncio.create_subprocess_shell(
        shell,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        env={"PATH": path},
    )
    printed, _ = await asyncio.wait_for(process.communicate(), SECONDS)
    assert process.returncode == 0, f"{line}\n{printed.decode()}"
    return printed.decode()


@asynccontextmanager
async def running(module: str, settings: Mapping[str, str]) -> AsyncIterator[None]:
    """Run a process of the deployment during the block."""
    process = await start(
        "-m",
        module,
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], **settings},
        stdout=asyncio.subprocess.DEVNULL,
    )
    try:
        yield
        assert process.returncode is None, f"{module} has ended"
    finally:
        if process.returncode is None:
            process.terminate()
        await asyncio.wait_for(process.wait(), SECONDS)


@pytest.fixture
def empty_server(postgres: EmbeddedPostgres) -> EmbeddedPostgres:
    """A PostgreSQL on which a superuser has run the page's block of roles."""
    for name in ("fans_opening", "fans_opened"):
        postgres.run_sql(f"DROP DATABASE IF EXISTS {name}", "postgres")
    roles = block_of("Roles of the database", "sql").replace("'…'", "'secret'")
    assert "CREATE ROLE fans_owner LOGIN" in roles
    # The tests' server already has the runtime role and other databases: new names, the same
    # rights.
    renamed = re.sub(r"\bfans_(owner|app|backup)\b", r"opening_\1", roles)
    renamed = renamed.replace("CREATE DATABASE fans OWNER", "CREATE DATABASE fans_opening OWNER")
    renamed = renamed.replace("CREATE ROLE fans_runtime NOLOGIN;", "")
    for statement in re.sub(r"--.*", "", renamed).split(";"):
        if statement.strip():
            postgres.run_sql(statement, "postgres")
    return postgres


async def test_a_club_opens_by_the_commands_of_the_page_and_a_member_does_everything(
    empty_server: EmbeddedPostgres, tmp_path: Path
) -> None:
    port, provider_port = free_port(), free_port()
    address = empty_server.url("fans_opening").split("@", 1)[1]
    secret_key = f"sk_live_sandbox_{secrets.token_hex(16)}"
    async with AsyncExitStack() as stack:
        mails = await stack.enter_async_context(mail_server())
        webhook = f"http://127.0.0.1:{port}/api/v1/payment/webhook/paystack"
        paying = await stack.enter_async_context(provider(provider_port, webhook, secret_key))
        settings = {
            "APP_ENV": "production",
            "PORT": str(port),
            "PUBLIC_URL": "https://fans.test",
            "DATABASE_URL": f"postgresql://opening_app:secret@{address}",
            "SMTP_URL": f"smtp://127.0.0.1:{mails.port}",
            "MAIL_FROM": "no-reply@fans.test",
            "VAR_DIR": str(tmp_path / "var"),
            "TOKEN_KEY": secrets.token_hex(32),
            "CODE_KEY": secrets.token_hex(32),
            "PROFILE_KEY": secrets.token_hex(32),
            "FIXTURE_FEED_KEY": secrets.token_hex(32),
            "PAYMENT_GATEWAY": "paystack",
            "PAYSTACK_SECRET_KEY": secret_key,
            "PYTHONPATH": str(Path(__file__).with_name("provider_at_hand")),
            "PROVIDER_PORT": str(provider_port),
        }
        owner = f"DATABASE_URL=postgresql://opening_owner:secret@{address}\n"
        (tmp_path / "owner.env").write_text(owner, encoding="utf-8")
        (tmp_path / "server.env").write_text(
            "".join(f"{name}={value}\n" for name, value in settings.items()), encoding="utf-8"
        )

        copy_example(tmp_path)
        printed = [
            await run_line(line, tmp_path) for line in block_of("Opening", "sh").splitlines()
        ]

        last = dict(line.split(": ", 1) for line in printed[-1].splitlines())
        assert [name for name in last if name.startswith("todo")] == [
            "todo owner",
            "todo backup",
        ]
        await stack.enter_async_context(running("api.app.worker", settings))
        await stack.enter_async_context(running("api.foundation.server", settings))
        client = await stack.enter_async_context(
            httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=30)
        )
        await live_there(client, paying, mails)


async def live_there(client: httpx.AsyncClient, paying: Provider, mails: MailServer) -> None:
    """Sign up, fund, buy, subscribe, play a quest."""
    await until(lambda: is_ready(client), SECONDS)
    clubs = (await client.get("/api/v1/clubs")).json()["data"]
    club = next(one for one in clubs if one["name"] == "Harbour Rovers")
    form = {
        "firstName": "First",
        "lastName": "Member",
        "email": EMAIL,
        "phone": "08031234567",
        "password": PASSWORD,
        "club": club["id"],
        "tnc": True,
    }
    signed_up = await client.post("/api/v1/signup", json=form)
    assert signed_up.status_code == 201, signed_up.text
    code = await mails.code()
    activated = await client.post(
        "/api/v1/signup/validate-token",
        json={"code": code, "userId": signed_up.json()["data"]["id"]},
    )
    assert activated.status_code == 200, activated.text
    signed_in = await client.post(
        "/api/v1/sign-in/username-password", json={"username": EMAIL, "password": PASSWORD}
    )
    data = signed_in.json()["data"]
    client.headers["Authorization"] = f"Bearer {data['access_token']}"
    await fund(client, paying, data["user"]["id"])
    await buy(client, data["user"]["id"])
    await subscribe(client, data["user"]["id"])
    await play(client, data["user"]["id"], club["id"])


async def is_ready(client: httpx.AsyncClient) -> bool:
    """Return whether the server is ready; it is not before it listens."""
    try:
        return (await client.get("/readyz")).status_code == 200
    except httpx.TransportError:
        return False


async def fund(client: httpx.AsyncClient, paying: Provider, user_id: str) -> None:
    """Pay 20,000 naira into the wallet; the provider's webhook credits them."""
    prepared = await client.post(
        "/api/v1/payment/prepare-wallet-funding", json={"amount": 20_000, "userId": user_id}
    )
    assert prepared.status_code == 200, prepared.text
    transaction = paying.store.read_by_reference(prepared.json()["data"]["reference"])
    assert transaction is not None
    paying.pay_with_wallet(transaction)
    await until(lambda: holds(client, user_id, 20_000), SECONDS)


async def balance(client: httpx.AsyncClient, user_id: str) -> float:
    answer = await client.get(f"/api/v1/payment/wallet-balance/{user_id}")
    held: float = answer.json()["data"]["balance"]
    return held


async def holds(client: httpx.AsyncClient, user_id: str, naira: float) -> bool:
    """Return whether the wallet holds ``naira``."""
    return await balance(client, user_id) == naira


async def buy(client: httpx.AsyncClient, user_id: str) -> None:
    """Buy the example's scarf from the wallet."""
    (scarf,) = (await client.get("/api/v1/products")).json()["data"]
    assert (await client.get(scarf["image"])).headers["Content-Type"] == "image/webp"
    order = {
        "carts": [{"id": scarf["id"], "quantity": 1, "price": scarf["price"]}],
        "billing": BILLING | {"state": "Lagos"},
        "paymentMethod": "wallet",
    }
    placed = await client.post("/api/v1/products/checkout", json=order)
    assert placed.status_code == 201, placed.text
    assert await balance(client, user_id) == 20_000 - scarf["price"]


async def subscribe(client: httpx.AsyncClient, user_id: str) -> None:
    """Subscribe to the example's plan."""
    (plan,) = (await client.get("/api/v1/subscription")).json()["data"]
    before = await balance(client, user_id)
    taken = await client.post("/api/v1/users/subscription", json={"subscriptionId": plan["id"]})
    assert taken.status_code == 201, taken.text
    assert await balance(client, user_id) == before - plan["amount"]


async def play(client: httpx.AsyncClient, user_id: str, club_id: str) -> None:
    """Answer the day's questions from the shipped bank."""
    path = f"/api/v1/question/daily-trivial-question/{club_id}/{user_id}"
    asked = (await client.get(path)).json()["data"]
    assert len(asked) == 5
    choices = [
        {"question": one["id"], "answer": next(iter(json.loads(one["options"])))} for one in asked
    ]
    body = {"userId": user_id, "clubId": club_id, "choices": json.dumps(choices)}
    submitted = await client.post("/api/v1/question/submit-trivia-question", json=body)
    assert submitted.status_code in {200, 201}, submitted.text
