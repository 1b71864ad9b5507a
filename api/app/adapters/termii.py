"""Codes by SMS through Termii; its API is described in decision 0093."""

import asyncio
import hashlib
import hmac
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import httpx
import structlog
from typing_extensions import override

from api.foundation.core.errors import UnavailableError
from api.people.auth import rules
from api.people.auth.enums import SmsState
from api.people.auth.errors import InvalidReportError
from api.people.auth.ports import (
    CodeRefusedError,
    CodeSender,
    DeliveryReport,
    DeliveryReports,
    OutgoingCode,
    UncertainDeliveryError,
)

log = structlog.get_logger(__name__)
TIMEOUT = httpx.Timeout(10, connect=5)
WHOLE_CALL_SECONDS = 15
MAX_RESPONSE_BYTES = 64 * 1024
MAX_ID_LENGTH, MAX_WORDS_LENGTH = 64, 80
SIGNATURE = "X-Termii-Signature"
# The request did not arrive.
NOT_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)
DELIVERED = ("delivered", "received")
UNDELIVERED = ("dnd active", "message failed", "rejected", "expired")


@dataclass(frozen=True)
class TermiiAccount:
    """The account's credentials, its own base URL, and the route of its messages."""

    api_key: str
    secret_key: str
    sender_id: str
    base_url: str
    channel: str


class TermiiCodeSender(CodeSender):
    """Sends codes by SMS; ``transport`` replaces the network."""

    def __init__(
        self, account: TermiiAccount, transport: httpx.AsyncBaseTransport | None = None
    ) -> None:
        self._account = account
        self._transport = transport

    @override
    async def send(self, code: OutgoingCode) -> str | None:
        """Send a code. Only a request that cannot have arrived counts as not sent."""
        account = self._account
        minutes = int(rules.CODE_LIFE.total_seconds() // 60)
        content = {
            "api_key": account.api_key,
            "to": code.to.removeprefix("+"),
            "from": account.sender_id,
            # Plain ASCII without special characters: one page of 160 characters.
            "sms": f"{code.code} is your King of Fans code. It expires in {minutes} minutes. "
            "Do not share it.",
            "type": "plain",
            "channel": account.channel,
        }
        url = f"{account.base_url.rstrip('/')}/api/sms/send"
        try:
            async with (
                asyncio.timeout(WHOLE_CALL_SECONDS),
                self._client() as client,
                client.stream("POST", url, json=content) as response,
            ):
                status, body = response.status_code, await _read_capped(response)
        except NOT_SENT as error:
            raise UnavailableError from error
        except (httpx.HTTPError, httpx.InvalidURL, TimeoutError) as error:
            raise UncertainDeliveryError from error
        if status == httpx.codes.TOO_MANY_REQUESTS:
            raise UnavailableError
        if httpx.codes.is_client_error(status) or httpx.codes.is_redirect(status):
            log.error("sms refused", http_status=status)
            raise CodeRefusedError
        if not httpx.codes.is_success(status):
            log.warning("sms uncertain", http_status=status)
            raise UncertainDeliveryError
        message_id = _read_object(body).get("message_id")
        return str(message_id)[:MAX_ID_LENGTH] if message_id else None

    def _client(self) -> httpx.AsyncClient:
        """Return a client for one call: SMS are rare."""
        return httpx.AsyncClient(
            timeout=TIMEOUT, follow_redirects=False, transport=self._transport, trust_env=False
        )


class TermiiReports(DeliveryReports):
    """Reads Termii's delivery reports, signed with the account's secret key."""

    def __init__(self, secret_key: str) -> None:
        self._secret_key = secret_key.encode()

    @override
    def read(self, raw: bytes, headers: Mapping[str, str]) -> DeliveryReport | None:
        """Return a delivery report; None for other events, and states that decide nothing."""
        expected = hmac.new(self._secret_key, raw, hashlib.sha512).hexdigest().encode()
        given = headers.get(SIGNATURE, "").lower().encode("utf-8", "surrogateescape")
        if not hmac.compare_digest(expected, given):
            raise InvalidReportError
        event = _read_object(raw)
        message_id, words = event.get("message_id"), event.get("status")
        if not isinstance(message_id, str | int) or not isinstance(words, str):
            return None
        state = _state_of(words)
        storable = "".join(each for each in words if each.isprintable())[:MAX_WORDS_LENGTH]
        if state is None or not str(message_id).isascii() or "\0" in str(message_id):
            return None
        return DeliveryReport(str(message_id)[:MAX_ID_LENGTH], state, storable)


def _state_of(words: str) -> SmsState | None:
    """Return what a status means, such as ``DELIVERED | Message delivered to handset``."""
    plain = words.strip().lower()
    if plain.startswith(DELIVERED):
        return SmsState.DELIVERED
    return SmsState.UNDELIVERED if plain.startswith(UNDELIVERED) else None


def _read_object(body: bytes) -> dict[str, Any]:
    """Return the JSON object in a body, empty if it is none."""
    try:
        content = json.loads(body)
    except (ValueError, RecursionError):
        return {}
    return content if isinstance(content, dict) else {}


async def _read_capped(response: httpx.Response) -> bytes:
    """Return the body up to the cap; more is no response of Termii's."""
    body = bytearray()
    async for chunk in response.aiter_bytes():
        body += chunk
        if len(body) > MAX_RESPONSE_BYTES:
            return b""
    return bytes(body)
