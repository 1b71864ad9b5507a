"""Claims: the signed proof that a visitor answered the public question correctly."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from uuid import UUID

from api.foundation.core.ids import parse_id
from api.foundation.security.digests import are_same, keyed_digest

CLAIM_POINTS = 5
CLAIM_LIFE = timedelta(hours=24)  # from the answer to the activation
PURPOSE = "visitor-claim"


@dataclass(frozen=True)
class Claim:
    """The content of a valid claim."""

    id: UUID
    expires_at: datetime


def write_claim(key: str, claim: Claim) -> str:
    """Return a claim as text, signed under ``key``."""
    signed = f"{claim.id}.{int(claim.expires_at.timestamp())}"
    return f"{signed}.{keyed_digest(key, PURPOSE, signed)}"


def read_claim(key: str, text: str, now: datetime) -> Claim | None:
    """Return the claim in a text that we signed and that has not expired, else None."""
    signed, _, digest = text.rpartition(".")
    if not text.isascii() or not are_same(digest, keyed_digest(key, PURPOSE, signed)):
        return None
    name, _, seconds = signed.partition(".")
    claim_id = parse_id(name)
    if claim_id is None:
        return None
    expires_at = datetime.fromtimestamp(int(seconds), UTC)
    return Claim(claim_id, expires_at) if now < expires_at else None
