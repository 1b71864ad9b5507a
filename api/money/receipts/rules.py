"""Rules of receipts: their numbers, and the URLs of their pages."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

from api.foundation.security.digests import are_same, keyed_digest

PAGE_LIFE = timedelta(minutes=10)
PURPOSE = "receipt-page"
DIGEST_LETTERS = 32  # 128 bits
MAX_EXPIRY_DIGITS = 12


def receipt_number(year: int, sequence: int) -> str:
    """Return a number such as ``KF-2026-000123``."""
    return f"KF-{year}-{sequence:06d}"


def page_name(key: str, receipt_id: UUID, now: datetime) -> str:
    """Return the name of a receipt's page, valid for ten minutes: id, expiry and signature."""
    expires = str(int((now + PAGE_LIFE).timestamp()))
    return f"{receipt_id.hex}.{expires}.{_seal(key, receipt_id.hex, expires)}"


def read_page_name(key: str, name: str, now: datetime) -> UUID | None:
    """Return the receipt that a page name is for, or None if it is altered or expired."""
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
