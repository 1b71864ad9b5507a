"""The callers in the simulated month: members, operators, and the providers' reports.

They repeat a call with its idempotency key until its response is final, whatever is killed
meanwhile.
"""

import asyncio
import json
import random
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import httpx
from api.foundation.core import clock
from api.foundation.security.one_time_codes import code_at
from typing_extensions import override

from tests.conftest import client_of

TIMEOUT_SECONDS = 90.0
CALL_SECONDS = 20.0
AGAIN_SECONDS, MAX_RETRY_SECONDS = 0.05, 0.5
COME_AGAIN = {429, 502, 503, 504}
REPORT_SECONDS = 10.0
WEBHOOK = "/api/v1/payment/webhook"


def naira(kobo: int) -> float:
    """Return kobo as the wire has them."""
    return kobo / 100


def kobo(amount: float) -> int:
    """Return a wire amount in kobo."""
    return round(amount * 100)


def new_key(chance: random.Random) -> str:
    """Draw an idempotency key."""
    return str(UUID(int=chance.getrandbits(128), version=4))


@dataclass(frozen=True)
class Answer:
    """A final response, and how many responses to the same request were lost before it."""

    call: str
    status: int
    code: str
    data: Any
    breaks: int

    def must_be(self, *outcomes: int | str) -> None:
        """Check the response against the possible statuses, or codes of refusals.

        Raises:
            AssertionError: it is none of them.
        """
        said = self.code or self.status
        assert said in outcomes, f"{self.call}: {self.status} {self.code}, not {outcomes}"


@dataclass
class Operator:
    """An operator at the back office."""

    number: int
    email: str
    secret: str
    token: str = ""


class Callers:
    """One client shared by all callers."""

    def __init__(self, base: str) -> None:
        limits = httpx.Limits(max_connections=100, max_keepalive_connections=100)
        self._client = client_of(base, timeout=CALL_SECONDS, limits=limits)
        self.calls = 0
        self.repeats = 0
        self.refusals: Counter[str] = Counter()

    async def aclose(self) -> None:
        """Close idle connections."""
        await self._client.aclose()

    async def call(
        self,
        method: str,
        path: str,
        *,
        token: str | None = None,
        key: str | None = None,
        on_break: Callable[[], Awaitable[None]] | None = None,
        **content: Any,
    ) -> Answer:
        """Send a request until a final response has come.

        ``on_break`` is called before a request with a lost response is repeated.

        Raises:
            AssertionError: the server failed, or did not respond for too long.
        """
        headers = content.pop("headers", {})
        headers |= {"Authorization": f"Bearer {token}"} if token else {}
        headers |= {"Idempotency-Key": key} if key else {}
        deadline, tries, breaks = time.monotonic() + TIMEOUT_SECONDS, 0, 0
        while time.monotonic() < deadline:
            tries += 1
            self.calls += 1
            try:
                answer = await self._client.request(method, path, headers=headers, **content)
            except httpx.TransportError:
                breaks += 1
                if on_break is not None:
                    await on_break()
            else:
                if answer.status_code not in COME_AGAIN:
                    return self._final(f"{method} {path}", answer, breaks)
            self.repeats += 1
            await asyncio.sleep(min(AGAIN_SECONDS * 2 ** (tries - 1), MAX_RETRY_SECONDS))
        raise AssertionError(f"{method} {path} got no final answer")

    def _final(self, call: str, answer: httpx.Response, breaks: int) -> Answer:
        assert answer.status_code < 500, f"{call}: {answer.status_code} {answer.text}"
        is_json = answer.headers.get("content-type", "").startswith("application/json")
        body = answer.json() if is_json else {}
        code = (body.get("error") or {}).get("code", "") if answer.status_code >= 400 else ""
        if code:
            self.refusals[code] += 1
        return Answer(call, answer.status_code, code, body.get("data"), breaks)

    async def office(
        self, operator: Operator, method: str, path: str, *, key: str | None = None, **content: Any
    ) -> Answer:
        """Same as `call` at the back office, with a fresh code where one is required."""
        while True:
            answer = await self.call(
                method, f"/api/v1/admin/{path}", token=operator.token, key=key, **content
            )
            if answer.code != "fresh_code_needed":
                return answer
            del self.refusals["fresh_code_needed"]
            code = code_at(operator.secret, clock.now())
            fresh = await self.office(operator, "POST", "fresh", json={"code": code})
            fresh.must_be(200)

    async def report(self, report: "Report") -> Answer:
        """Deliver a provider's report."""
        return await self.call(
            "POST", f"{WEBHOOK}/{report.gateway}", content=report.body, headers=report.headers
        )


@dataclass(frozen=True)
class Report:
    """A webhook in its exact bytes."""

    gateway: str
    body: bytes
    headers: dict[str, str]


class Bag(httpx.AsyncBaseTransport):
    """Collects the providers' reports without delivering them: the events do that."""

    def __init__(self) -> None:
        self._reports: dict[str, Report] = {}

    @override
    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        body = await request.aread()
        content = json.loads(body)["data"]
        names = ("content-type", "x-paystack-signature", "verif-hash", "flutterwave-signature")
        headers = {name: request.headers[name] for name in names if name in request.headers}
        gateway = request.url.path.rpartition("/")[2]
        reference = str(content.get("reference") or content.get("tx_ref"))
        self._reports[reference] = Report(gateway, body, headers)
        return httpx.Response(200)

    def forget(self, reference: str) -> None:
        """Drop the reports of a payment."""
        self._reports.pop(reference, None)

    async def report_of(self, reference: str) -> Report:
        """Wait for the newest report of a payment and return it."""
        async with asyncio.timeout(REPORT_SECONDS):
            while reference not in self._reports:  # noqa: ASYNC110 polled
                await asyncio.sleep(0.005)
        return self._reports[reference]
