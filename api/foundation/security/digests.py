"""Keyed digests for values that must not be stored in plain text."""

import hashlib
import hmac

SALT_BYTES = 16


def keyed_digest(key: str, *parts: str) -> str:
    """Return the hex HMAC-SHA256 of ``parts``."""
    return hmac.new(key.encode(), "\x1f".join(parts).encode(), "sha256").hexdigest()


def content_version(*parts: object) -> str:
    """Return a short version of content that anybody may know: it changes with each part."""
    return hashlib.sha256("\x1f".join(map(str, parts)).encode()).hexdigest()[:20]


def are_same(first: str, second: str) -> bool:
    """Compare two digests in constant time."""
    return hmac.compare_digest(first.encode(), second.encode())


def keyed_salt(key: str, *parts: str) -> bytes:
    """Return a salt for ``parts`` under ``key``: unique, and always the same."""
    return bytes.fromhex(keyed_digest(key, "salt", *parts))[:SALT_BYTES]
