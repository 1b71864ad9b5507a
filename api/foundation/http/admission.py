"""Admission: calls that cannot be answered in time are rejected before they are read.

Calls in progress are counted by the resource they use. A queue in front of an overloaded server
delays everyone; a rejection costs a fifth of a call and says when to retry. Waiting belongs in the
short queues behind (``api.foundation.database.lanes``, hashing); only orders wait here, for a turn.
"""

import asyncio
import functools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.foundation.core.metrics import Metrics
from api.foundation.http.middleware import WITHOUT_BODY
from api.foundation.http.refusals import bare_refusal
from api.foundation.http.request_ids import new_request_id, spread

ADMISSION = "admission"  # key in the server's state of the ``Admission``
PLACE = "place"  # the scope's key of the class it was counted in
_END_OF_HEAD = b"\r\n\r\n"
MAX_RETRY_DELAY_SECONDS = 4


class LoadClass(StrEnum):
    """Groups of calls that use the same resource."""

    READS = "reads"
    WRITES = "writes"
    ORDERS = "orders"  # wait for their turn, because orders of one size are placed in batches
    COSTLY = "costly"  # wait in queues of their own: hash a password, or process a member's upload
    PROVIDER = "provider"  # may wait for the payment provider
    FILES = "files"


# Concurrent calls per process. Reads and writes wait for the database only: this many are answered
# in a tenth of a second, and started together they occupy the event loop for half of that. Costly
# calls have their own fair queues. Orders queue here: everybody wants a scarce jersey at the same
# moment, and a batch of sixty-four takes a tenth of a second.
LIMITS: Mapping[LoadClass, int] = {
    LoadClass.READS: 128,
    LoadClass.WRITES: 64,
    LoadClass.ORDERS: 2048,
    LoadClass.COSTLY: 256,
    LoadClass.PROVIDER: 256,
    LoadClass.FILES: 1024,
}
# Of these, the calls that are worked on at once: one batch being placed, and the next one.
TURNS: Mapping[LoadClass, int] = {LoadClass.ORDERS: 128}
MAX_TURN_SECONDS = 8.0


@dataclass(frozen=True)
class Classes:
    """Maps paths to classes by their first matching prefix; None means never rejected.

    Monitoring of a busy server must see that it is alive, and sockets have limits of their own.
    """

    prefixes: tuple[tuple[str, LoadClass | None], ...]

    @functools.cached_property
    def _starts(self) -> tuple[str, ...]:
        return tuple(prefix for prefix, _ in self.prefixes)

    def of(self, method: str, path: str) -> LoadClass | None:
        """Return a call's class, None if it is never rejected."""
        if path.startswith(self._starts):  # few calls have a class of their own
            for prefix, load_class in self.prefixes:
                if path.startswith(prefix):
                    return load_class
        if not path.startswith("/api/"):
            return LoadClass.FILES
        return LoadClass.READS if method in {"GET", "HEAD"} else LoadClass.WRITES


class Admission:
    """Counts calls in progress by class."""

    def __init__(
        self,
        *,
        classes: Classes,
        metrics: Metrics,
        limits: Mapping[LoadClass, int] = LIMITS,
        turns: Mapping[LoadClass, int] = TURNS,
        max_turn_seconds: float = MAX_TURN_SECONDS,
    ) -> None:
        self._classes = classes
        self._limits = limits
        self._in_flight = dict.fromkeys(LoadClass, 0)
        self._turns = {one: asyncio.Semaphore(count) for one, count in turns.items()}
        self._max_turn_seconds = max_turn_seconds
        self._refused = {one: metrics.requests_refused.labels(one.value) for one in LoadClass}
        for one in LoadClass:
            figure = metrics.requests_in_flight.labels(one.value)
            figure.set_function(functools.partial(self._in_flight.__getitem__, one))

    def class_of(self, method: str, path: str) -> LoadClass | None:
        """Return a call's class, None if it is never rejected."""
        return self._classes.of(method, path)

    def is_full(self, load_class: LoadClass) -> bool:
        """Return whether the class is at its limit; if so, count the rejection."""
        if self._in_flight[load_class] < self._limits[load_class]:
            return False
        self._refused[load_class].inc()
        return True

    def begin(self, load_class: LoadClass) -> None:
        """Count a call that starts now."""
        self._in_flight[load_class] += 1

    def end(self, load_class: LoadClass) -> None:
        """Stop counting a call."""
        self._in_flight[load_class] -= 1

    async def take_turn(self, load_class: LoadClass) -> asyncio.Semaphore | None:
        """Wait for the turn of a counted call; return what to release, None if it needs no turn.

        Raises:
            HTTPException: it did not come in time, 503.
        """
        turns = self._turns.get(load_class)
        if turns is not None:
            try:
                async with asyncio.timeout(self._max_turn_seconds):
                    await turns.acquire()
            except TimeoutError:
                self._refused[load_class].inc()
                raise _busy() from None
        return turns


class AdmissionMiddleware:
    """Outermost middleware: counts calls in progress and rejects those above the limit.

    A call counts from the end of its body until its response starts, so slow senders and readers
    neither count nor hold a turn. Above the limit a call is rejected by its head, before its body
    is read (a call without a body by our server already, ``api.foundation.server.deadlines``);
    calls whose bodies end at the same time are rejected then.
    """

    def __init__(self, app: ASGIApp, *, admission: Admission) -> None:
        self._app = app
        self._admission = admission

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        load_class: LoadClass | None = scope.get(PLACE)
        if load_class is not None:
            await self._serve(load_class, scope, receive, send, has_place=True)
            return
        if scope["type"] == "http":
            load_class = self._admission.class_of(scope["method"], scope["path"])
        if load_class is None:
            await self._app(scope, receive, send)
        elif self._admission.is_full(load_class):
            await _refuse(send)
        else:
            # The body of a GET is never read, so it would never end.
            has_place = scope["method"] in WITHOUT_BODY or not announces_body(scope["headers"])
            if has_place:
                self._admission.begin(load_class)
            await self._serve(load_class, scope, receive, send, has_place=has_place)

    async def _serve(
        self,
        load_class: LoadClass,
        scope: Scope,
        receive: Receive,
        send: Send,
        *,
        has_place: bool,
    ) -> None:
        call = _Call(self._admission, load_class, receive, send, has_place=has_place)
        try:
            await self._app(scope, receive if has_place else call.receive, call.send)
        finally:
            call.end()


class _Call:
    """A call that may have a place among those in progress, and a turn among those worked on."""

    __slots__ = ("_admission", "_has_place", "_load_class", "_receive", "_send", "_turns")

    def __init__(
        self,
        admission: Admission,
        load_class: LoadClass,
        receive: Receive,
        send: Send,
        *,
        has_place: bool,
    ) -> None:
        self._admission = admission
        self._load_class = load_class
        self._receive = receive
        self._send = send
        self._has_place = has_place
        self._turns: asyncio.Semaphore | None = None

    async def receive(self) -> Message:
        """Receive; once the body is whole, count the call and wait for its turn."""
        message = await self._receive()
        is_whole = message["type"] == "http.request" and not message.get("more_body")
        if is_whole and not self._has_place:
            if self._admission.is_full(self._load_class):
                raise _busy()
            self._has_place = True
            self._admission.begin(self._load_class)
            self._turns = await self._admission.take_turn(self._load_class)
        return message

    async def send(self, message: Message) -> None:
        """Send; the call ends when its response starts."""
        if message["type"] == "http.response.start":
            self.end()
        await self._send(message)

    def end(self) -> None:
        """Give back what the call still has."""
        if self._has_place:
            self._has_place = False
            self._admission.end(self._load_class)
        if self._turns is not None:
            self._turns.release()
            self._turns = None


def announces_body(headers: Iterable[tuple[bytes, bytes]]) -> bool:
    """Return whether a body will follow."""
    for name, value in headers:  # hot path: ``any`` with a generator costs double
        if name == b"transfer-encoding" or (name == b"content-length" and value != b"0"):
            return True
    return False


def pause_seconds() -> int:
    """Return a delay for ``Retry-After``, spread so that clients do not return together."""
    return 1 + spread(MAX_RETRY_DELAY_SECONDS)


def _busy() -> HTTPException:
    return HTTPException(503, headers={"Retry-After": str(pause_seconds())})


async def _refuse(send: Send) -> None:
    """Send the envelope of a 503, bypassing the framework to keep it cheap."""
    headers, body = bare_refusal(503)
    headers = (*headers, (b"retry-after", str(pause_seconds()).encode()))
    await send({"type": "http.response.start", "status": 503, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def busy_answer(*, has_body: bool) -> bytes:
    """Return the 503 as a whole keep-alive response; without a body for HEAD."""
    request_id = new_request_id().encode()
    answer = _BUSY_ANSWER % (request_id, pause_seconds(), request_id)
    return answer if has_body else answer[: answer.index(_END_OF_HEAD) + len(_END_OF_HEAD)]


def _busy_answer_template() -> bytes:
    headers, body = bare_refusal(503, request_id="%s")
    size = len(body) - 2 + len(new_request_id())
    lines = [b"HTTP/1.1 503 Service Unavailable"]
    for name, value in headers:
        lines.append(name + b": " + (str(size).encode() if name == b"content-length" else value))
    lines.append(b"retry-after: %d")
    return b"\r\n".join(lines) + _END_OF_HEAD + body


_BUSY_ANSWER = _busy_answer_template()
