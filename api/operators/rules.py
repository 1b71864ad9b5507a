"""Rules of the back office: how often codes are tried, how long proposals wait, how pages are."""

from datetime import time, timedelta
from typing import Any
from uuid import UUID

from api.core.money import KOBO_PER_NAIRA, Kobo
from api.database.idempotency import fingerprint
from api.database.rate_limit import Limit

WRONG_CODES = Limit("admin-code", 5, timedelta(minutes=15))
APPROVAL_LIFE = timedelta(hours=48)
CODE_DIGITS = 6
MAX_REASON_LENGTH = 200
# What holds until the back office sets something else.
QUIET_FROM, QUIET_TO = time(22), time(7)  # in Lagos
ADJUSTMENT_LIMIT = Kobo(10_000 * KOBO_PER_NAIRA)
ADJUSTMENT_DAY_LIMIT = Kobo(50_000 * KOBO_PER_NAIRA)
REFUND_LIMIT = Kobo(100_000 * KOBO_PER_NAIRA)
REFUND_DAY_LIMIT = Kobo(500_000 * KOBO_PER_NAIRA)
CONFIRM_DAY_LIMIT = Kobo(1_000_000 * KOBO_PER_NAIRA)
GIFT_LIMIT = 20
TRANSFER_UNITS_LIMIT = 20
TRANSFER_VALUE_LIMIT = Kobo(500_000 * KOBO_PER_NAIRA)
CHANGED = "changed"  # what stands for a sealed value in the audit


def digest_of(kind: str, content: dict[str, Any]) -> str:
    """Return the SHA-256 of the canonical JSON of what is proposed."""
    return fingerprint({"kind": kind, "content": content})


def totp_place(operator_id: UUID) -> str:
    """Return where an operator's secret is sealed for."""
    return f"{operator_id}:totp"


def check_code(code: str) -> str:
    """Return a code without the spaces that a phone shows or a paste carries.

    Raises:
        ValueError: it is not six digits.
    """
    digits = "".join(code.split())
    if len(digits) != CODE_DIGITS or not digits.isascii() or not digits.isdigit():
        raise ValueError(f"The code has {CODE_DIGITS} digits")
    return digits
