"""Web push services over HTTP: capped, never redirected."""

import asyncio
import functools
from collections.abc import Mapping
from datetime import datetime, timedelta
from email.utils import parsedate_to_datetime

import httpx

from api.foundation.core import clock
from api.foundation.core.errors import UnavailableError
from api.messaging.push.ports import PushReceipt

TIMEOUT = httpx.Timeout(10, connect=5)
WHOLE_CALL_SECONDS = 15
MAX_RETRY_DELAY = timedelta(days=1)


class PushServices:
    """Posts push messages; ``transport`` replaces the network."""

    def __init__(self, transport: httpx.AsyncBaseTransport | None = None) -> None:
        self._transport = transport

    async def post(self, endpoint: str, headers: Mapping[str, str], body: bytes) -> PushReceipt:
        """Post a message; only the status of the response is read.

        Raises:
            UnavailableError: there was no response.
        """
        try:
            async with (
                asyncio.timeout(WHOLE_CALL_SECONDS),
                self._client.stream("POST", endpoint, headers=headers, content=body) as answer,
            ):
                pause = _pause(answer.headers.get("Retry-After"), clock.now())
                return PushReceipt(answer.status_code, pause)
        except (httpx.HTTPError, httpx.InvalidURL, TimeoutError) as failure:
            raise UnavailableError from failure

    @functools.cached_property
    def _client(self) -> httpx.AsyncClient:
        """Created on first use: loading the CA certificates takes time."""
        return httpx.AsyncClient(
            timeout=TIMEOUT, follow_redirects=False, transport=self._transport, trust_env=False
        )


def _pause(header: str | None, now: datetime) -> timedelta | None:
    """Parse ``Retry-After``, in seconds or as a date; at most a day."""
    if header is None:
        return None
    try:
        pause = (
            timedelta(seconds=int(header))
            if header.isdigit()
            else parsedate_to_datetime(header) - now
        )
    except (ValueError, TypeError, OverflowError):
        return None
    return min(max(pause, timedelta(seconds=1)), MAX_RETRY_DELAY)
