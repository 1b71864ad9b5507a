"""A client generated from the description by a third-party tool works."""

import asyncio
import json
import subprocess
import sys
from pathlib import Path

from tests.conftest import PASSWORD, RunningApp

PROGRAM = """
import json, sys
from fans import AuthenticatedClient, Client
from fans.api.auth import sign_in
from fans.api.wallet import read_wallet_balance
from fans.models import Refusal, SignInInput

base_url, email, password = sys.argv[1:]
form = SignInInput(username=email, password=password)
signed_in = sign_in.sync(client=Client(base_url=base_url), body=form)
user = signed_in.data.user
client = AuthenticatedClient(base_url=base_url, token=signed_in.data.access_token)
answer = read_wallet_balance.sync(user.id, client=client)
refused = sign_in.sync(
    client=Client(base_url=base_url), body=SignInInput(username=email, password="wrong password")
)
assert isinstance(refused, Refusal)
print(json.dumps([user.first_name, answer.data.balance, refused.status, refused.error.code]))
"""


async def test_a_generated_client_signs_in_and_reads_a_balance(
    live_server: RunningApp, tmp_path: Path
) -> None:
    ada = await live_server.member("ada")
    await live_server.give(ada, 25_000)
    description = tmp_path / "openapi.json"
    description.write_text((await live_server.client.get("/openapi.json")).text, encoding="utf-8")
    configuration = tmp_path / "configuration.yml"
    configuration.write_text("package_name_override: fans\npost_hooks: []\n", encoding="utf-8")

    generated = await run(
        tmp_path,
        str(Path(sys.executable).with_name("openapi-python-client")),
        *("generate", "--path", str(description), "--config", str(configuration)),
        *("--meta", "none", "--output-path", str(tmp_path / "fans"), "--fail-on-warning"),
    )
    assert generated.returncode == 0, generated.stdout
    used = await run(
        tmp_path, sys.executable, "-c", PROGRAM, live_server.base_url, ada.email, PASSWORD
    )

    assert used.returncode == 0, used.stdout
    assert json.loads(used.stdout) == ["Ada", 25_000, 400, "wrong_credentials"]


async def run(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """Run a program in ``folder``; return its result with all output."""
    process = await asyncio.create_subprocess_exec(
        *command, cwd=folder, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
    )
    said, _ = await process.communicate()
    return subprocess.CompletedProcess(command, process.returncode or 0, said.decode())
