"""The fake Termii as one ASGI app: it stores SMS as files and reports their delivery.

A message is ``<id>.sms`` in the folder: a header for each field, an empty line, and the text. Some
numbers fail, by their last digits: 0001 is refused, 0002 is sent but answered with 502, 0003 is
busy once, and 0004 is on the do-not-disturb list.
"""

import asyncio
import hashlib
import hmac
import itertools
import json
import re
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

FIELDS = ("to", "from", "sms", "type", "channel", "api_key")
NUMBER = re.compile(r"[1-9][0-9]{7,14}")
SENDER = re.compile(r"[A-Za-z0-9 ]{3,11}")
CODE = re.compile(r"\b\d{6}\b")
REPORT_DELAY_SECONDS = 0.2  # the sender has stored the message's id by then
REPORT_TRIES, REPORT_RETRY_SECONDS = 5, 1.0
DELIVERED = "DELIVERED | Message delivered to handset"
ON_DND = "DND Active on Phone Number"
# Keeps message ids unique and in order while a test stops the clock.
_serial = itertools.count()


@dataclass
class TermiiSandboxConfig:
    """The account, the folder of messages, and where reports are posted; None posts none."""

    api_key: str
    secret_key: str
    folder: Path
    report_url: str | None = None
    delivery_transport: httpx.AsyncBaseTransport | None = None
    prints_codes: bool = False
    busy: set[str] = field(default_factory=set)


def create_termii_sandbox(config: TermiiSandboxConfig) -> Starlette:
    """Return the service."""
    reports: set[asyncio.Task[None]] = set()

    async def send(request: Request) -> Response:
        message = await _read(request, config)
        if isinstance(message, Response):
            return message
        ending = message["to"][-4:]
        if ending == "0001":
            return _refuse("Insufficient balance", 400)
        if ending == "0003" and message["to"] not in config.busy:
            config.busy.add(message["to"])
            return _refuse("Too many requests", 429)
        message_id = f"{time.time_ns()}{next(_serial):06d}"
        await asyncio.to_thread(_store, config, message_id, message)
        if ending == "0002":
            return Response(status_code=502)
        task = asyncio.create_task(_report(config, message_id, message, ending))
        reports.add(task)
        task.add_done_callback(reports.discard)
        return JSONResponse(
            {
                "code": "ok",
                "message_id": message_id,
                "message": "Successfully Sent",
                "balance": 1000,
                "user": "King of Fans",
            }
        )

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        yield
        for task in reports:
            task.cancel()

    return Starlette(routes=[Route("/api/sms/send", send, methods=["POST"])], lifespan=lifespan)


async def _read(request: Request, config: TermiiSandboxConfig) -> dict[str, str] | Response:
    """Return the message of a request, or why it is refused."""
    try:
        content: Any = await request.json()
    except ValueError:
        content = None
    if not isinstance(content, dict) or not all(
        isinstance(content.get(name), str) and content[name] for name in FIELDS
    ):
        return _refuse(f"The fields are {', '.join(FIELDS)}", 422)
    if not hmac.compare_digest(content["api_key"].encode(), config.api_key.encode()):
        return _refuse("Invalid API key", 401)
    fits = NUMBER.fullmatch(content["to"]) and SENDER.fullmatch(content["from"])
    if not fits or content["type"] != "plain" or content["channel"] not in {"dnd", "generic"}:
        return _refuse("Invalid number, sender, type or channel", 400)
    return {name: content[name] for name in FIELDS if name != "api_key"}


def _store(config: TermiiSandboxConfig, message_id: str, message: dict[str, str]) -> None:
    config.folder.mkdir(parents=True, exist_ok=True)
    path = config.folder / f"{message_id}.sms"
    partial = path.with_suffix(".part")
    headers = [
        f"To: +{message['to']}",
        f"From: {message['from']}",
        f"Channel: {message['channel']}",
    ]
    partial.write_text("\n".join([*headers, "", message["sms"], ""]), encoding="utf-8")
    partial.rename(path)
    found = CODE.search(message["sms"])
    if config.prints_codes and found:
        print(f"SMS to •••• {message['to'][-4:]}: code {found.group()}", flush=True)


async def _report(
    config: TermiiSandboxConfig, message_id: str, message: dict[str, str], ending: str
) -> None:
    """Post the delivery report, and again while it is not taken."""
    if config.report_url is None:
        return
    await asyncio.sleep(REPORT_DELAY_SECONDS)
    raw = json.dumps(
        {
            "type": "outbound",
            "message_id": message_id,
            "receiver": message["to"],
            "sender": message["from"],
            "message": message["sms"],
            "sent_at": time.strftime("%Y-%m-%d %H:%M:%S"),
            "cost": "3.9",
            "status": ON_DND if ending == "0004" else DELIVERED,
            "channel": message["channel"],
        }
    ).encode()
    headers = {
        "Content-Type": "application/json",
        "X-Termii-Signature": sign(config.secret_key, raw),
    }
    async with httpx.AsyncClient(transport=config.delivery_transport, trust_env=False) as client:
        for _ in range(REPORT_TRIES):
            try:
                answer = await client.post(config.report_url, content=raw, headers=headers)
            except httpx.HTTPError:
                answer = None
            if answer is not None and answer.is_success:
                return
            await asyncio.sleep(REPORT_RETRY_SECONDS)


def sign(secret_key: str, raw: bytes) -> str:
    """Return the signature of a report."""
    return hmac.new(secret_key.encode(), raw, hashlib.sha512).hexdigest()


def _refuse(reason: str, status: int) -> JSONResponse:
    return JSONResponse({"message": reason, "status": "error"}, status)
