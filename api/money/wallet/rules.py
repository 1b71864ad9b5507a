"""Rules of references and statements: names of movements, months, cells of a file."""

import unicodedata
from datetime import date

from api.money.wallet.enums import TransferKind

BANK_REFERENCES = "transfer:"  # of money that came through a bank and not through a provider
REFUNDS = "refund:"  # of refunds by operators; refunds by members have other prefixes
FORMULA_SIGNS = ("=", "+", "-", "@")  # these start a formula in a spreadsheet
TITLES = {
    TransferKind.FUND: "Wallet funding",
    TransferKind.PURCHASE: "Order",
    TransferKind.SUBSCRIPTION: "Plan",
    TransferKind.REFUND: "Refund",
    TransferKind.CHARGEBACK: "Chargeback",
    TransferKind.DEBT_REPAYMENT: "Debt repayment",
    TransferKind.ADJUST: "Adjustment by our team",
}
BANK_TRANSFER = "Bank transfer"


def bank_reference(bank: str, reference: str) -> str:
    """Return the ledger reference of a bank's payment; letter case and spaces are ignored."""
    return f"{BANK_REFERENCES}{bank}:{plain_reference(reference)}"


def plain_reference(reference: str) -> str:
    """Return an external payment reference in its normal form.

    Ignores letter case, spaces, invisible characters and width variants of letters.
    """
    # Invisible characters keep others from composing, and some appear only after normalization.
    plain = _seen(unicodedata.normalize("NFKC", _seen(reference)))
    return unicodedata.normalize("NFKC", plain.upper())


def _seen(text: str) -> str:
    return "".join(sign for sign in text if unicodedata.category(sign)[0] not in "ZC")


def movement_title(kind: TransferKind, reference: str, origin: str | None) -> str:
    """Return the title of a movement; ``origin`` is what its payment was for, if known."""
    if kind is TransferKind.REFUND:
        return TITLES[kind] if origin is None else f"Refund: {origin}"
    if kind is TransferKind.FUND and reference.startswith(BANK_REFERENCES):
        return BANK_TRANSFER
    return origin or TITLES[kind]


def latest_months(first: date, last: date, limit: int) -> list[date]:
    """Return the first days of up to ``limit`` months up to that of ``last``, oldest first.

    Starts no earlier than the month of ``first``.
    """
    newest, oldest = (day.year * 12 + day.month - 1 for day in (last, first))
    numbers = range(max(oldest, newest - limit + 1), newest + 1)
    return [date(number // 12, number % 12 + 1, 1) for number in numbers]


def csv_text(text: str) -> str:
    """Return a text that no spreadsheet reads as a formula."""
    return f"'{text}" if text.startswith(FORMULA_SIGNS) else text


def read_reference(reference: str) -> str:
    """Return an external payment reference in its normal form, which is not empty.

    Raises:
        ValueError: the normal form is empty.
    """
    plain = plain_reference(reference)
    if not plain:
        raise ValueError("This name has no letter and no digit")
    return plain
