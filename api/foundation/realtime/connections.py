"""Limits of a connection of the socket engine, whatever namespaces it joins and leaves.

A connection is anonymous until a namespace has accepted a member on it. Anonymous connections last
ten seconds, and a network may have only so many at once: one more ends the oldest, so idle
connections cannot keep others of a shared address out. Members' connections do not count there.
Every packet counts, joins as well as events.
"""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any
from uuid import UUID

from api.foundation.core.metrics import Metrics
from api.foundation.security.digests import keyed_digest
from api.foundation.security.events import SecurityEvent, SecurityLog
from api.foundation.security.members import Member
from api.foundation.security.network import network_of

JOIN_SECONDS = 10.0
POLL_SECONDS = 20.0  # between one poll's end and the next one's start
PACKETS_PER_SECOND = 5.0
BURST = 40.0  # more than the limits of single events and the joins allow at once
DROPS_BEFORE_CUT = 200
DIGEST_LETTERS = 16

Clock = Callable[[], float]


class CutReason(StrEnum):
    """Why a connection was ended: labels of ``sockets_cut``."""

    FLOOD = "flood"
    MALFORMED = "malformed"
    TOO_LARGE = "too_large"
    SLOW_READER = "slow_reader"
    NOT_JOINED = "not_joined"
    NOT_POLLED = "not_polled"
    CROWDED = "crowded"


@dataclass
class TokenBucket:
    """Allows a burst, then a steady rate; counts what it refused."""

    per_second: float = PACKETS_PER_SECOND
    burst: float = BURST
    clock: Clock = time.monotonic
    dropped: int = 0
    _level: float = field(init=False)
    _filled_at: float = field(init=False)

    def __post_init__(self) -> None:
        self._level = self.burst
        self._filled_at = self.clock()

    def take(self) -> bool:
        """Consume one token; return False and count a drop when there is none."""
        moment = self.clock()
        self._level = min(self.burst, self._level + (moment - self._filled_at) * self.per_second)
        self._filled_at = moment
        if self._level < 1:
            self.dropped += 1
            return False
        self._level -= 1
        return True


@dataclass
class Connection:
    """One connection of the engine, over one WebSocket or any number of polls.

    ``socket`` is the library's own object; ``transport`` is a WebSocket's, None where it is not
    accessible. ``members`` are those whom its namespaces have accepted; ``busy`` are the methods
    whose request is being served.
    """

    eio_sid: str
    network: str
    socket: Any
    transport: Any
    began_as_websocket: bool
    bucket: TokenBucket = field(default_factory=TokenBucket)
    members: dict[str, Member] = field(default_factory=dict)
    join_deadline: asyncio.TimerHandle | None = None
    poll_deadline: asyncio.TimerHandle | None = None
    is_ending: bool = False
    busy: set[str] = field(default_factory=set)

    def has_hung_up(self) -> bool:
        """Return whether its WebSocket is closed, which its handlers may not know yet."""
        return self.transport is not None and self.transport.is_closing()

    def is_polling(self) -> bool:
        """Return whether it has no WebSocket."""
        return not self.began_as_websocket and not self.socket.upgraded

    def user_id(self) -> UUID | None:
        """Return the id of its member, None while it is anonymous."""
        return next((member.user_id for member in self.members.values()), None)


class Connections:
    """This worker's connections; ends those that exceed the limits.

    ``max_anonymous`` is how many of one network may have no member. ``end`` closes one connection
    and its transport: immediately, or after sending what is queued.
    """

    def __init__(
        self,
        *,
        metrics: Metrics,
        security: SecurityLog,
        network_key: str,
        max_anonymous: int,
        end: Callable[[Connection, bool], None],
    ) -> None:
        self._metrics = metrics
        self._security = security
        self._network_key = network_key
        self._max_anonymous = max_anonymous
        self._crowds = metrics.limits_reached.labels("sockets")
        self._end = end
        self._open: dict[str, Connection] = {}
        self._anonymous: dict[str, dict[str, Connection]] = {}  # by network, oldest first
        self._crowded: set[str] = set()

    def get(self, eio_sid: str) -> Connection | None:
        """Return an open connection."""
        return self._open.get(eio_sid)

    def open(self, socket: Any, address: str | None, transport: Any, scheme: str) -> Connection:
        """Add a new connection of ``scheme`` websocket or http; its ten seconds begin."""
        network, is_websocket = network_of(address), scheme == "websocket"
        connection = Connection(socket.sid, network, socket, transport, is_websocket)
        self._open[socket.sid] = connection
        self._mark_anonymous(connection)
        return connection

    def accept(self, eio_sid: str, namespace: str, member: Member) -> None:
        """Record that a namespace has accepted a member."""
        connection = self._open.get(eio_sid)
        if connection is None:
            return
        self._remove_anonymous(connection)
        connection.members[namespace] = member

    def leave(self, eio_sid: str, namespace: str) -> None:
        """Record that a namespace's member has left; without any the connection is anonymous."""
        connection = self._open.get(eio_sid)
        if connection is None or connection.members.pop(namespace, None) is None:
            return
        if not connection.members:
            self._mark_anonymous(connection)

    def close(self, eio_sid: str) -> None:
        """Remove a closed connection."""
        connection = self._open.pop(eio_sid, None)
        if connection is None:
            return
        connection.is_ending = True
        self._remove_anonymous(connection)
        _disarm(connection.poll_deadline)

    def take(self, connection: Connection) -> bool:
        """Count one packet; False when over the limit. Too many of those end the connection."""
        if connection.is_ending:
            return False
        if connection.bucket.take():
            return True
        if connection.bucket.dropped >= DROPS_BEFORE_CUT:
            self.cut(connection, CutReason.FLOOD)
        return False

    def cut(self, connection: Connection, reason: CutReason) -> None:
        """End a connection, count it and log the reason; ending it again changes nothing."""
        if connection.is_ending:
            return
        self._metrics.sockets_cut.labels(reason).inc()
        is_known_crowd = reason is CutReason.CROWDED and connection.network in self._crowded
        if not is_known_crowd:  # one log line for a crowd, not one for each
            self._record(reason, connection.network, connection.user_id())
        self.end(connection, at_once=reason is CutReason.SLOW_READER)

    def end(self, connection: Connection, *, at_once: bool = False) -> None:
        """End a connection without counting a violation."""
        if not connection.is_ending:
            connection.is_ending = True
            self._end(connection, at_once)

    def polling(self, connection: Connection) -> None:
        """Record that a poll waits for packets."""
        _disarm(connection.poll_deadline)
        connection.poll_deadline = None

    def polled(self, connection: Connection) -> None:
        """Record that a poll has ended, and start the deadline of the next one."""
        if connection.is_polling() and not connection.is_ending:
            _disarm(connection.poll_deadline)
            connection.poll_deadline = asyncio.get_running_loop().call_later(
                POLL_SECONDS, self._cut_unpolled, connection
            )

    def _cut_unpolled(self, connection: Connection) -> None:
        if connection.is_polling():
            self.cut(connection, CutReason.NOT_POLLED)

    def _mark_anonymous(self, connection: Connection) -> None:
        anonymous = self._anonymous.setdefault(connection.network, {})
        if len(anonymous) >= self._max_anonymous:
            self._crowds.inc()
            oldest = next(iter(anonymous.values()))
            self.cut(oldest, CutReason.CROWDED)
            self._crowded.add(connection.network)
            self._remove_anonymous(oldest)
        self._anonymous.setdefault(connection.network, {})[connection.eio_sid] = connection
        connection.join_deadline = asyncio.get_running_loop().call_later(
            JOIN_SECONDS, self.cut, connection, CutReason.NOT_JOINED
        )

    def _remove_anonymous(self, connection: Connection) -> None:
        """Remove a connection from the anonymous ones: it has a member, or is closed."""
        _disarm(connection.join_deadline)
        anonymous = self._anonymous.get(connection.network, {})
        anonymous.pop(connection.eio_sid, None)
        if not anonymous:
            self._anonymous.pop(connection.network, None)
        if len(anonymous) <= self._max_anonymous // 2:
            self._crowded.discard(connection.network)

    def _record(self, reason: CutReason, network: str, user_id: UUID | None) -> None:
        origin = keyed_digest(self._network_key, "origin", network)[:DIGEST_LETTERS]
        self._security.record(
            SecurityEvent.CONNECTION_CLOSED, user_id=user_id, reason=reason.value, origin=origin
        )


def _disarm(deadline: asyncio.TimerHandle | None) -> None:
    if deadline is not None:
        deadline.cancel()
