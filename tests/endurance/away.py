"""Mail server and payment provider are down for an hour while members use the product.

``python -m tests.endurance.away [--people N]``

Minutes are simulated: the application's clock is moved, and the queue's jobs with it. Before the
hour members pay, and the provider's reports are lost. During the hour people sign up, request codes
and try to fund their wallets. Afterwards everyone can activate their account with the newest code
of their form, no mail has an expired code, every payment is credited once, and the metrics have
shown both outages.
"""

import argparse
import asyncio
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from uuid import UUID

import httpx
from api.app.services import Services
from api.app.worker import handlers
from api.dev.sandbox.paystack.app import create_sandbox
from api.dev.sandbox.paystack.config import SandboxConfig
from api.foundation.core import clock
from api.foundation.core.config import Environment, PaymentGatewayName, Settings
from api.foundation.jobs.working import Worker
from api.main import create_app
from api.money.ledger_audit.repository.audit_run import broken_invariants_in
from api.money.payments.service.sweeping import sweep
from pydantic import SecretStr

from tests.conftest import RunningApp, client_of, free_port, served
from tests.endurance.place import CLUB, add_members, durable_postgres, open_sessions
from tests.mail_server import MailServer, part_of, running
from tests.operations.alerts import parse

PROVIDER_KEY = "sk_test_sandbox_0123456789abcdef"
CARD = "4084084084084081*408*12*30"
NAIRA = 5000
PAYERS = 20
RESENDS_IN_WINDOW, ASKS_AGAIN_EVERY = 5, 20  # people who press Resend, and after how many minutes
MINUTE = timedelta(minutes=1)
TIMEOUT_SECONDS = 20.0  # of real time, for the jobs due in a minute
MINUTES_AWAY = 60
MAX_MINUTES_AFTER = 10  # until everything has recovered
WAITING = "stored_job_oldest_waiting_seconds"
UNSETTLED = "funding_oldest_unsettled_seconds"
NOTHING_KEPT = httpx.Limits(max_keepalive_connections=0)  # between two calls servers come and go
PASS_IN_QUEUE = (
    "UPDATE pgqueuer SET created = created - interval '1 minute', "
    "updated = updated - interval '1 minute', execute_after = execute_after - interval '1 minute'"
)
DUE = (
    "SELECT 1 FROM pgqueuer WHERE execute_after <= now() AND status IN ('queued', 'picked') LIMIT 1"
)


class MovedClock:
    """Our clock, some time ahead of the machine's."""

    def __init__(self) -> None:
        self._real = clock.now
        self.ahead = timedelta()

    def now(self) -> datetime:
        """Return the current instant of this clock."""
        return self._real() + self.ahead


@dataclass
class Payer:
    """A member whose payment was not reported."""

    id: UUID
    headers: dict[str, str]
    reference: str


@dataclass
class Hour:
    """One deployment in this process, and what it observed."""

    app: RunningApp
    moved: MovedClock
    mail: MailServer
    mail_port: int
    forms: dict[str, str] = field(default_factory=dict)  # by e-mail
    answers: Counter[str] = field(default_factory=Counter)
    worst: Counter[str] = field(default_factory=Counter)  # of the metrics shown

    async def pass_a_minute(self) -> None:
        """Advance by a minute, and run the processes' due work."""
        self.moved.ahead += MINUTE
        async with self.app.database.transaction() as tx:
            await tx.execute(PASS_IN_QUEUE)
        async with asyncio.timeout(TIMEOUT_SECONDS):
            while await self.app.database.fetch_row(DUE) is not None:  # noqa: ASYNC110 polled
                await asyncio.sleep(0.02)
        await sweep(self.app.asgi.state.services.payments)

    async def read_metrics(self) -> dict[str, float]:
        """Read the metrics, and record the worst."""
        shown: Counter[str] = Counter()
        for name, _, value in parse((await self.app.client.get("/metrics")).text):
            if name in {WAITING, UNSETTLED}:
                shown[name] = max(shown[name], round(value))
        self.worst |= shown
        return {name: shown[name] for name in (WAITING, UNSETTLED)}

    async def sign_up(self, number: int) -> None:
        """Sign up a new person."""
        email = f"fan{number}@example.com"
        answer = await self.app.client.post(
            "/api/v1/signup",
            json={
                "firstName": "Bello",
                "lastName": "Musa",
                "username": email,
                "email": email,
                "phone": f"0803{number:07d}",
                "password": "a long enough secret",
                "club": str(CLUB),
                "tnc": True,
            },
        )
        self.answers[f"sign-up {answer.status_code}"] += 1
        self.forms[email] = answer.json()["data"]["id"]

    async def ask_for_code(self, email: str) -> None:
        """Press Resend for a person."""
        answer = await self.app.client.post(
            "/api/v1/signup/resend-code", json={"userId": self.forms[email]}
        )
        self.answers[f"resend {answer.status_code}"] += 1

    async def want_to_fund(self, payer: Payer) -> None:
        """Press Fund for a member and check their last payment."""
        asked = await self.app.client.post(
            "/api/v1/payment/prepare-wallet-funding",
            json={"amount": NAIRA, "userId": str(payer.id)},
            headers=payer.headers,
        )
        self.answers[f"fund {asked.status_code}"] += 1
        response = await self.app.client.get(
            f"/api/v1/payment/verify-transaction/{payer.reference}", headers=payer.headers
        )
        outcome = response.json()["data"]["status"] if response.is_success else "refused"
        self.answers[f"verify {response.status_code} {outcome}"] += 1

    async def gets_in(self, form: str, code: str | None) -> bool:
        """Enter a person's code, if one came; return whether it opened the account."""
        if code is None:
            return False
        answer = await self.app.client.post(f"/api/v1/signup/activate/{form}", json={"code": code})
        return answer.is_success

    def code_of(self, email: str) -> str | None:
        """Return the newest code mailed to a person."""
        letters = [letter for letter in self.mail.taken if letter["To"] == email]
        found = re.search(r"\b\d{6}\b", part_of(letters[-1])) if letters else None
        return found.group() if found else None


@asynccontextmanager
async def deployment(url: str, folder: Path, moved: MovedClock) -> AsyncIterator[Hour]:
    """Run the application, its worker and the mail server's address in this process."""
    mail_port, provider_port = free_port(), free_port()
    settings = Settings(
        app_env=Environment.TEST,
        database_url=url,
        var_dir=folder / "var",
        web_dist=folder / "dist",
        smtp_url=SecretStr(f"smtp://127.0.0.1:{mail_port}"),
        payment_gateway=PaymentGatewayName.PAYSTACK,
        paystack_secret_key=SecretStr(PROVIDER_KEY),
        paystack_base_url=f"http://127.0.0.1:{provider_port}",
    )
    asgi = create_app(settings)
    services: Services = asgi.state.services
    worker = Worker(services.database, services.auth.queue, handlers(settings, services.database))
    for job in worker.jobs():
        services.supervisor.add(job)
    async with served(asgi) as base, client_of(base, timeout=20, limits=NOTHING_KEPT) as client:
        yield Hour(RunningApp(asgi, settings, client, base), moved, MailServer(), mail_port)
        await worker.stop(1)


async def prove(url: str, folder: Path, people: int, minutes: int) -> str:
    """Simulate the hour; return what was observed.

    Raises:
        AssertionError: a person did not get in, or money was lost, doubled or late.
    """
    moved = MovedClock()
    clock.now = moved.now
    try:
        async with deployment(url, folder, moved) as hour:
            return await _live_through(hour, people, minutes)
    finally:
        clock.now = moved._real


async def _live_through(hour: Hour, people: int, away: int) -> str:
    settings = hour.app.settings
    provider = create_sandbox(
        SandboxConfig(secret_key=PROVIDER_KEY, public_url=settings.paystack_base_url)
    )
    port = int(settings.paystack_base_url.rsplit(":", 1)[1])
    async with served(provider, port=port):
        payers = await _pay(hour)

    for minute in range(away):
        for number in range(minute * people // away, (minute + 1) * people // away):
            await hour.sign_up(number)
        if minute % ASKS_AGAIN_EVERY == 0:  # a form has this many codes a day
            for email in list(hour.forms)[:RESENDS_IN_WINDOW]:
                await hour.ask_for_code(email)
        await hour.want_to_fund(payers[minute % len(payers)])
        await hour.pass_a_minute()
        await hour.read_metrics()
    assert hour.mail.taken == []
    assert await _credited(hour, payers) == 0

    with running(hour.mail, hour.mail_port):
        async with served(provider, port=port):
            minutes = await _get_well(hour, payers)
    assert await broken_invariants_in(hour.app.database) == []
    return _describe(hour, away, minutes)


async def _pay(hour: Hour) -> list[Payer]:
    """Pay by card for some members; the provider's reports are lost."""
    app = hour.app
    members = await add_members(app.database, PAYERS)
    payers = []
    for member, token in zip(members, await open_sessions(app.database, members), strict=True):
        headers = {"Authorization": f"Bearer {token}"}
        prepared = await app.client.post(
            "/api/v1/payment/prepare-wallet-funding",
            json={"amount": NAIRA, "userId": str(member)},
            headers=headers,
        )
        data = prepared.json()["data"]
        async with client_of(app.settings.paystack_base_url) as checkout:
            view = await checkout.get(f"/transaction/verify_access_code/{data['access_code']}")
            paid = await checkout.post(
                "/charge/", data={"trans": view.json()["data"]["id"], "clientdata": CARD}
            )
            assert paid.json()["status"] == "success", paid.text
        payers.append(Payer(member, headers, data["reference"]))
    return payers


async def _credited(hour: Hour, payers: list[Payer]) -> int:
    """Return how many payers have their money; none may have more."""
    held = []
    for payer in payers:
        answer = await hour.app.client.get(
            f"/api/v1/payment/wallet-balance/{payer.id}", headers=payer.headers
        )
        held.append(answer.json()["data"]["balance"])
    assert set(held) <= {0, NAIRA}, held
    return held.count(NAIRA)


async def _get_well(hour: Hour, payers: list[Payer]) -> int:
    """Advance the time until everything has recovered; return the minutes."""
    outside = dict(hour.forms)
    for minute in range(1, MAX_MINUTES_AFTER + 1):
        await hour.pass_a_minute()
        for email, form in list(outside.items()):
            if await hour.gets_in(form, hour.code_of(email)):
                del outside[email]
            elif minute % 2:
                await hour.ask_for_code(email)
        if not outside and await _credited(hour, payers) == len(payers):
            async with asyncio.timeout(TIMEOUT_SECONDS):  # metrics are read every few seconds
                while any((await hour.read_metrics()).values()):  # noqa: ASYNC110 polled
                    await asyncio.sleep(0.2)
            return minute
    raise AssertionError(f"not well after {MAX_MINUTES_AFTER} minutes: {outside}")


def _describe(hour: Hour, away: int, minutes: int) -> str:
    letters = Counter(letter["To"] for letter in hour.mail.taken)
    assert max(letters.values()) <= 2, letters
    return (
        f"{len(hour.forms)} people signed up and {PAYERS} had paid before {away} minutes "
        f"without mail and provider; all were in and credited after {minutes}. "
        f"{letters.total()} letters, {max(letters.values())} to one person at most. "
        f"Figures showed mail {hour.worst[WAITING]} s and payments {hour.worst[UNSETTLED]} s old. "
        f"Answers: {dict(sorted(hour.answers.items()))}"
    )


def run(*, people: int, minutes: int = MINUTES_AWAY) -> str:
    """Simulate the hour on a separate PostgreSQL; return what was observed."""
    with durable_postgres() as (server, _), tempfile.TemporaryDirectory() as folder:
        return asyncio.run(prove(server.url(), Path(folder), people, minutes))


def main() -> int:
    """Run the test from the command line; return the exit code."""
    parser = argparse.ArgumentParser(description="Mail and provider are away for an hour.")
    parser.add_argument("--people", type=int, default=60)
    options = parser.parse_args()
    started_at = time.monotonic()
    print(f"{run(people=options.people)} In {time.monotonic() - started_at:.0f} s.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
