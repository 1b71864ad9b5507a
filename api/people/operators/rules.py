"""Rules of operators' codes."""

from datetime import timedelta
from uuid import UUID

from api.foundation.database.rate_limit import Limit

# Per network; the limits per account are in ``sign_in_limits``.
REFUSED_SIGN_INS = Limit("admin-sign-in", 300, timedelta(minutes=1))
WRONG_CODES = Limit("admin-code", 5, timedelta(minutes=15))
CODE_DIGITS = 6
CHANGED = "changed"  # placeholder for sealed values in the audit


def totp_place(operator_id: UUID) -> str:
    """Return the place that an operator's secret is sealed for."""
    return f"{operator_id}:totp"


def check_code(code: str) -> str:
    """Return six digits without the spaces of authenticator apps, or raise ``ValueError``."""
    digits = "".join(code.split())
    if len(digits) != CODE_DIGITS or not digits.isascii() or not digits.isdigit():
        raise ValueError(f"The code has {CODE_DIGITS} digits")
    return digits
