"""Admission: what is more than can be answered in time is refused at once, before it is read.

Calls are counted while they are worked on, by what they cost. A queue in front of a server that is
too busy makes everybody late; a refusal costs a twentieth of a call and says when to come back.
Waiting belongs into the lanes behind (``api.database.lanes``, hashing), which are short.
"""

import functools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.core.metrics import Metrics
from api.http.middleware import WITHOUT_BODY
from api.http.refusals import bare_refusal
from api.http.request_ids import new_request_id, spread

ADMISSION = "admission"  # where the server's state holds the application's ``Admission``
PLACE = "place"  # where a scope says of which class it was given a place
_END_OF_HEAD = b"\r\n\r\n"
MAX_RETRY_DELAY_SECONDS = 4


class LoadClass(StrEnum):
    """Calls that take up the same thing while they are answered."""

    READS = "reads"
    WRITES = "writes"
    COSTLY = "costly"  # they hash passwords, read uploads, or hand out everything of a member
    PROVIDER = "provider"  # they may wait for the payment provider
    FILES = "files"


# Calls at once in one process. Reads and writes wait for the database alone: so many are answered
# in a tenth of a second, and begun together they hold the event loop for half of that. Costly calls
# have queues of their own, which are fair.
LIMITS: Mapping[LoadClass, int] = {
    LoadClass.READS: 128,
    LoadClass.WRITES: 64,
    LoadClass.COSTLY: 256,
    LoadClass.PROVIDER: 256,
    LoadClass.FILES: 1024,
}


@dataclass(frozen=True)
class Classes:
    """Which class a path is in: the first prefix says, None for what is never refused here.

    What watches a busy server must see that it lives, and sockets have limits of their own.
    """

    prefixes: tuple[tuple[str, LoadClass | None], ...]

    def of(self, method: str, path: str) -> LoadClass | None:
        """Return the class of a call, None when it is never refused."""
        for prefix, load_class in self.prefixes:
            if path.startswith(prefix):
                return load_class
        if not path.startswith("/api/"):
            return LoadClass.FILES
        return LoadClass.READS if method in {"GET", "HEAD"} else LoadClass.WRITES


class Admission:
    """Who is let in: counts calls while they are worked on, by what they take up."""

    def __init__(
        self, *, classes: Classes, metrics: Metrics, limits: Mapping[LoadClass, int] = LIMITS
    ) -> None:
        self._classes = classes
        self._limits = limits
        self._in_flight = dict.fromkeys(LoadClass, 0)
        self._refused = {one: metrics.requests_refused.labels(one.value) for one in LoadClass}
        for one in LoadClass:
            figure = metrics.requests_in_flight.labels(one.value)
            figure.set_function(functools.partial(self._in_flight.__getitem__, one))

    def class_of(self, method: str, path: str) -> LoadClass | None:
        """Return the class of a call, None when it is never refused."""
        return self._classes.of(method, path)

    def is_full(self, load_class: LoadClass) -> bool:
        """Say whether a call of this class is one too many, and count it then."""
        if self._in_flight[load_class] < self._limits[load_class]:
            return False
        self._refused[load_class].inc()
        return True

    def begin(self, load_class: LoadClass) -> None:
        """Count a call that is worked on from now."""
        self._in_flight[load_class] += 1

    def end(self, load_class: LoadClass) -> None:
        """Count it no more."""
        self._in_flight[load_class] -= 1


class AdmissionMiddleware:
    """Outermost middleware: counts calls while they are worked on, refuses above the limit.

    A call has a place from when its body is whole until its answer begins: who sends or reads
    slowly takes none from others. What is over the limit is refused by its head, before its body
    is read (a call without a body by our server already, ``api.server.deadlines``); of bodies that
    become whole at once, those over the limit are refused then.
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
            # Nobody reads what comes with a GET: its body would never be whole.
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
        admission = self._admission

        async def receive_then_begin() -> Message:
            nonlocal has_place
            message = await receive()
            is_whole = message["type"] == "http.request" and not message.get("more_body")
            if is_whole and not has_place:
                if admission.is_full(load_class):
                    raise HTTPException(503, headers={"Retry-After": str(pause_seconds())})
                has_place = True
                admission.begin(load_class)
            return message

        async def end_then_send(message: Message) -> None:
            nonlocal has_place
            if has_place and message["type"] == "http.response.start":
                has_place = False
                admission.end(load_class)
            await send(message)

        try:
            await self._app(scope, receive if has_place else receive_then_begin, end_then_send)
        finally:
            if has_place:
                admission.end(load_class)


def announces_body(headers: Iterable[tuple[bytes, bytes]]) -> bool:
    """Say whether a body will come."""
    for name, value in headers:  # on every request's way: ``any`` of a generator costs double
        if name == b"transfer-encoding" or (name == b"content-length" and value != b"0"):
            return True
    return False


def pause_seconds() -> int:
    """Return when to come back; refused clients come back spread over a few seconds."""
    return 1 + spread(MAX_RETRY_DELAY_SECONDS)


async def _refuse(send: Send) -> None:
    """Send the envelope of a 503 without the framework: it must cost next to nothing."""
    headers, body = bare_refusal(503)
    headers = (*headers, (b"retry-after", str(pause_seconds()).encode()))
    await send({"type": "http.response.start", "status": 503, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def busy_answer(*, has_body: bool) -> bytes:
    """Return the same as a whole answer over a connection that is kept; to HEAD without a body."""
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
