"""Rules of the back office: limits of codes, lifetime of proposals, page sizes."""

from datetime import time, timedelta
from typing import Any
from uuid import UUID

from api.foundation.core.money import KOBO_PER_NAIRA, Kobo
from api.foundation.database.idempotency import fingerprint
from api.foundation.database.rate_limit import Limit

WRONG_CODES = Limit("admin-code", 5, timedelta(minutes=15))
APPROVAL_LIFE = timedelta(hours=48)
CODE_DIGITS = 6
MAX_REASON_LENGTH = 200
# Defaults until the back office changes them.
QUIET_FROM, QUIET_TO = time(22), time(7)  # Lagos time
ADJUSTMENT_LIMIT = Kobo(10_000 * KOBO_PER_NAIRA)
ADJUSTMENT_DAY_LIMIT = Kobo(50_000 * KOBO_PER_NAIRA)
REFUND_LIMIT = Kobo(100_000 * KOBO_PER_NAIRA)
REFUND_DAY_LIMIT = Kobo(500_000 * KOBO_PER_NAIRA)
CONFIRM_DAY_LIMIT = Kobo(1_000_000 * KOBO_PER_NAIRA)
GIFT_LIMIT = 20
TRANSFER_UNITS_LIMIT = 20
TRANSFER_VALUE_LIMIT = Kobo(500_000 * KOBO_PER_NAIRA)
CHANGED = "changed"  # placeholder for sealed values in the audit


def digest_of(kind: str, content: dict[str, Any]) -> str:
    """Return the SHA-256 of a proposal's canonical JSON."""
    return fingerprint({"kind": kind, "content": content})


def totp_place(operator_id: UUID) -> str:
    """Return the place that an operator's secret is sealed for."""
    return f"{operator_id}:totp"


def check_code(code: str) -> str:
    """Remove the spaces that authenticator apps display.

    Raises:
        ValueError: it is not six digits.
    """
    digits = "".join(code.split())
    if len(digits) != CODE_DIGITS or not digits.isascii() or not digits.isdigit():
        raise ValueError(f"The code has {CODE_DIGITS} digits")
    return digits
