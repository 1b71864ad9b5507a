"""A transaction and its legal moves, as pure functions: each returns the next transaction.

Paid is final. Declined and abandoned are not: the same checkout may be tried again.
Source: the provider's status list (payments documentation, transaction statuses).
"""

from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from typing import Any

from api.dev.sandbox.paystack.cards import CardStep, TestCard

FEE_RATE_PER_MILLE = 15
FLAT_FEE_KOBO = 10_000
FLAT_FEE_FROM_KOBO = 250_000
FEE_CAP_KOBO = 200_000


class TransactionStatus(StrEnum):
    """The provider's statuses; a new transaction is ``abandoned``."""

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
        card_name: The published card being charged; its number is never stored.
        step: What the card waits for, or None.
        history: The events, oldest first, as in the provider's log.
        client_log: The log that the browser's library sends.
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
        """Whether the outcome can no longer change."""
        return self.status in FINAL

    @property
    def fees_kobo(self) -> int:
        """The provider's fee for a paid transaction."""
        fee = self.amount_kobo * FEE_RATE_PER_MILLE // 1000
        if self.amount_kobo >= FLAT_FEE_FROM_KOBO:
            fee += FLAT_FEE_KOBO
        return min(fee, FEE_CAP_KOBO)

    def open_for_cards(self, now: datetime) -> bool:
        """Return whether a card may still be charged at ``now``."""
        return not self.is_final and now < self.expires_at


def pay(
    transaction: GatewayTransaction, channel: Channel, now: datetime, words: str
) -> GatewayTransaction:
    """Mark as paid; a final transaction is unchanged."""
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
    """Mark this attempt as failed; another one in the same checkout may still pay."""
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
    """Count one more attempt with ``card``."""
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
    """Wait for money on ``account_number``; a repeated call keeps the assigned account."""
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
    """Record that the payer says the money is on its way."""
    if transaction.is_final or transaction.transfer_account is None:
        return transaction
    return replace(transaction, status=TransactionStatus.PENDING)


def abandon(transaction: GatewayTransaction) -> GatewayTransaction:
    """Leave the checkout; an announced transfer is still awaited."""
    if transaction.is_final or transaction.status is TransactionStatus.PENDING:
        return transaction
    return replace(transaction, status=TransactionStatus.ABANDONED, step=None)
