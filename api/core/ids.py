"""Identifiers of rows: UUIDs that are ordered by time."""

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

    What one process draws one after the other is in this order, within a millisecond, too.
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
    """Return the smallest id that ``new_id`` can draw at ``moment``, to its millisecond."""
    value = int(moment.timestamp() * 1000) << 80
    return UUID(int=value | VERSION_7 << 76 | VARIANT << 62)


def parse_id(value: str) -> UUID | None:
    """Return the UUID that ``value`` writes, or None when it can be no id of ours.

    Only the canonical 36 characters are an id, in either letter case. What the library reads
    besides (braces, ``urn:uuid:``, hyphens anywhere or nowhere) would be further texts for one id.
    """
    return UUID(value) if CANONICAL.fullmatch(value) else None
