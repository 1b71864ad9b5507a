"""A transaction and its legal moves, as pure functions: each returns the transaction that follows.

Paid is final. Declined and abandoned are not: the same checkout may be tried again.
Source: the provider's status list (payments documentation, transaction statuses).
"""

from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from typing import Any

from api.sandbox.paystack.cards import CardStep, TestCard

FEE_RATE_PER_MILLE = 15
FLAT_FEE_KOBO = 10_000
FLAT_FEE_FROM_KOBO = 250_000
FEE_CAP_KOBO = 200_000


class TransactionStatus(StrEnum):
    """The provider's words; a transaction is born ``abandoned``."""

    ABANDONED = "abandoned"
    ONGOING = "ongoing"
    PENDING = "pending"
    FAILED = "failed"
    SUCCESS = "success"
    REVERSED = "reversed"


class Channel(StrEnum):
    """How a transaction was paid."""

    CARD = "card"
    BANK_TRANSFER = "bank_transfer"
    APPLE_PAY = "apple_pay"


FINAL = frozenset({TransactionStatus.SUCCESS, TransactionStatus.REVERSED})


@dataclass(frozen=True, slots=True, kw_only=True)
class GatewayTransaction:
    """One attempt to be paid.

    Attributes:
        card_name: Which published card is being charged; its number is never kept.
        step: What the card waits for, or None.
        history: What happened, oldest first, as the provider's log shows it.
        client_log: What the browser's library reported about itself.
    """

    id: int
    reference: str
    access_code: str
    email: str
    amount_kobo: int
    currency: str
    created_at: datetime
    expires_at: datetime
    callback_url: str | None = None
    metadata: dict[str, Any] | None = None
    channels: tuple[str, ...] = (Channel.CARD, Channel.BANK_TRANSFER, Channel.APPLE_PAY)
    status: TransactionStatus = TransactionStatus.ABANDONED
    channel: Channel | None = None
    gateway_response: str | None = None
    paid_at: datetime | None = None
    card_name: str | None = None
    step: CardStep | None = None
    attempts: int = 0
    ip_address: str | None = None
    transfer_account: str | None = None
    history: tuple[tuple[str, str], ...] = field(default=())
    client_log: dict[str, Any] | None = None

    @property
    def is_final(self) -> bool:
        """Tell whether nothing can change the outcome any more."""
        return self.status in FINAL

    @property
    def fees_kobo(self) -> int:
        """Return what the provider keeps of a paid transaction."""
        fee = self.amount_kobo * FEE_RATE_PER_MILLE // 1000
        if self.amount_kobo >= FLAT_FEE_FROM_KOBO:
            fee += FLAT_FEE_KOBO
        return min(fee, FEE_CAP_KOBO)

    def open_for_cards(self, now: datetime) -> bool:
        """Tell whether a card may still be charged at ``now``."""
        return not self.is_final and now < self.expires_at


def pay(
    transaction: GatewayTransaction, channel: Channel, now: datetime, words: str
) -> GatewayTransaction:
    """Mark as paid; a transaction that is final already stays as it is."""
    if transaction.is_final:
        return transaction
    return replace(
        transaction,
        status=TransactionStatus.SUCCESS,
        channel=channel,
        gateway_response=words,
        paid_at=now,
        step=None,
        history=(*transaction.history, ("success", f"Successfully paid with {channel}")),
    )


def decline(transaction: GatewayTransaction, words: str) -> GatewayTransaction:
    """Mark this try as failed; another try in the same checkout may still pay."""
    if transaction.is_final:
        return transaction
    return replace(
        transaction,
        status=TransactionStatus.FAILED,
        gateway_response=words,
        step=None,
        history=(*transaction.history, ("error", f"Error: {words}")),
    )


def ask(transaction: GatewayTransaction, card: TestCard, step: CardStep) -> GatewayTransaction:
    """Wait for the payer's answer to ``step``."""
    if transaction.is_final:
        return transaction
    return replace(
        transaction,
        status=TransactionStatus.ONGOING,
        channel=Channel.CARD,
        card_name=card.name,
        step=step,
        history=(*transaction.history, ("auth", f"Authentication required: {step}")),
    )


def begin_card(transaction: GatewayTransaction, card: TestCard) -> GatewayTransaction:
    """Count one more try with ``card``."""
    if transaction.is_final:
        return transaction
    return replace(
        transaction,
        channel=Channel.CARD,
        card_name=card.name,
        step=None,
        attempts=transaction.attempts + 1,
        history=(*transaction.history, ("action", "Attempted to pay with card")),
    )


def begin_transfer(transaction: GatewayTransaction, account_number: str) -> GatewayTransaction:
    """Wait for money on ``account_number``; asking again keeps the account already given."""
    if transaction.is_final:
        return transaction
    return replace(
        transaction,
        status=TransactionStatus.ONGOING,
        channel=Channel.BANK_TRANSFER,
        transfer_account=transaction.transfer_account or account_number,
        step=None,
        history=(*transaction.history, ("action", "Attempted to pay with bank transfer")),
    )


def await_transfer(transaction: GatewayTransaction) -> GatewayTransaction:
    """Take the payer's word that the money is on its way."""
    if transaction.is_final or transaction.transfer_account is None:
        return transaction
    return replace(transaction, status=TransactionStatus.PENDING)


def abandon(transaction: GatewayTransaction) -> GatewayTransaction:
    """Leave the checkout; a payer who said the money is on its way is still waited for."""
    if transaction.is_final or transaction.status is TransactionStatus.PENDING:
        return transaction
    return replace(transaction, status=TransactionStatus.ABANDONED, step=None)
