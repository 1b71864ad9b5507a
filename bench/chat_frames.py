"""A minimum of WebSocket frames and packets for a measuring client (RFC 6455)."""

import base64
import hashlib
import json
import secrets

from bench.harness import BenchError

TEXT, CLOSE, PING, PONG = 1, 8, 9, 10
FINAL, RESERVED, MASKED = 0x80, 0x70, 0x80
EXTENDED_16, EXTENDED_64 = 126, 127
NO_MASK = bytes(4)  # a zero mask leaves the payload unchanged
ACCEPT_SALT = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
MARKER = b'42/chat,["message",'

Frame = tuple[int, bytes]


def handshake(path: str) -> tuple[bytes, bytes]:
    """Return an upgrade request that offers compression, and the expected accept key."""
    key = base64.b64encode(secrets.token_bytes(16))
    proof = base64.b64encode(hashlib.sha1(key + ACCEPT_SALT, usedforsecurity=False).digest())
    lines = [
        f"GET {path} HTTP/1.1".encode(),
        b"Host: 127.0.0.1",
        b"Upgrade: websocket",
        b"Connection: Upgrade",
        b"Sec-WebSocket-Version: 13",
        b"Sec-WebSocket-Key: " + key,
        b"Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits",
    ]
    return b"\r\n".join(lines) + b"\r\n\r\n", proof


def check_upgrade(head: bytes, proof: bytes) -> None:
    """Check the response to a handshake.

    Raises:
        BenchError: it is no upgrade, or it compresses: frames could not be distinguished by length.
    """
    status, *lines = head.split(b"\r\n")
    fields = {
        name.strip().lower(): content.strip()
        for name, _, content in (line.partition(b":") for line in lines)
    }
    if b" 101 " not in status or fields.get(b"sec-websocket-accept") != proof:
        raise BenchError(f"the server does not upgrade: {status.decode(errors='replace')}")
    if fields.get(b"sec-websocket-extensions"):
        raise BenchError("the server compresses; its figures would not be comparable")


def text_frame(payload: bytes, opcode: int = TEXT) -> bytes:
    """Return a client's frame."""
    size = len(payload)
    if size < EXTENDED_16:
        length = bytes((MASKED | size,))
    elif size < 1 << 16:
        length = bytes((MASKED | EXTENDED_16,)) + size.to_bytes(2, "big")
    else:
        length = bytes((MASKED | EXTENDED_64,)) + size.to_bytes(8, "big")
    return bytes((FINAL | opcode,)) + length + NO_MASK + payload


def split(data: bytes) -> tuple[list[Frame], bytes]:
    """Return the complete frames at the start of a server's bytes, and the rest.

    Raises:
        BenchError: a frame is compressed, masked or fragmented.
    """
    frames: list[Frame] = []
    at = 0
    while (found := header(data, at)) is not None and found[1] <= len(data):
        start, end = found
        frames.append((data[at] & 0x0F, data[start:end]))
        at = end
    return frames, data[at:]


def header(data: bytes, at: int) -> tuple[int, int] | None:
    """Return start and end of the payload of the frame at ``at``, None if incomplete.

    Raises:
        BenchError: the frame has a type that was not agreed on.
    """
    if len(data) < at + 2:
        return None
    first, size, start = data[at], data[at + 1], at + 2
    if first & RESERVED or not first & FINAL or size & MASKED:
        raise BenchError("a frame is compressed, masked or in parts")
    if size >= EXTENDED_16:
        start += 2 if size == EXTENDED_16 else 8
        if len(data) < start:
            return None
        size = int.from_bytes(data[at + 2 : start], "big")
    return start, start + size


class Counter:
    """Counts messages in what sockets receive.

    Most reads contain exactly one message of the same length as the last one, which is detected
    without parsing frames. All others are parsed. ``marker`` is the start of a message.
    """

    def __init__(self, marker: bytes = MARKER) -> None:
        self._marker = marker
        self.rests: dict[int, bytes] = {}
        self.counts: dict[int, int] = {}  # messages by the socket's descriptor
        self.frame_bytes = 0
        self._opening = b"\x00" * len(marker)

    def is_one(self, descriptor: int, buffer: bytearray, size: int) -> bool:
        """Count a read of exactly one message; return whether it was."""
        if (
            size == self.frame_bytes
            and buffer.startswith(self._opening)
            and descriptor not in self.rests
        ):
            self.counts[descriptor] += 1
            return True
        return False

    def parse(self, descriptor: int, data: bytes) -> list[Frame]:
        """Return the frames completed by a read, and count their messages."""
        carried = self.rests.pop(descriptor, b"")
        frames, rest = split(carried + data)
        if rest:
            self.rests[descriptor] = rest
        messages = sum(self.is_message(frame) for frame in frames)
        self.counts[descriptor] += messages
        if messages == len(frames) == 1 and not carried and not rest:
            self.frame_bytes = len(data)
            self._opening = data[: data.index(self._marker) + len(self._marker)]
        return frames

    def is_message(self, frame: Frame) -> bool:
        """Return whether a frame is one of the messages that are counted."""
        return is_message(frame, self._marker)


def is_message(frame: Frame, marker: bytes = MARKER) -> bool:
    """Return whether a frame is a chat message, not a user list, an acknowledgement or a ping."""
    return frame[0] == TEXT and frame[1].startswith(marker)


class Judge:
    """Detects lost, duplicate and reordered deliveries of a stream."""

    def __init__(self, listeners: list[int], messages: int) -> None:
        self.lost = len(listeners) * messages  # until they arrive
        self.doubled = self.disordered = 0
        self._received = {listener: bytearray(messages) for listener in listeners}
        self._last_seq = dict.fromkeys(listeners, -1)

    def record(self, listener: int, number: int, seq: int) -> None:
        """Record that a listener received the stream's message ``number``."""
        received = self._received[listener]
        if received[number]:
            self.doubled += 1
            return
        received[number] = 1
        self.lost -= 1
        if seq <= self._last_seq[listener]:
            self.disordered += 1
        else:
            self._last_seq[listener] = seq


def content_of(payload: bytes) -> tuple[str, int]:
    """Return the text and the room's sequence number in a message's frame."""
    _, message = json.loads(payload[payload.index(b",") + 1 :])
    return message["chat_message"], int(message["seq"])
