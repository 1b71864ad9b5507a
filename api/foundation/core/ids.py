"""Row identifiers: UUIDs ordered by time."""

import os
import re
import time
from datetime import datetime
from uuid import UUID

VERSION_7 = 0x7
VARIANT = 0b10
CANONICAL = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE | re.ASCII)


def new_id() -> UUID:
    """Return a UUIDv7 (RFC 9562): the time since the epoch to 1/4096 ms, then 62 random bits.

    Ids created by one process are in order, even within a millisecond.
    """
    milliseconds, rest = divmod(time.time_ns(), 1_000_000)
    chance = int.from_bytes(os.urandom(8), "big")
    value = (milliseconds & (1 << 48) - 1) << 80
    value |= VERSION_7 << 76
    value |= (rest * 4096 // 1_000_000) << 64
    value |= VARIANT << 62
    value |= chance & (1 << 62) - 1
    return UUID(int=value)


def first_id_at(moment: datetime) -> UUID:
    """Return the smallest id that ``new_id`` can return at ``moment``, to the millisecond."""
    value = int(moment.timestamp() * 1000) << 80
    return UUID(int=value | VERSION_7 << 76 | VARIANT << 62)


def parse_id(value: str) -> UUID | None:
    """Return the UUID written as ``value``, or None if it cannot be one of our ids.

    Only the canonical form of 36 characters counts, in either letter case. The other forms that the
    library accepts (braces, ``urn:uuid:``, other hyphens) would be aliases of the same id.
    """
    return UUID(value) if CANONICAL.fullmatch(value) else None
