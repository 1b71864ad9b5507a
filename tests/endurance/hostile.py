"""A process that floods every expensive endpoint of a server on loopback until its input ends.

It reads one command as JSON from its input: ``url``; the minimum number of ``clients``, each with
its own connection and distributed evenly over the endpoints; the token of the ``hostile`` member
and those of the ``crowd`` of another network; the ``emails`` whose passwords it guesses; and an
existing ``product`` and ``club``. It reports when every limit has refused it, and at the end the
counts of its responses.
"""

import asyncio
import itertools
import json
import os
import sys
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from typing import Any

import httpx

from tests.community.moments.forms import png_of, profile_form

NETWORK, ADDRESS = "198.51.100.9", "203.0.113.66"
UPLOADS = 6  # at least: four of them are the hostile member's, who may have two
NICENESS = 10  # attackers have machines of their own
REFUSALS = {409, 428, 429, 503}
# Not awaited: a description costs no more than a file and is never refused, sign-ups are hashed one
# after the other, and a slow upload reads its refusal only when it has ended.
NOT_AWAITED = {"description", "sign-up", "upload"}


class Attacker:
    """Floods all endpoints at once; counts the responses."""

    def __init__(self, order: dict[str, Any], client: httpx.AsyncClient) -> None:
        self._order = order
        self._client = client
        self._number, self._uploads = itertools.count(), itertools.count()
        self._members = itertools.count()
        self.answers: dict[str, Counter[int]] = {name: Counter() for name in self._kinds()}

    @property
    def is_pressing(self) -> bool:
        """Whether every limit has refused it."""
        return all(
            name in NOT_AWAITED or statuses.keys() & REFUSALS
            for name, statuses in self.answers.items()
        )

    async def press(self, name: str) -> None:
        """Repeat one call, waiting for nothing but the response."""
        call = self._kinds()[name]
        while True:
            with suppress(httpx.TransportError):  # the server disconnected, as it may
                self.answers[name][(await call()).status_code] += 1
            await asyncio.sleep(0)

    def _kinds(self) -> dict[str, Callable[[], Awaitable[httpx.Response]]]:
        bomb = profile_form({}, png_of(5000, 4000))
        guess = {"username": self._email(), "password": "a guess"}
        admin = {"email": self._order["emails"][0], "password": "a guess", "code": "000000"}
        lines = {
            "carts": [{"id": self._order["product"], "quantity": 5}],
            "billing": {"firstName": "A", "lastName": "B", "phone": "08031234567", "address": "x"},
            "paymentMethod": "bank-transfer",
        }
        report = {"kind": "screen", "name": "E", "message": "m", "path": "/chats", "build": "b"}
        return {
            "picture": lambda: self._post("users/updatekyc", **bomb),
            "upload": self._upload_slowly,
            "sign-in": lambda: self._post("sign-in/username-password", json=guess),
            "reset": lambda: self._post("password/forgot", json={"email": self._email()}),
            "sign-up": self._sign_up,
            "stock": lambda: self._post("products/checkout", json=lines),
            "report": lambda: self._post("client-errors", json=report),
            "description": lambda: self._client.get("/openapi.json", headers=self._headers()),
            "admin": lambda: self._post("admin/sign-in", json=admin),
        }

    async def _upload_slowly(self) -> httpx.Response:
        async def body() -> AsyncIterator[bytes]:
            yield b'--edge\r\nContent-Disposition: form-data; name="avatar"; filename="a"\r\n\r\n'
            for _ in range(60):
                yield bytes(2000)
                await asyncio.sleep(0.2)

        kind = {"Content-Type": "multipart/form-data; boundary=edge"}
        headers = self._headers_of(is_crowd=next(self._uploads) % 3 == 0)
        return await self._client.post(
            "/api/v1/users/updatekyc", headers=headers | kind, content=body()
        )

    async def _sign_up(self) -> httpx.Response:
        number = next(self._number)
        form = {
            "firstName": "Bello",
            "lastName": "Musa",
            "email": f"flood{number}@example.com",
            "phone": f"+23482{number:08d}",
            "password": "a good password",
            "club": self._order["club"],
            "tnc": True,
        }
        return await self._post("signup", json=form)

    async def _post(self, path: str, **content: Any) -> httpx.Response:
        return await self._client.post(f"/api/v1/{path}", headers=self._headers(), **content)

    def _email(self) -> str:
        emails: list[str] = self._order["emails"]
        return emails[next(self._number) % len(emails)]

    def _headers(self) -> dict[str, str]:
        """Return the hostile member's headers, or those of a member of the hostile network."""
        return self._headers_of(is_crowd=next(self._number) % 2 == 0)

    def _headers_of(self, *, is_crowd: bool) -> dict[str, str]:
        if is_crowd:
            token = self._order["crowd"][next(self._members) % len(self._order["crowd"])]
            address = NETWORK
        else:
            address, token = ADDRESS, self._order["hostile"]
        return {"X-Forwarded-For": address, "Authorization": f"Bearer {token}"}


async def attack() -> None:
    """Read a command from the input; flood until the input ends, then print the responses."""
    order = json.loads(sys.stdin.readline())
    loop = asyncio.get_running_loop()
    ended = loop.run_in_executor(None, sys.stdin.read)
    unbounded = httpx.Limits(max_connections=None)  # the library's 100 would make clients wait
    async with httpx.AsyncClient(base_url=order["url"], timeout=30, limits=unbounded) as client:
        attacker = Attacker(order, client)
        of_each = -(-order["clients"] // len(attacker.answers))
        tasks = [
            asyncio.create_task(attacker.press(name))
            for name in attacker.answers
            for _ in range(of_each + (UPLOADS if name == "upload" else 0))
        ]
        while not (attacker.is_pressing or ended.done()):  # noqa: ASYNC110 it has no event
            await asyncio.sleep(0.05)
        print("pressing" if attacker.is_pressing else "ended", flush=True)
        await ended
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    print(json.dumps(attacker.answers), flush=True)


if __name__ == "__main__":
    os.nice(NICENESS)
    asyncio.run(attack())
