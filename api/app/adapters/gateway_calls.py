"""Calls to a payment provider: capped, never redirected, and either final or retryable."""

import asyncio
import json
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

import httpx
import structlog

from api.money.payments.errors import GatewayUnavailableError

log = structlog.get_logger(__name__)
TIMEOUT = httpx.Timeout(15, connect=5)
WHOLE_CALL_SECONDS = 20  # httpx timeouts are per read: a slow drip would pass them
MAX_RESPONSE_BYTES = 1024 * 1024
MAX_SENTENCE_LENGTH = 200


def make_client(secret_key: str, transport: httpx.AsyncBaseTransport | None) -> httpx.AsyncClient:
    """Return a client that authenticates with our key; ``transport`` replaces the network."""
    return httpx.AsyncClient(
        headers={"Authorization": f"Bearer {secret_key}", "Accept": "application/json"},
        timeout=TIMEOUT,
        follow_redirects=False,
        transport=transport,
        trust_env=False,
    )


async def ask(
    client: httpx.AsyncClient,
    method: str,
    url: httpx.URL,
    content: Mapping[str, Any] | None = None,
    *,
    timeout_seconds: float = WHOLE_CALL_SECONDS,
) -> tuple[bool, dict[str, Any]]:
    """Return whether the provider accepted, and the envelope of its response.

    Raises:
        GatewayUnavailableError: Network, 3xx, 401, 429, 5xx, or a response without an envelope.
    """
    try:
        async with (
            asyncio.timeout(timeout_seconds),
            client.stream(method, url, json=content) as response,
        ):
            body = await _read_capped(response)
    except (httpx.HTTPError, httpx.InvalidURL, TimeoutError, _TooLongError) as failure:
        log.warning("gateway unreachable", path=url.path, failure=type(failure).__name__)
        raise GatewayUnavailableError from failure
    envelope = read_envelope(body)
    if envelope is None or not is_final_answer(response.status_code):
        log.warning("gateway gave no answer", path=url.path, http_status=response.status_code)
        raise GatewayUnavailableError
    return response.is_success, envelope


def invalid_response(call: str) -> GatewayUnavailableError:
    """Return the error for an inconsistent response."""
    log.error("gateway answer makes no sense", call=call)
    return GatewayUnavailableError()


def read_envelope(body: bytes) -> dict[str, Any] | None:
    """Parse the envelope of a response, fractions as decimals; None if there is none."""
    try:
        envelope = json.loads(body, parse_float=Decimal)
    except (ValueError, RecursionError):
        return None
    return envelope if isinstance(envelope, dict) else None


def is_final_answer(http_status: int) -> bool:
    """Return whether a retry would get the same answer.

    A refused key (401) is our own misconfiguration: the member can only try again later.
    """
    is_refusal = httpx.codes.is_client_error(http_status)
    retryable = http_status in {
        httpx.codes.UNAUTHORIZED,
        httpx.codes.FORBIDDEN,
        httpx.codes.REQUEST_TIMEOUT,
        httpx.codes.TOO_MANY_REQUESTS,
    }
    return httpx.codes.is_success(http_status) or (is_refusal and not retryable)


def sentence_of(envelope: dict[str, Any]) -> str | None:
    """Return the provider's message, shortened, or None."""
    message = envelope.get("message")
    return message[:MAX_SENTENCE_LENGTH] if isinstance(message, str) and message else None


def require_storable(content: object) -> None:
    """Refuse text that the database cannot store, anywhere in ``content``.

    Raises:
        ValueError: it contains a NUL or an unpaired surrogate.
    """
    written = json.dumps(content, ensure_ascii=False, default=str)
    written.encode()
    if "\\u0000" in written:
        raise ValueError("The report holds a NUL")


class _TooLongError(Exception):
    """The response exceeds the size cap."""


async def _read_capped(response: httpx.Response) -> bytes:
    """Return the decoded body, unless it exceeds the cap: then the rest is not read."""
    body = bytearray()
    async for chunk in response.aiter_bytes():
        body += chunk
        if len(body) > MAX_RESPONSE_BYTES:
            raise _TooLongError
    return bytes(body)
