"""Streams multipart forms with files to disk, counting and hashing them on the way.

A part above its limit ends the request immediately. Files go to unnamed temporary files, which
vanish with their handle; names and types from the client are ignored.
"""

import asyncio
import hashlib
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any, BinaryIO, cast
from uuid import UUID
from weakref import WeakValueDictionary

from fastapi import Request
from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header
from starlette.requests import ClientDisconnect

from api.foundation.core.errors import (
    InvalidFieldError,
    TooManyRequestsError,
    UnavailableError,
)
from api.foundation.core.metrics import Metrics
from api.foundation.security.network import Sender, network_of
from api.foundation.wire.forms import (
    FileTooLargeError,
    FormRules,
    MalformedFormError,
    ReceivedFile,
    ReceivedForm,
    WrongMediaError,
)

WRITE_BYTES = 256 * 1024
HEADERS_PER_PART = 8
MAX_HEADER_LENGTH = 1024
UPLOADS_AT_ONCE = 64  # mostly slow phones; each costs a file and a buffer
UPLOADS_PER_MEMBER = 2
TURN_SECONDS = 10.0


class TooManyUploadsError(TooManyRequestsError):
    """The member has too many uploads in progress."""

    message = "Your other uploads are not finished yet. Please wait a moment and try again."


class UploadGate:
    """Receives forms; limits concurrent files in total, per network and per member.

    A form acquires a slot when its first file begins, so a form without files never waits.
    """

    def __init__(self, *, per_network: int, metrics: Metrics) -> None:
        self._per_network = per_network
        self._refused_network = metrics.limits_reached.labels("uploads")
        self._slots = asyncio.Semaphore(UPLOADS_AT_ONCE)
        self._networks: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()
        self._running: Counter[UUID] = Counter()

    @asynccontextmanager
    async def received_form(
        self, request: Request, rules: FormRules, folder: Path, user_id: UUID
    ) -> AsyncIterator[ReceivedForm]:
        """Receive a member's form; ``folder`` holds the temporary files.

        Raises:
            WrongMediaError: the body is no multipart form.
            MalformedFormError: it is incomplete or malformed.
            InvalidFieldError: a part is unknown, repeated, too long or not text.
            TooManyUploadsError: the member has too many uploads in progress.
            UnavailableError: all slots are in use, or the files could not be stored.
        """
        await asyncio.to_thread(folder.mkdir, parents=True, exist_ok=True)
        sender = Sender(user_id, network_of(request.client.host if request.client else None))
        async with AsyncExitStack() as held:
            intake = _Intake(
                rules, folder, sender, lambda: held.enter_async_context(self._slot(sender))
            )
            held.callback(intake.form.close)
            yield await intake.receive(request)

    @asynccontextmanager
    async def _slot(self, sender: Sender) -> AsyncIterator[None]:
        """Wait for a slot; a network that has used up its slots only delays itself."""
        if self._running[sender.user_id] >= UPLOADS_PER_MEMBER:
            raise TooManyUploadsError(retry_after_seconds=5)
        self._running[sender.user_id] += 1
        of_network = self._networks.setdefault(sender.network, asyncio.Semaphore(self._per_network))
        try:
            async with AsyncExitStack() as held:
                try:
                    async with asyncio.timeout(TURN_SECONDS):
                        await held.enter_async_context(of_network)
                        await held.enter_async_context(self._slots)
                except TimeoutError as error:
                    if of_network.locked():
                        self._refused_network.inc()
                    raise UnavailableError(retry_after_seconds=5) from error
                yield
        finally:
            self._running[sender.user_id] -= 1
            if not self._running[sender.user_id]:
                del self._running[sender.user_id]


class _Intake:
    """The parser's callbacks, and the state of the current part."""

    def __init__(
        self,
        rules: FormRules,
        folder: Path,
        sender: Sender,
        take_slot: Callable[[], Awaitable[None]],
    ) -> None:
        self.form = ReceivedForm(sender)
        self._rules = rules
        self._folder = folder
        self._take_slot = take_slot
        self._has_slot = False
        self._name = ""
        self._header: bytes = b""
        self._value: bytes = b""
        self._buffer = bytearray()
        self._hash = hashlib.sha256()
        self._is_finished = False
        self._ripe: list[tuple[BinaryIO, bytes]] = []

    async def receive(self, request: Request) -> ReceivedForm:
        kind, options = parse_options_header(request.headers.get("content-type", ""))
        if kind != b"multipart/form-data" or not options.get(b"boundary"):
            raise WrongMediaError
        try:
            parser = self._parser(options[b"boundary"])
            async for chunk in request.stream():
                for start in range(0, len(chunk), WRITE_BYTES):
                    parser.write(chunk[start : start + WRITE_BYTES])
                    if self.form.files and not self._has_slot:
                        await self._take_slot()
                        self._has_slot = True
                    await self._flush_pending()
        except (FormParserError, ClientDisconnect) as error:
            raise MalformedFormError from error
        except OSError as error:  # the disk is full or missing
            raise UnavailableError(retry_after_seconds=30) from error
        if not self._is_finished:
            raise MalformedFormError
        return self.form

    def _parser(self, boundary: bytes) -> MultipartParser:
        return MultipartParser(
            boundary,
            cast(
                "Any",  # the library does not export this type
                {
                    "on_part_begin": self._begin_part,
                    "on_header_field": self._read_header,
                    "on_header_value": self._read_value,
                    "on_header_end": self._end_header,
                    "on_headers_finished": self._open_part,
                    "on_part_data": self._read_data,
                    "on_part_end": self._end_part,
                    "on_end": self._finish,
                },
            ),
            max_header_count=HEADERS_PER_PART,
            max_header_size=MAX_HEADER_LENGTH,
        )

    async def _flush_pending(self) -> None:
        for handle, data in self._ripe:
            await asyncio.to_thread(handle.write, data)
        self._ripe.clear()

    def _begin_part(self) -> None:
        self._name, self._header, self._value = "", b"", b""

    def _read_header(self, data: bytes, start: int, end: int) -> None:
        self._header += data[start:end]

    def _read_value(self, data: bytes, start: int, end: int) -> None:
        self._value += data[start:end]

    def _end_header(self) -> None:
        if self._header.lower() == b"content-disposition":
            options = parse_options_header(self._value)[1]
            self._name = options.get(b"name", b"").decode("utf-8", "replace")
        self._header, self._value = b"", b""

    def _open_part(self) -> None:
        name = self._name
        if name in self.form.fields or name in self.form.files:
            raise InvalidFieldError.of(name, "This field came twice")
        if name in self._rules.files:
            handle = cast("BinaryIO", tempfile.TemporaryFile(dir=self._folder))  # noqa: SIM115 closed with the form
            self.form.files[name] = ReceivedFile(handle)
            self._hash = hashlib.sha256()
        elif name not in self._rules.fields:
            raise InvalidFieldError.of(name[:60], "This field is not known here")
        self._buffer.clear()

    def _read_data(self, data: bytes, start: int, end: int) -> None:
        if self._name in self._rules.fields:
            self._buffer += data[start:end]
            if len(self._buffer) > self._rules.fields[self._name]:
                raise InvalidFieldError.of(self._name, "This text is too long")
            return
        received, rule = self.form.files[self._name], self._rules.files[self._name]
        received.size_bytes += end - start
        if received.size_bytes > rule.limit_bytes:
            raise FileTooLargeError(rule.too_large, fields={self._name: rule.too_large})
        piece = data[start:end]
        self._hash.update(piece)
        self._buffer += piece
        if len(self._buffer) >= WRITE_BYTES:
            self._flush(received)

    def _end_part(self) -> None:
        if self._name in self._rules.fields:
            try:
                self.form.fields[self._name] = self._buffer.decode()
            except UnicodeDecodeError as error:
                raise InvalidFieldError.of(
                    self._name, "The text has characters that cannot be stored"
                ) from error
            return
        received = self.form.files[self._name]
        received.digest = self._hash.hexdigest()
        self._flush(received)

    def _flush(self, received: ReceivedFile) -> None:
        self._ripe.append((received.handle, bytes(self._buffer)))
        self._buffer.clear()

    def _finish(self) -> None:
        self._is_finished = True
