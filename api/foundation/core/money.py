"""Money: integer kobo internally, naira with at most two decimals externally."""

from decimal import Decimal
from typing import NewType

Kobo = NewType("Kobo", int)

KOBO_PER_NAIRA = 100
SMALLEST_NAIRA = Decimal("0.01")
LARGEST_KOBO = 100_000_000_000  # the ledger's limit per transfer: a billion naira


def kobo_from_naira(naira: Decimal) -> Kobo:
    """Convert naira to kobo exactly.

    Raises:
        ValueError: ``naira`` is not finite or has more than two decimals.
    """
    if not naira.is_finite():
        raise ValueError("An amount must be a finite number")
    if naira.adjusted() > 15:
        raise ValueError("The amount is too large")
    if naira != naira.quantize(SMALLEST_NAIRA):
        raise ValueError("An amount has at most two decimals")
    return Kobo(int(naira * KOBO_PER_NAIRA))


def naira_from_kobo(kobo: int) -> float:
    """Convert kobo to the wire's naira number.

    Division of two integers is correctly rounded, so below 2**53 kobo the number prints with at
    most two decimals.
    """
    return kobo / KOBO_PER_NAIRA


def format_naira(kobo: int) -> str:
    """Format an amount: ``₦2,500.50``, whole naira without decimals."""
    naira, rest = divmod(kobo, KOBO_PER_NAIRA)
    return f"₦{naira:,}.{rest:02d}" if rest else f"₦{naira:,}"
