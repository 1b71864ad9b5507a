"""Request ids, and other randomness that is not secret and needed by every request."""

import os

DRAWN_BYTES = 4096


class _RandomBuffer:
    """A buffer of random bytes, because each read from the system is a system call."""

    def __init__(self) -> None:
        self._drawn = b""
        self._at = 0

    def read(self, count: int) -> bytes:
        if self._at + count > len(self._drawn):
            self._drawn, self._at = os.urandom(DRAWN_BYTES), 0
        self._at += count
        return self._drawn[self._at - count : self._at]

    def forget(self) -> None:
        """Discard the buffer."""
        self._drawn, self._at = b"", 0


_random = _RandomBuffer()
os.register_at_fork(after_in_child=_random.forget)


def new_request_id() -> str:
    """Return sixteen hexadecimal digits that identify a request in logs and errors; not secret."""
    return _random.read(8).hex()


def spread(limit: int) -> int:
    """Return a random number below ``limit``, at most 256, to spread out simultaneous events."""
    return _random.read(1)[0] % limit
