"""Words of the ledger."""

from enum import StrEnum


class AccountType(StrEnum):
    """Who holds the money: a member's wallet, or one of the company's accounts."""

    WALLET = "wallet"
    GATEWAY = "gateway"
    SALES = "sales"
    SUBSCRIPTIONS = "subscriptions"
    ADJUSTMENTS = "adjustments"


class TransferKind(StrEnum):
    """Why money moved; each kind has one legal flow (``LEGAL_FLOW`` in models)."""

    FUND = "fund"
    PURCHASE = "purchase"
    SUBSCRIPTION = "subscription"
    REFUND = "refund"
    CHARGEBACK = "chargeback"
    ADJUST = "adjust"
