"""Rules of the ledger's references and statements: names of movements, months, cells of a file."""

import unicodedata
from datetime import date

from api.wallet.enums import TransferKind

BANK_REFERENCES = "transfer:"  # of money that came over a bank and not through a provider
REFUNDS = "refund:"  # of what operators send back; what members take back has other names
FORMULA_SIGNS = ("=", "+", "-", "@")  # with these a spreadsheet's formula begins
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
    """Return the ledger reference of a bank's payment; letter case and spaces say nothing."""
    return f"{BANK_REFERENCES}{bank}:{plain_reference(reference)}"


def plain_reference(reference: str) -> str:
    """Return what somebody else calls a payment in the one form that it counts in.

    Letter case, spaces, signs that nobody sees and other widths of the same letters say nothing.
    """
    # Signs that nobody sees keep others apart, and some appear only when the letters are plain.
    plain = _seen(unicodedata.normalize("NFKC", _seen(reference)))
    return unicodedata.normalize("NFKC", plain.upper())


def _seen(text: str) -> str:
    return "".join(sign for sign in text if unicodedata.category(sign)[0] not in "ZC")


def movement_title(kind: TransferKind, reference: str, origin: str | None) -> str:
    """Return what a movement is called; ``origin`` is what its payment was for, where known."""
    if kind is TransferKind.REFUND:
        return TITLES[kind] if origin is None else f"Refund: {origin}"
    if kind is TransferKind.FUND and reference.startswith(BANK_REFERENCES):
        return BANK_TRANSFER
    return origin or TITLES[kind]


def latest_months(first: date, last: date, limit: int) -> list[date]:
    """Return the first days of up to ``limit`` months up to that of ``last``, oldest first.

    None is before the month of ``first``.
    """
    newest, oldest = (day.year * 12 + day.month - 1 for day in (last, first))
    numbers = range(max(oldest, newest - limit + 1), newest + 1)
    return [date(number // 12, number % 12 + 1, 1) for number in numbers]


def csv_text(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(FORMULA_SIGNS) else text


def read_reference(reference: str) -> str:
    """Return what somebody else calls a payment, in its plain form.

    Raises:
        ValueError: nothing is left of it.
    """
    plain = plain_reference(reference)
    if not plain:
        raise ValueError("This name has no letter and no digit")
    return plain
