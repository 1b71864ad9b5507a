"""The lifetime and the digest of proposals."""

from datetime import timedelta
from typing import Any

from api.foundation.database.idempotency import fingerprint

APPROVAL_LIFE = timedelta(hours=48)


def digest_of(kind: str, content: dict[str, Any]) -> str:
    """Return the SHA-256 of a proposal's canonical JSON."""
    return fingerprint({"kind": kind, "content": content})
