"""How members are looked up, and what of a bank account is shown."""

import re

LETTERS = re.compile(r"[^\d+]")
PHONE_PATTERN = re.compile(r"[+\d][\d\s().-]*")
COUNTRY = "+234"
MASK = "••••"
SHOWN_DIGITS = 4


def phone_beginning(q: str) -> str | None:
    """Return how a phone begins as it is stored, E.164; None when ``q`` is no part of a phone.

    Nigerian numbers may be written from their 0 on.
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
    """Return an account number of which the last four digits show."""
    return MASK + account_number[-SHOWN_DIGITS:]
