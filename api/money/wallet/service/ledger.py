"""The ledger: balances, debts, and every kind of transfer."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from uuid import UUID

from api.foundation.core.ids import new_id
from api.foundation.core.money import Kobo
from api.foundation.database.database import Database, Runner, Transaction
from api.foundation.database.errors import DatabaseRefusal, translated_errors
from api.messaging.notifications.enums import NotificationCause, NotificationKind
from api.messaging.notifications.service import notify
from api.money.wallet.enums import TransferKind
from api.money.wallet.errors import (
    IllegalTransferError,
    InsufficientFundsError,
    ReferenceReusedError,
)
from api.money.wallet.repository import ledger


async def balance(database: Database, user_id: UUID) -> Kobo:
    """Return a member's balance."""
    return Kobo(await ledger.read_balance(database, user_id))


async def debt(database: Runner, user_id: UUID) -> Kobo:
    """Return what a member still owes; the next credits of the wallet repay it."""
    return Kobo(await ledger.read_debt(database, user_id))


async def holdings(database: Database, user_id: UUID) -> tuple[Kobo, Kobo]:
    """Return a member's balance and debt."""
    held, owed = await ledger.read_holdings(database, user_id)
    return Kobo(held), Kobo(owed)


async def lock_balance(tx: Transaction, user_id: UUID) -> Kobo:
    """Return a wallet's balance, and lock it until commit.

    The transaction's own credits have repaid debts by then. A wallet that does not exist yet is not
    locked: lock the member's record against that.
    """
    return Kobo(await ledger.lock_balance(tx, user_id))


async def credit(
    tx: Transaction, user_id: UUID, amount_kobo: Kobo, *, kind: TransferKind, reference: str
) -> bool:
    """Credit a wallet; return False, and change nothing, if the reference was used.

    Raises:
        ReferenceReusedError: the reference names a transfer with other content.
        IllegalTransferError: ``kind`` does not credit a wallet.
    """
    transfer = ledger.WalletTransfer(new_id(), user_id, kind, reference, amount_kobo)
    with refusals():
        _, posted = await ledger.post_transfer(tx, transfer)
    return posted


async def notify_credited(
    tx: Transaction,
    user_id: UUID,
    amount_kobo: Kobo,
    subject: object,
    now: datetime,
    **facts: str,
) -> None:
    """Notify a member of a credit, and of the part of it that repaid debts."""
    repaid = await repaid_facts(tx, user_id)
    kind = NotificationKind.WALLET_CREDITED
    await notify(tx, user_id, kind, subject, now, amount_kobo=amount_kobo, **facts, **repaid)


async def repaid_facts(tx: Transaction, user_id: UUID) -> dict[str, str | int]:
    """Repay a wallet's debts with what this transaction has credited; empty without debts.

    Returns what a notification of the credit says about it: the cause, how much was repaid, and
    how much is still owed.
    """
    owed = await debt(tx, user_id)
    if not owed:
        return {}
    await lock_balance(tx, user_id)
    left = await debt(tx, user_id)
    cause = NotificationCause.DEBT_REPAID.value
    return {"cause": cause, "repaid_kobo": owed - left, "owed_kobo": left}


async def debit(
    tx: Transaction, user_id: UUID, amount_kobo: Kobo, *, kind: TransferKind, reference: str
) -> UUID:
    """Debit a wallet; return the transfer, or the original one if the reference was used.

    Raises:
        ReferenceReusedError: the reference names a transfer with other content.
    """
    transfer = ledger.WalletTransfer(new_id(), user_id, kind, reference, -amount_kobo)
    with refusals():
        transfer_id, _ = await ledger.post_transfer(tx, transfer)
    return transfer_id


async def refunded(database: Runner, transfer_id: UUID) -> Kobo:
    """Return how much of a payment is already refunded."""
    return Kobo(await ledger.read_refunded(database, transfer_id))


async def refund(
    tx: Transaction, user_id: UUID, amount_kobo: Kobo, *, reverses: UUID, reference: str
) -> bool:
    """Refund all or part of a purchase or subscription; False if the reference was used.

    Raises:
        IllegalTransferError: not the member's own payment, or more than is left of it.
    """
    transfer = ledger.WalletTransfer(
        new_id(), user_id, TransferKind.REFUND, reference, amount_kobo, reverses
    )
    with refusals():
        _, posted = await ledger.post_transfer(tx, transfer)
    return posted


@contextmanager
def refusals() -> Iterator[None]:
    """Translate the ledger's SQL errors into this domain's, also for callers of its SQL."""
    try:
        with translated_errors():
            yield
    except DatabaseRefusal as refusal:
        if refusal.code == "KF402":
            raise InsufficientFundsError.short_of(
                needed_kobo=refusal.detail["needed"], held_kobo=refusal.detail["held"]
            ) from refusal
        if refusal.code == "KF409":
            raise ReferenceReusedError from refusal
        if refusal.code == "KF410":
            raise IllegalTransferError from refusal
        raise
