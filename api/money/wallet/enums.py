from enum import StrEnum


class AccountType(StrEnum):
    """The holder of an account: a member's wallet, or one of the company's accounts."""

    WALLET = "wallet"
    GATEWAY = "gateway"
    BANK = "bank"
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
    DEBT_REPAYMENT = "debt_repayment"
    ADJUST = "adjust"


class ReceiptKind(StrEnum):
    """What a receipt is for."""

    ORDER = "order"
    FUNDING = "funding"
    SUBSCRIPTION = "subscription"
    REFUND = "refund"


class AdjustmentCategory(StrEnum):
    """Why an operator changes a wallet; ``test`` is refused in production."""

    GOODWILL = "goodwill"
    CORRECTION = "correction"
    PRIZE_VOUCHER = "prize-voucher"
    TEST = "test"


class CreditKind(StrEnum):
    """An operator's action; all but gifts eventually change a wallet's balance."""

    ADJUSTMENT = "adjustment"
    GIFT = "gift"
    REVIEW_CASE = "review_case"
    REFUND = "refund"
    CANCELLATION = "cancellation"
    TRANSFER = "transfer"

    @property
    def is_refund(self) -> bool:
        """Whether the limits of refunds apply instead of those of credits."""
        return self in {CreditKind.REFUND, CreditKind.CANCELLATION}


class ReviewKind(StrEnum):
    """Why money is held for review.

    The provider's data does not match the funding, or the day's limit is reached; the money is of
    the other mode (test or live), or paid for another funding already; an order was overpaid, or a
    wallet did not hold what was charged back (contract B-98).
    """

    AMOUNT = "amount"
    CURRENCY = "currency"
    MEMBER = "member"
    DAILY_LIMIT = "daily_limit"
    MODE = "mode"
    TRANSACTION = "transaction"
    SURPLUS = "surplus"
    CHARGEBACK_SHORT = "chargeback_short"


class PaymentMode(StrEnum):
    """Whether a provider moved real money."""

    LIVE = "live"
    TEST = "test"


class ReviewState(StrEnum):
    """The state of a review case."""

    OPEN = "open"
    ACCEPTED = "accepted"
    REFUSED = "refused"
