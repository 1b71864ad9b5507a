"""Valkey channels that this process subscribes to: those of the rooms it has members in.

Messages are published to one channel each, in call order. While Valkey is down, nothing waits for
it; all subscriptions are renewed when it is back.
"""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

import structlog
from valkey.asyncio import Valkey
from valkey.exceptions import ValkeyError

from api.foundation.core.errors import UnavailableError
from api.foundation.core.logs import report_unavailable
from api.foundation.core.supervisor import Job

log = structlog.get_logger(__name__)

ANSWER_SECONDS = 1.0  # without an answer for so long, Valkey is considered down
QUIET_SECONDS = 1.0  # no publishing for so long after that
POLL_INTERVAL_SECONDS = 2.0  # a connection silent for so long is pinged
MAX_RETRY_DELAY_SECONDS = 2.0  # between attempts to connect
DOWN = (ValkeyError, OSError, TimeoutError)


class Channels:
    """Subscribes to the entered channels, and publishes to any.

    ``on_message`` gets each message, including our own, one at a time and in the order of its
    channel.
    """

    def __init__(self, url: str, on_message: Callable[[str, bytes], Awaitable[None]]) -> None:
        self._client = Valkey.from_url(
            url, socket_timeout=ANSWER_SECONDS, socket_connect_timeout=ANSWER_SECONDS
        )
        self._on_message = on_message
        self._entered: dict[str, asyncio.Event] = {}  # by entered channel
        self._pubsub: Any = None
        self._is_down = False
        self._changed: set[str] = set()
        self._requested: set[str] = set()
        self._unanswered: Counter[str] = Counter()
        self._sending: asyncio.Task[None] | None = None
        self._publishing = asyncio.Lock()
        self._quiet_until = 0.0

    def job(self) -> Job:
        """Return the job that listens."""
        return Job(
            name="rooms",
            step=self.listen,
            every_seconds=0,
            begins_at_once=True,
            max_backoff_seconds=MAX_RETRY_DELAY_SECONDS,
        )

    async def enter(self, channel: str) -> None:
        """Enter a channel; return once messages published to it from now on are received.

        While Valkey is down, it returns at once.
        """
        subscribed = self._entered.get(channel)
        if subscribed is None:
            subscribed = self._entered[channel] = asyncio.Event()
            self._change(channel)
        if subscribed.is_set() or self._is_down:
            return
        with suppress(TimeoutError):
            async with asyncio.timeout(ANSWER_SECONDS):
                await subscribed.wait()

    def leave(self, channel: str) -> None:
        """Leave a channel."""
        if self._entered.pop(channel, None) is not None:
            self._change(channel)

    async def publish(self, channel: str, message: str) -> None:
        """Publish a message; it is lost if Valkey does not accept it."""
        now = asyncio.get_running_loop().time
        async with self._publishing:
            if now() < self._quiet_until:
                return
            try:
                await self._client.publish(channel, message)
            except DOWN as error:
                self._quiet_until = now() + QUIET_SECONDS
                report_unavailable("valkey", error)

    async def listen(self) -> None:
        """Listen for a while, connecting first if necessary.

        Raises:
            UnavailableError: the connection was lost, or could not be made.
        """
        try:
            if self._pubsub is None:
                await self._connect()
            if not await self._listen_for(POLL_INTERVAL_SECONDS):
                await self._require_answer()
        except DOWN as error:
            await self._drop()
            raise UnavailableError from error
        except BaseException:
            await self._drop()
            raise

    async def aclose(self) -> None:
        """Close all connections."""
        await self._drop()
        await self._client.aclose()

    async def _connect(self) -> None:
        self._pubsub = pubsub = self._client.pubsub()
        await pubsub.connect()
        self._requested.clear()
        self._unanswered.clear()
        self._changed = set(self._entered)
        self._is_down = False
        self._send_soon()

    async def _drop(self) -> None:
        """Drop the subscriber connection; callers that enter a channel do not wait meanwhile."""
        self._is_down = True
        for subscribed in self._entered.values():
            subscribed.clear()
        pubsub, self._pubsub = self._pubsub, None
        if pubsub is not None:
            with suppress(*DOWN):
                await pubsub.aclose()

    async def _require_answer(self) -> None:
        """Ping a silent connection; raise ``TimeoutError`` if it does not answer."""
        if self._pubsub is not None:
            await self._pubsub.ping()
        if not await self._listen_for(ANSWER_SECONDS, only_one=True):
            raise TimeoutError

    async def _listen_for(self, seconds: float, *, only_one: bool = False) -> bool:
        """Handle messages for a while; return whether any was received."""
        now, pubsub = asyncio.get_running_loop().time, self._pubsub
        until, has_received = now() + seconds, False
        while (left := until - now()) > 0 and not (only_one and has_received):
            if pubsub is None or pubsub is not self._pubsub:  # a subscription failed meanwhile
                raise ConnectionResetError
            message = await pubsub.get_message(timeout=left)
            if message is not None:
                has_received = True
                await self._handle(message)
        return has_received

    async def _handle(self, message: dict[str, Any]) -> None:
        if message["type"] == "pong":
            return
        channel = message["channel"].decode()
        if message["type"] == "subscribe":
            self._unanswered[channel] -= 1
            self._set_subscribed(channel)
        elif message["type"] == "message" and channel in self._entered:
            try:
                await self._on_message(channel, message["data"])
            except Exception:  # the next message is unaffected
                log.exception("message of another worker failed")

    def _set_subscribed(self, channel: str) -> None:
        subscribed = self._entered.get(channel)
        if subscribed is not None and channel in self._requested and self._unanswered[channel] <= 0:
            del self._unanswered[channel]
            subscribed.set()

    def _change(self, channel: str) -> None:
        self._changed.add(channel)
        self._send_soon()

    def _send_soon(self) -> None:
        if self._changed and self._sending is None and self._pubsub is not None:
            self._sending = asyncio.create_task(self._send_subscriptions(self._pubsub))

    async def _send_subscriptions(self, pubsub: Any) -> None:
        """Send the pending subscriptions to Valkey in batches, until there are none."""
        try:
            while self._changed and self._pubsub is pubsub:
                changed, self._changed = self._changed, set()
                fresh = [
                    one for one in changed if one in self._entered and one not in self._requested
                ]
                stale = [
                    one for one in changed if one not in self._entered and one in self._requested
                ]
                self._requested.difference_update(stale)
                self._requested.update(fresh)
                self._unanswered.update(fresh)
                if stale:
                    await pubsub.unsubscribe(*stale)
                if fresh:
                    await pubsub.subscribe(*fresh)
                for channel in changed:  # left and entered again before this was sent
                    self._set_subscribed(channel)
        except DOWN:
            await self._drop()
        finally:
            self._sending = None
            self._send_soon()
