"""Timeouts and size limits for requests."""

import asyncio
from collections.abc import Callable
from http import HTTPStatus

from typing_extensions import override
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from api.foundation.core.processes import STOPPING
from api.foundation.http.admission import (
    ADMISSION,
    PLACE,
    Admission,
    LoadClass,
    announces_body,
    busy_answer,
)
from api.foundation.http.refusals import unreadable
from api.foundation.server.unread import UnreadWatch

HEADER_SECONDS = 10.0  # from the connection or first byte to the end of the headers
BODY_GRACE_SECONDS = 20.0  # a body may always take this long,
SLOWEST_BODY_BYTES_PER_SECOND = 1_000  # and longer at this minimum rate
REFUSED_BODY_BYTES = 16 * 1024 * 1024  # read after a rejection, so that the sender gets it
KEEP_ALIVE_SECONDS = 15
UNREAD_BYTES = 64 * 1024  # of error responses that a caller has not read
LAST_REQUEST_SECONDS = 1.0  # for a first request while the server is stopping
HEAD_BYTES = 64 * 1024  # of request line, headers and trailers
HEADER_OVERHEAD_BYTES = 32  # per header, so that empty ones count
LENGTH_DIGITS = 19


class DeadlineHttpProtocol(HttpToolsProtocol):
    """uvicorn's HTTP protocol with timeouts for incomplete requests and unread responses.

    uvicorn waits indefinitely for the rest of headers or body, so a few hundred idle sockets would
    use up all file descriptors; and it buffers headers of any size. WebSockets leave this class
    with the upgrade.
    """

    _timer: asyncio.TimerHandle | None = None
    _action: Callable[[], None] | None = None
    _due_at = 0.0
    _refusal = HTTPStatus.BAD_REQUEST
    _unfinished_bytes = 0  # buffered by the parser since the last complete element
    _has_progressed = False
    _is_turned_away = False
    _fields = 0
    _body_began = 0.0
    _body_bytes = 0
    _refused_bytes = 0

    @override
    def connection_made(  # type: ignore[override] # the parent narrows it, too
        self, transport: asyncio.Transport
    ) -> None:
        super().connection_made(transport)
        self._unread = UnreadWatch(self.loop, transport)
        self._arm(HEADER_SECONDS, self._give_up)

    @override
    def connection_lost(self, exc: Exception | None) -> None:
        self._disarm()
        self._unread.stop()
        if self._timer is not None:
            self._timer.cancel()
        super().connection_lost(exc)

    @override
    def data_received(self, data: bytes) -> None:
        self._has_progressed = False
        super().data_received(data)
        self._unfinished_bytes = 0 if self._has_progressed else self._unfinished_bytes + len(data)
        if self._unfinished_bytes > HEAD_BYTES:
            self._refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)

    @override
    def shutdown(self) -> None:
        """Close if idle, but let a caller that has just connected send its request."""
        cycle: RequestResponseCycle | None = self.cycle
        if cycle is None or (cycle.response_complete and self._unfinished_bytes > 0):
            self._arm(LAST_REQUEST_SECONDS, self._give_up)
        else:
            super().shutdown()

    @override
    def send_400_response(self, msg: str) -> None:
        self._refuse(self._refusal)

    @override
    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._arm(HEADER_SECONDS, self._give_up)

    def on_chunk_complete(self) -> None:
        """Record progress in the body; the parser calls this by its name."""
        self._has_progressed = True

    @override
    def on_headers_complete(self) -> None:
        self._require_sane_head()
        self._fields = len(self.headers)
        self._has_progressed = True
        admission: Admission | None = self.app_state.get(ADMISSION)
        load_class = None if admission is None else self._class_to_admit(admission)
        if admission is not None and load_class is not None:
            self._is_turned_away = admission.is_full(load_class)
            if self._is_turned_away:
                self._turn_away()
                return
        super().on_headers_complete()
        if admission is not None and load_class is not None:
            # Counted here, because requests that arrive in one turn of the loop have not started
            # yet.
            admission.begin(load_class)
            self.scope[PLACE] = load_class  # type: ignore[literal-required] # the middleware's
        cycle: RequestResponseCycle | None = self.cycle
        if cycle is not None and self.app_state[STOPPING].is_set():
            cycle.keep_alive = False  # so that the caller's next request uses another connection
        self._body_began, self._body_bytes, self._refused_bytes = self.loop.time(), 0, 0
        self._arm(BODY_GRACE_SECONDS, self._weigh_body)

    @override
    def on_body(self, body: bytes) -> None:
        self._has_progressed = True
        self._body_bytes += len(body)
        if self.cycle.response_complete:
            self._refused_bytes += len(body)
            if self._refused_bytes > REFUSED_BODY_BYTES:
                self._give_up()
        super().on_body(body)

    @override
    def on_message_complete(self) -> None:
        if self._is_turned_away:
            self._is_turned_away = False
            return
        if len(self.headers) > self._fields:  # trailers
            self._require_sane_head()
        self._has_progressed = True
        self._disarm()
        super().on_message_complete()

    @override
    def handle_websocket_upgrade(self) -> None:
        # An invalid handshake would leave our timeouts without getting those of a WebSocket.
        names = {name for name, _ in self.headers}
        cycle: RequestResponseCycle | None = self.cycle
        if cycle is not None and not cycle.response_complete:
            self.transport.close()  # its response would overtake the previous one
            return
        if self.parser.get_method() != b"GET" or names & {b"content-length", b"transfer-encoding"}:
            self.send_400_response("Invalid HTTP request received.")
            return
        self._disarm()
        self._unread.stop()
        super().handle_websocket_upgrade()

    def _require_sane_head(self) -> None:
        """Check the headers at once; headers without end count as unfinished bytes.

        Raises:
            ValueError: they are too large, or announce a body that is; the parser stops.
        """
        size_bytes = len(self.url)
        for name, value in self.headers:
            size_bytes += len(name) + len(value) + HEADER_OVERHEAD_BYTES
            if name == b"content-length" and len(value) > LENGTH_DIGITS:
                raise ValueError("no body is that long")
        if size_bytes > HEAD_BYTES:
            self._refusal = HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE
            raise ValueError("the head is too large")

    def _class_to_admit(self, admission: Admission) -> LoadClass | None:
        """Return the class of a request that starts immediately and has no body, else None."""
        cycle: RequestResponseCycle | None = self.cycle
        is_behind_another = cycle is not None and not cycle.response_complete
        # Only the application normalizes paths with several spellings.
        is_plain = self.url.startswith(b"/") and b"%" not in self.url
        if (
            is_behind_another
            or not is_plain
            or self.parser.should_upgrade()
            or announces_body(self.headers)
        ):
            return None
        return admission.class_of(self.parser.get_method().decode(), self.url.decode("latin-1"))

    def _turn_away(self) -> None:
        """Send a 503 at a tenth of the cost of the application."""
        if self.transport.is_closing():
            return
        self._arm(KEEP_ALIVE_SECONDS, self._give_up)
        self.transport.write(busy_answer(has_body=self.parser.get_method() != b"HEAD"))
        if self.transport.get_write_buffer_size() > UNREAD_BYTES:
            self.transport.abort()  # closing would wait until everything is read
        elif not self.parser.should_keep_alive() or self.app_state[STOPPING].is_set():
            self._give_up()

    def _refuse(self, status: HTTPStatus) -> None:
        """Send an error in the envelope, unless a response has started, and close."""
        if self.transport.is_closing():
            return
        cycle: RequestResponseCycle | None = self.cycle
        if cycle is None or cycle.response_complete:
            self.transport.write(unreadable(status))
        self.transport.close()

    def _weigh_body(self) -> None:
        """Close, unless the body arrives fast enough for more time."""
        allowed = BODY_GRACE_SECONDS + self._body_bytes / SLOWEST_BODY_BYTES_PER_SECOND
        left = self._body_began + allowed - self.loop.time()
        if self.flow.read_paused:  # the handler is slow, not the sender
            left = BODY_GRACE_SECONDS
        if left > 0:
            self._arm(left, self._weigh_body)
        else:
            self._give_up()

    def _arm(self, seconds: float, action: Callable[[], None]) -> None:
        """Schedule ``action`` in place of the previous one.

        Every request does this several times, so a single timer is kept and checks what is due.
        """
        self._action, self._due_at = action, self.loop.time() + seconds
        if self._timer is not None:
            if self._timer.when() <= self._due_at:
                return
            self._timer.cancel()
        self._timer = self.loop.call_at(self._due_at, self._on_timer)

    def _disarm(self) -> None:
        self._action = None

    def _on_timer(self) -> None:
        self._timer = None
        if self._action is None:
            return
        if self.loop.time() < self._due_at:
            self._timer = self.loop.call_at(self._due_at, self._on_timer)
        else:
            action, self._action = self._action, None
            action()

    def _give_up(self) -> None:
        if not self.transport.is_closing():
            self.transport.close()
