"""The channels of Valkey that this process hears: those of the rooms it has members in, no others.

What is published goes to one channel, in the order it was handed in. Valkey may be away: then
nothing waits for it, and everything that is wanted is heard again when it is back.
"""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

import structlog
from valkey.asyncio import Valkey
from valkey.exceptions import ValkeyError

from api.core.errors import UnavailableError
from api.core.logs import report_unavailable
from api.core.supervisor import Job

log = structlog.get_logger(__name__)

ANSWER_SECONDS = 1.0  # a Valkey that does not answer for so long is away
QUIET_SECONDS = 1.0  # how long nothing is published after that
POLL_INTERVAL_SECONDS = 2.0  # a connection that is silent for so long is asked whether it lives
MAX_RETRY_DELAY_SECONDS = 2.0  # between two tries to connect
AWAY = (ValkeyError, OSError, TimeoutError)


class Channels:
    """Hears the channels that were entered, and publishes on any.

    ``hear`` gets each message of others and of our own, one at a time, in the order of its channel.
    """

    def __init__(self, url: str, hear: Callable[[str, bytes], Awaitable[None]]) -> None:
        self._client = Valkey.from_url(
            url, socket_timeout=ANSWER_SECONDS, socket_connect_timeout=ANSWER_SECONDS
        )
        self._hear = hear
        self._heard: dict[str, asyncio.Event] = {}  # by each channel that is wanted
        self._pubsub: Any = None
        self._is_away = False
        self._changed: set[str] = set()
        self._asked: set[str] = set()
        self._unanswered: Counter[str] = Counter()
        self._asking: asyncio.Task[None] | None = None
        self._publishing = asyncio.Lock()
        self._quiet_until = 0.0

    def job(self) -> Job:
        """Return what keeps hearing."""
        return Job(
            name="rooms",
            step=self.listen,
            every_seconds=0,
            begins_at_once=True,
            max_backoff_seconds=MAX_RETRY_DELAY_SECONDS,
        )

    async def enter(self, channel: str) -> None:
        """Want a channel, and return when all that is published on it from now on is heard.

        While Valkey is away, it returns at once.
        """
        heard = self._heard.get(channel)
        if heard is None:
            heard = self._heard[channel] = asyncio.Event()
            self._change(channel)
        if heard.is_set() or self._is_away:
            return
        with suppress(TimeoutError):
            async with asyncio.timeout(ANSWER_SECONDS):
                await heard.wait()

    def leave(self, channel: str) -> None:
        """Want a channel no more."""
        if self._heard.pop(channel, None) is not None:
            self._change(channel)

    async def publish(self, channel: str, message: str) -> None:
        """Publish; what Valkey does not take, others do not hear."""
        now = asyncio.get_running_loop().time
        async with self._publishing:
            if now() < self._quiet_until:
                return
            try:
                await self._client.publish(channel, message)
            except AWAY as error:
                self._quiet_until = now() + QUIET_SECONDS
                report_unavailable("valkey", error)

    async def listen(self) -> None:
        """Hear for a while; a connection that is not there yet is made first.

        Raises:
            UnavailableError: the connection was lost, or is not to be had.
        """
        try:
            if self._pubsub is None:
                await self._connect()
            if not await self._hear_for(POLL_INTERVAL_SECONDS):
                await self._require_answer()
        except AWAY as error:
            await self._let_go()
            raise UnavailableError from error
        except BaseException:
            await self._let_go()
            raise

    async def aclose(self) -> None:
        """Close all connections."""
        await self._let_go()
        await self._client.aclose()

    async def _connect(self) -> None:
        self._pubsub = pubsub = self._client.pubsub()
        await pubsub.connect()
        self._asked.clear()
        self._unanswered.clear()
        self._changed = set(self._heard)
        self._is_away = False
        self._ask_soon()

    async def _let_go(self) -> None:
        """Hear nothing; whoever enters waits for nothing."""
        self._is_away = True
        for heard in self._heard.values():
            heard.clear()
        pubsub, self._pubsub = self._pubsub, None
        if pubsub is not None:
            with suppress(*AWAY):
                await pubsub.aclose()

    async def _require_answer(self) -> None:
        """Ask a silent connection whether it lives.

        Raises:
            TimeoutError: it does not.
        """
        if self._pubsub is not None:
            await self._pubsub.ping()
        if not await self._hear_for(ANSWER_SECONDS, only_one=True):
            raise TimeoutError

    async def _hear_for(self, seconds: float, *, only_one: bool = False) -> bool:
        """Hear what comes; say whether anything did."""
        now, pubsub = asyncio.get_running_loop().time, self._pubsub
        until, has_received = now() + seconds, False
        while (left := until - now()) > 0 and not (only_one and has_received):
            if pubsub is None or pubsub is not self._pubsub:  # asking found it dead
                raise ConnectionResetError
            message = await pubsub.get_message(timeout=left)
            if message is not None:
                has_received = True
                await self._take(message)
        return has_received

    async def _take(self, message: dict[str, Any]) -> None:
        if message["type"] == "pong":
            return
        channel = message["channel"].decode()
        if message["type"] == "subscribe":
            self._unanswered[channel] -= 1
            self._note_heard(channel)
        elif message["type"] == "message" and channel in self._heard:
            try:
                await self._hear(channel, message["data"])
            except Exception:  # the next one is another's
                log.exception("message of another worker failed")

    def _note_heard(self, channel: str) -> None:
        heard = self._heard.get(channel)
        if heard is not None and channel in self._asked and self._unanswered[channel] <= 0:
            del self._unanswered[channel]
            heard.set()

    def _change(self, channel: str) -> None:
        self._changed.add(channel)
        self._ask_soon()

    def _ask_soon(self) -> None:
        if self._changed and self._asking is None and self._pubsub is not None:
            self._asking = asyncio.create_task(self._ask(self._pubsub))

    async def _ask(self, pubsub: Any) -> None:
        """Tell Valkey what has changed, all of it together, until nothing has."""
        try:
            while self._changed and self._pubsub is pubsub:
                changed, self._changed = self._changed, set()
                fresh = [one for one in changed if one in self._heard and one not in self._asked]
                stale = [one for one in changed if one not in self._heard and one in self._asked]
                self._asked.difference_update(stale)
                self._asked.update(fresh)
                self._unanswered.update(fresh)
                if stale:
                    await pubsub.unsubscribe(*stale)
                if fresh:
                    await pubsub.subscribe(*fresh)
                for channel in changed:  # left and entered again before anybody was told
                    self._note_heard(channel)
        except AWAY:
            await self._let_go()
        finally:
            self._asking = None
            self._ask_soon()
