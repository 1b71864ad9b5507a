"""Rules of searching members and masking bank accounts."""

import re

LETTERS = re.compile(r"[^\d+]")
PHONE_PATTERN = re.compile(r"[+\d][\d\s().-]*")
COUNTRY = "+234"
MASK = "••••"
SHOWN_DIGITS = 4


def phone_beginning(q: str) -> str | None:
    """Return the prefix of a phone in stored form, E.164; None if ``q`` is not part of a phone.

    Nigerian numbers may be given with their leading 0.
    """
    if PHONE_PATTERN.fullmatch(q) is None:
        return None
    digits = LETTERS.sub("", q)
    if digits.startswith("+"):
        return digits
    if digits.startswith("0"):
        return COUNTRY + digits.lstrip("0")
    return "+" + digits


def masked(account_number: str) -> str:
    """Return an account number with all but the last four digits masked."""
    return MASK + account_number[-SHOWN_DIGITS:]
