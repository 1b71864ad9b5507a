"""Rules of the member record."""

import re
import unicodedata
from collections.abc import Callable
from datetime import date

from api.foundation.wire.visible import can_be_read

SHORTEST_PHONE = 10
MAX_PHONE_LENGTH = 14
PHONE_SENTENCE = "Phone number must be up to eleven numbers"  # the rule is ten: spec 5 and 9
NATIONAL = re.compile(r"0?([1-9][0-9]{9})")
INTERNATIONAL = re.compile(r"\+234([1-9][0-9]{9})")

YOUNGEST_YEARS = 13  # contract B-78
OLDEST_YEARS = 120
TOO_YOUNG = f"You must be at least {YOUNGEST_YEARS} years old"
NOT_A_BIRTHDAY = "Please enter a valid date of birth"
ACCOUNT_NUMBER = re.compile(r"[0-9]{10}")
NUBAN_CODE = re.compile(r"[0-9]{3}")
NUBAN_WEIGHTS = (3, 7, 3)

MAX_NAME_LENGTH = 60
MAX_OTHER_NAME_LENGTH = 100
MAX_ADDRESS_LENGTH = 300
# Only two letters before the dot: an unlimited number would make a long word quadratic to match.
# The dots are those of addresses, which programs also read in full width.
LINK = re.compile(r"https?|://|www[.。]|[^\W_]{2}[.。][^\W\d_]{2}|[<>@]", re.IGNORECASE)

# Codes of the payment provider; commercial banks have three digits.
BANKS: dict[str, str] = {
    "044": "Access Bank",
    "565": "Carbon",
    "023": "Citibank Nigeria",
    "050": "Ecobank Nigeria",
    "51318": "FairMoney Microfinance Bank",
    "070": "Fidelity Bank",
    "011": "First Bank of Nigeria",
    "214": "First City Monument Bank",
    "00103": "Globus Bank",
    "058": "Guaranty Trust Bank",
    "301": "Jaiz Bank",
    "082": "Keystone Bank",
    "50211": "Kuda Bank",
    "303": "Lotus Bank",
    "50515": "Moniepoint Microfinance Bank",
    "999992": "OPay",
    "107": "Optimus Bank",
    "999991": "PalmPay",
    "104": "Parallex Bank",
    "076": "Polaris Bank",
    "105": "PremiumTrust Bank",
    "101": "Providus Bank",
    "106": "Signature Bank",
    "221": "Stanbic IBTC Bank",
    "068": "Standard Chartered Bank",
    "232": "Sterling Bank",
    "100": "SunTrust Bank",
    "302": "TAJ Bank",
    "102": "Titan Trust Bank",
    "032": "Union Bank of Nigeria",
    "033": "United Bank for Africa",
    "215": "Unity Bank",
    "566": "VFD Microfinance Bank",
    "035": "Wema Bank",
    "057": "Zenith Bank",
}


def normalise_phone(phone: str) -> str:
    """Return a Nigerian number in E.164 form: 0803…, 803… and +234803… are the same phone.

    Raises:
        ValueError: it is none of the three (contract B-14).
    """
    compact = phone.replace(" ", "").replace("-", "")
    if not SHORTEST_PHONE <= len(compact) <= MAX_PHONE_LENGTH:
        raise ValueError(PHONE_SENTENCE)
    found = NATIONAL.fullmatch(compact) or INTERNATIONAL.fullmatch(compact)
    if found is None:
        raise ValueError(PHONE_SENTENCE)
    return f"+234{found.group(1)}"


def require(label: str) -> Callable[[str], str]:
    """Return a validator that rejects an empty field with the spec's sentence."""

    def check(value: str) -> str:
        if not value:
            raise ValueError(f"{label} is required")
        return value

    return check


def limit(label: str, max_length: int) -> Callable[[str], str]:
    """Return a validator that rejects a field of more than ``max_length`` characters."""

    def check(value: str) -> str:
        if len(value) > max_length:
            raise ValueError(f"{label} must be at most {max_length} characters")
        return value

    return check


def plain(label: str) -> Callable[[str], str]:
    """Return a validator that rejects links, line breaks and invisible characters.

    Names are mailed and shown to others.
    """

    def check(value: str) -> str:
        if value and not can_be_read(value):
            raise ValueError(f"{label} is required")
        if not value.isprintable() or LINK.search(unicodedata.normalize("NFKC", value)):
            raise ValueError(f"{label} cannot have links or line breaks")
        return value

    return check


def check_bank(code: str) -> str:
    """Return ``code``; raise ``ValueError`` if the bank is unknown."""
    if code and code not in BANKS:
        raise ValueError("Please choose a bank from the list")
    return code


def check_account_number(number: str) -> str:
    """Return an account number without spaces; empty stays empty.

    Raises:
        ValueError: it has not ten digits.
    """
    compact = number.replace(" ", "").replace("-", "")
    if compact and ACCOUNT_NUMBER.fullmatch(compact) is None:
        raise ValueError("An account number has ten digits")
    return compact


def fits_bank(code: str, number: str) -> bool:
    """Return whether the number's check digit fits the bank; only a hint to check the number.

    Uses the central bank's weights (NUBAN). Wallets with phone numbers as account numbers do not
    follow them, so only three-digit codes are checked.
    """
    if NUBAN_CODE.fullmatch(code) is None or ACCOUNT_NUMBER.fullmatch(number) is None:
        return True
    digits = [int(digit) for digit in code + number[:9]]
    total = sum(digit * NUBAN_WEIGHTS[place % 3] for place, digit in enumerate(digits))
    return (10 - total % 10) % 10 == int(number[9])


def check_birthday(born_on: date, today: date) -> None:
    """Reject an invalid date of birth and members who are too young.

    Raises:
        ValueError: it is invalid, or the member is too young.
    """
    age = today.year - born_on.year - ((today.month, today.day) < (born_on.month, born_on.day))
    if born_on > today or age > OLDEST_YEARS:
        raise ValueError(NOT_A_BIRTHDAY)
    if age < YOUNGEST_YEARS:
        raise ValueError(TOO_YOUNG)
