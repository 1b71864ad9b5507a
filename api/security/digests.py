"""Keyed digests: what must not be stored in clear is stored and compared as these."""

import hmac

SALT_BYTES = 16


def keyed_digest(key: str, *parts: str) -> str:
    """Return the hex HMAC-SHA256 of ``parts``, for codes that must not be stored in clear."""
    return hmac.new(key.encode(), "\x1f".join(parts).encode(), "sha256").hexdigest()


def are_same(first: str, second: str) -> bool:
    """Compare two digests, in a time that tells nothing of where they differ."""
    return hmac.compare_digest(first.encode(), second.encode())


def keyed_salt(key: str, *parts: str) -> bytes:
    """Return the salt of ``parts`` under ``key``: unlike any other, always the same."""
    return bytes.fromhex(keyed_digest(key, "salt", *parts))[:SALT_BYTES]
