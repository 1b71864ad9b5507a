"""The provider: the state changes of transactions, independent of the calls."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from api.dev.sandbox.paystack import state, wire
from api.dev.sandbox.paystack.cards import CardStep, TestCard, card_named
from api.dev.sandbox.paystack.config import SandboxConfig
from api.dev.sandbox.paystack.state import Channel, GatewayTransaction, TransactionStatus
from api.dev.sandbox.paystack.webhooks import WebhookSender

ACCESS_CODE_ALPHABET = "abcdefghijklmnopqrstuvwxyz0123456789"


@dataclass(frozen=True, slots=True, kw_only=True)
class PaymentRequest:
    """A merchant's payment request, already validated."""

    email: str
    amount_kobo: int
    currency: str
    reference: str
    callback_url: str | None
    metadata: dict[str, Any] | None
    channels: tuple[str, ...] | None


class Provider:
    """Changes transactions, and notifies the merchant when one is paid."""

    def __init__(self, config: SandboxConfig) -> None:
        """Store ``config``; nothing is opened yet."""
        self.config = config
        self.store = config.store
        self.webhooks = WebhookSender(config)

    def open(self, order: PaymentRequest) -> GatewayTransaction | None:
        """Start a transaction; return None if its reference is already used."""
        now = self.config.clock()
        transaction = GatewayTransaction(
            id=4_000_000_000 + secrets.randbelow(5_000_000_000),
            reference=order.reference,
            access_code="".join(secrets.choice(ACCESS_CODE_ALPHABET) for _ in range(15)),
            email=order.email,
            amount_kobo=order.amount_kobo,
            currency=order.currency,
            created_at=now,
            expires_at=now + self.config.session_life,
            callback_url=order.callback_url,
            metadata=order.metadata,
        )
        if order.channels:
            transaction = replace(transaction, channels=order.channels)
        return transaction if self.store.insert(transaction) else None

    def charge(self, transaction: GatewayTransaction, card: TestCard) -> GatewayTransaction:
        """Charge a card: it pays, is declined, or requires its first step."""

        def move(current: GatewayTransaction) -> GatewayTransaction:
            started = state.begin_card(current, card)
            if card.steps:
                return state.ask(started, card, card.steps[0])
            return self._conclude(started, card)

        return self._change(transaction.id, move)

    def answer_step(
        self, transaction: GatewayTransaction, step: CardStep, answer: str
    ) -> GatewayTransaction:
        """Apply the payer's answer to the current step of a transaction.

        Does nothing if the transaction waits for another step.
        """

        def move(current: GatewayTransaction) -> GatewayTransaction:
            if current.step is not step or current.card_name is None:
                return current
            card = card_named(current.card_name)
            if not card.accepts(step, answer):
                return state.decline(current, wire.WRONG_ANSWER[step])
            following = card.step_after(step)
            if following is not None:
                return state.ask(current, card, following)
            return self._conclude(current, card)

        return self._change(transaction.id, move)

    def pay_with_wallet(self, transaction: GatewayTransaction) -> GatewayTransaction:
        """Pay with the phone's wallet, which has already asked its owner."""
        now = self.config.clock()
        return self._change(
            transaction.id, lambda each: state.pay(each, Channel.APPLE_PAY, now, "Approved")
        )

    def begin_transfer(self, transaction: GatewayTransaction) -> GatewayTransaction:
        """Assign an account number and wait for the money."""
        account_number = f"99{secrets.randbelow(100_000_000):08d}"
        return self._change(transaction.id, lambda each: state.begin_transfer(each, account_number))

    def receive_transfer(
        self, transaction: GatewayTransaction, amount_kobo: int
    ) -> GatewayTransaction:
        """Receive money on the transaction's account, even long after its checkout has expired.

        A wrong amount is returned, and reported to the merchant as ``bank.transfer.rejected``.
        """
        if amount_kobo != transaction.amount_kobo:
            self.webhooks.dispatch(
                "bank.transfer.rejected",
                transaction.reference,
                wire.rejected_transfer(transaction, amount_kobo),
            )
            return transaction
        now = self.config.clock()
        return self._change(
            transaction.id, lambda each: state.pay(each, Channel.BANK_TRANSFER, now, "Approved")
        )

    def change(
        self,
        transaction: GatewayTransaction,
        move: Callable[[GatewayTransaction], GatewayTransaction],
    ) -> None:
        """Apply a move that never pays."""
        self.store.change(transaction.id, move)

    def _conclude(self, transaction: GatewayTransaction, card: TestCard) -> GatewayTransaction:
        if card.refusal is not None:
            return state.decline(transaction, card.refusal)
        return state.pay(transaction, Channel.CARD, self.config.clock(), "Approved")

    def _change(
        self, transaction_id: int, move: Callable[[GatewayTransaction], GatewayTransaction]
    ) -> GatewayTransaction:
        """Apply ``move``; sends the webhook if the move makes the transaction paid."""
        before, after = self.store.change(transaction_id, move)
        newly_paid = not before.is_final and after.status is TransactionStatus.SUCCESS
        if newly_paid:
            self.webhooks.dispatch(
                "charge.success", after.reference, wire.verified(after, self.config)
            )
        return after
