"""Helpers: a sign-up, the mails sent for it, elapsed time, and client addresses."""

import email
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
from fastapi import FastAPI

from tests.conftest import CLUB_A, RunningApp
from tests.mail_server import part_of

FORM: dict[str, Any] = {
    "firstName": "Bello",
    "lastName": "Musa",
    "email": "musa@example.com",
    "phone": "08031234567",
    "password": "a good password",
    "club": str(CLUB_A),
    "tnc": True,
}
CODE = re.compile(r"^ {4}(\d{6})$", re.MULTILINE)


def codes(app: RunningApp, address: str = "bello@example.com") -> list[str]:
    """Return the codes mailed to ``address``, oldest first."""
    letters = [
        email.message_from_bytes(path.read_bytes()) for path in sorted(app.outbox.glob("*.eml"))
    ]
    return [
        code
        for letter in letters
        if letter["To"] == address
        for code in CODE.findall(part_of(letter))
    ]


async def make_old(app: RunningApp, seconds: int) -> None:
    """Backdate every mailed code by ``seconds``."""
    async with app.database.transaction() as tx:
        await tx.execute(
            "UPDATE mailed_code SET created_at = created_at - make_interval(secs => $1), "
            "expires_at = expires_at - make_interval(secs => $1)",
            seconds,
        )


async def forget(app: RunningApp, address: str) -> str:
    """Request a password reset, wait for its mail, and return the handle."""
    answer = await app.client.post("/api/v1/password/forgot", json={"email": address})
    assert answer.status_code == 200
    await app.settle()
    handle: str = answer.json()["data"]["userId"]
    return handle


@asynccontextmanager
async def calling_from(asgi: FastAPI, address: str) -> AsyncIterator[httpx.AsyncClient]:
    """Return a client whose calls come from ``address``."""
    transport = httpx.ASGITransport(asgi, raise_app_exceptions=False, client=(address, 1))
    async with httpx.AsyncClient(transport=transport, base_url="http://house") as client:
        yield client
