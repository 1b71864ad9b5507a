"""Rules of receipts: their numbers, and the addresses of their pages."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

from api.security.digests import are_same, keyed_digest

PAGE_LIFE = timedelta(minutes=10)
PURPOSE = "receipt-page"
DIGEST_LETTERS = 32  # 128 bits
MAX_EXPIRY_DIGITS = 12


def receipt_number(year: int, sequence: int) -> str:
    """Return a number such as ``KF-2026-000123``."""
    return f"KF-{year}-{sequence:06d}"


def page_name(key: str, receipt_id: UUID, now: datetime) -> str:
    """Return what a receipt's page is found under for ten minutes: its id, the end, a seal."""
    expires = str(int((now + PAGE_LIFE).timestamp()))
    return f"{receipt_id.hex}.{expires}.{_seal(key, receipt_id.hex, expires)}"


def read_page_name(key: str, name: str, now: datetime) -> UUID | None:
    """Return whose page a name is for, or None for an altered or an old one."""
    plain, _, seal = name.rpartition(".")
    identity, _, expires = plain.partition(".")
    if not (expires.isascii() and expires.isdigit() and len(expires) <= MAX_EXPIRY_DIGITS):
        return None
    if not are_same(seal, _seal(key, identity, expires)):
        return None
    if datetime.fromtimestamp(int(expires), UTC) < now:
        return None
    return UUID(identity)


def _seal(key: str, identity: str, expires: str) -> str:
    return keyed_digest(key, PURPOSE, identity, expires)[:DIGEST_LETTERS]
