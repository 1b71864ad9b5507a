"""Names of requests, and other chance that is no secret and every request needs."""

import os

DRAWN_BYTES = 4096


class _Chance:
    """Random bytes, drawn from the system many at a time: each draw is a call of its own."""

    def __init__(self) -> None:
        self._drawn = b""
        self._at = 0

    def take(self, count: int) -> bytes:
        """Return that many bytes."""
        if self._at + count > len(self._drawn):
            self._drawn, self._at = os.urandom(DRAWN_BYTES), 0
        self._at += count
        return self._drawn[self._at - count : self._at]

    def forget(self) -> None:
        """Use nothing of what was drawn."""
        self._drawn, self._at = b"", 0


_chance = _Chance()
os.register_at_fork(after_in_child=_chance.forget)


def new_request_id() -> str:
    """Return sixteen hexadecimal digits that name one request in logs and errors; no secret."""
    return _chance.take(8).hex()


def spread(most: int) -> int:
    """Return a number from 0 to below ``most``, at most 256, for what should not come together."""
    return _chance.take(1)[0] % most
