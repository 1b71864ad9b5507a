"""Requests generated from the API's description.

``python -m tests.endurance.description [--cases N] [--seed S]``

Sends thousands of valid and invalid requests and sequences of calls to the running application on a
real PostgreSQL. None may return a server error, an undocumented status, or a body that does not
match its documented shape.
"""

import argparse
import asyncio
import json
import os
import re
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from api.foundation.core.config import Environment, Settings
from api.main import create_app

from tests.conftest import CLUB_A, RunningApp, client_of, served
from tests.endurance.place import durable_postgres

CHECKS = (
    "not_a_server_error,status_code_conformance,content_type_conformance,"
    "response_headers_conformance,response_schema_conformance"
)
# These end the session, or need none: the example's password is the member's.
LEFT_OUT = ("sign_out", "delete_account", "forgot_password", "reset_password", "read_metrics")
HOOKS = "tests.endurance.description_hooks"
ROOT = Path(__file__).parents[2]
CASES_PER_EXAMPLE = 45  # measured: the cost of one more example of each operation


async def prove(
    app: RunningApp, *, examples: int, seed: int, phases: str, settings: str = ""
) -> int:
    """Run the generated requests against ``app``; return their number.

    ``settings`` is the content of a ``schemathesis.toml``.

    Raises:
        AssertionError: a response contradicts the description.
    """
    # Not the e-mail of the examples: generated sign-ins would end this session.
    member = await app.member("explorer")
    await app.give(member, 1_000_000)
    await app.open_season()
    await app.subscribe(member)
    await app.add_questions(20, kind="trivia")
    product = await app.stock_product(stock=10_000)
    known = {
        "user_id": [str(member.id)],
        "userId": [str(member.id)],
        "clubId": [str(member.club_id), "Enyimba"],
        "club": [str(member.club_id), "Enyimba", "Public"],
        "product_id": [str(product)],
        "id": [str(member.id), str(product)],
        "gateway": ["paystack"],
    }
    await app.client.get("/openapi.json")  # built now: the tool waits no more than 10 s
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "schemathesis.toml").write_text(settings, encoding="utf-8")
        process = await asyncio.create_subprocess_exec(
            str(Path(sys.executable).with_name("schemathesis")),
            "run",
            f"{app.base_url}/openapi.json",
            "--header",
            f"Authorization: Bearer {member.token}",
            f"--max-examples={examples}",
            f"--phases={phases}",
            f"--checks={CHECKS}",
            *(f"--exclude-operation-id={name}" for name in LEFT_OUT),
            f"--seed={seed}",
            # Threads that read lambdas at once break CPython 3.11's parser: python/cpython#106905.
            "--workers=1",
            "--warnings=off",  # so that the report ends with the failures
            "--no-color",
            cwd=folder,
            env={
                **os.environ,
                "KNOWN_IDS": json.dumps(known),
                "SCHEMATHESIS_HOOKS": HOOKS,
                "PYTHONPATH": str(ROOT),
            },
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        output, _ = await process.communicate()
    report = output.decode()
    still_in = await member.get(f"/api/v1/users/{member.id}")
    assert still_in.status_code == 200, "a generated request ended the session"
    assert process.returncode == 0, report[-8000:]
    counted = re.search(r"(\d+) generated", report)
    assert counted is not None, report[-2000:]
    print(report[-1500:])
    return int(counted.group(1))


@asynccontextmanager
async def place(database_url: str, folder: Path) -> AsyncIterator[RunningApp]:
    """Serve the application on a new database."""
    settings = Settings(
        app_env=Environment.TEST,
        database_url=database_url,
        var_dir=folder / "var",
        web_dist=folder / "dist",
        log_level="ERROR",
    )
    asgi = create_app(settings)
    async with served(asgi) as base_url, client_of(base_url) as client:
        app = RunningApp(asgi, settings, client, base_url)
        async with app.database.transaction() as tx:
            await tx.execute(
                "INSERT INTO club (id, name, cc_name, colour_a, colour_b) "
                "VALUES ($1, 'Enyimba', 'NPFL', '#0B4EA2', '#FFFFFF')",
                CLUB_A,
            )
        yield app


def main() -> int:
    """Parse the command line, run the test, and print the number of requests."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=2026)
    options = parser.parse_args()
    with durable_postgres() as (
        server,
        folder,
    ):  # it migrates, which needs to run without an event loop
        cases = asyncio.run(run(server.url(), folder, options.cases, options.seed))
    print(f"{cases} requests, every answer as described")
    return 0 if cases >= options.cases else 1


async def run(database_url: str, folder: Path, cases: int, seed: int) -> int:
    """Serve the application on a new database and make at least ``cases`` requests."""
    async with place(database_url, folder) as app:
        return await prove(
            app,
            examples=max(5, cases // CASES_PER_EXAMPLE),
            seed=seed,
            phases="examples,coverage,fuzzing,stateful",
        )


if __name__ == "__main__":
    sys.exit(main())
