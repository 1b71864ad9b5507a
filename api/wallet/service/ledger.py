"""The ledger's rules: what a wallet holds, and the ways money moves."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from uuid import UUID

from api.core.ids import new_id
from api.core.money import Kobo
from api.database.database import Database, Runner, Transaction
from api.database.errors import DatabaseRefusal, translated_errors
from api.notifications.enums import NotificationCause, NotificationKind
from api.notifications.service import notify
from api.wallet import repository
from api.wallet.enums import TransferKind
from api.wallet.errors import (
    IllegalTransferError,
    InsufficientFundsError,
    ReferenceReusedError,
)


async def balance(database: Database, user_id: UUID) -> Kobo:
    """Return what a member's wallet holds."""
    return Kobo(await repository.read_balance(database, user_id))


async def debt(database: Runner, user_id: UUID) -> Kobo:
    """Return what a member still owes; the next credits of the wallet repay it."""
    return Kobo(await repository.read_debt(database, user_id))


async def holdings(database: Database, user_id: UUID) -> tuple[Kobo, Kobo]:
    """Return what a member's wallet holds, and what they still owe."""
    held, owed = await repository.read_holdings(database, user_id)
    return Kobo(held), Kobo(owed)


async def lock_balance(tx: Transaction, user_id: UUID) -> Kobo:
    """Return what a wallet holds, and let nobody change that before the transaction ends.

    What the transaction credited so far has repaid debts by then.
    A wallet that does not exist yet is not locked: hold the member's record against that.
    """
    return Kobo(await repository.lock_balance(tx, user_id))


async def credit(
    tx: Transaction, user_id: UUID, amount_kobo: Kobo, *, kind: TransferKind, reference: str
) -> bool:
    """Move money into a wallet; False, and nothing changes, when the reference was used.

    Raises:
        ReferenceReusedError: the reference names a transfer with other content.
        IllegalTransferError: ``kind`` is no way into a wallet.
    """
    transfer = repository.WalletTransfer(new_id(), user_id, kind, reference, amount_kobo)
    with refusals():
        _, posted = await repository.post_transfer(tx, transfer)
    return posted


async def notify_credited(
    tx: Transaction,
    user_id: UUID,
    amount_kobo: Kobo,
    subject: object,
    now: datetime,
    **facts: str,
) -> None:
    """Notify a member of what has just been credited, and of what of it repaid debts.

    Debts are repaid by then.
    """
    owed = await debt(tx, user_id)
    if owed:
        await lock_balance(tx, user_id)
        left = await debt(tx, user_id)
        cause = NotificationCause.DEBT_REPAID
        repaid: dict[str, str | int] = {
            "cause": cause.value,
            "repaid_kobo": owed - left,
            "owed_kobo": left,
        }
    else:
        repaid = {}
    kind = NotificationKind.WALLET_CREDITED
    await notify(tx, user_id, kind, subject, now, amount_kobo=amount_kobo, **facts, **repaid)


async def debit(
    tx: Transaction, user_id: UUID, amount_kobo: Kobo, *, kind: TransferKind, reference: str
) -> UUID:
    """Move money out of a wallet; return the transfer, the first one when repeated.

    Raises:
        InsufficientFundsError: the wallet does not hold ``amount_kobo``.
        ReferenceReusedError: the reference names a transfer with other content.
    """
    transfer = repository.WalletTransfer(new_id(), user_id, kind, reference, -amount_kobo)
    with refusals():
        transfer_id, _ = await repository.post_transfer(tx, transfer)
    return transfer_id


async def refunded(database: Runner, transfer_id: UUID) -> Kobo:
    """Return how much of a payment was given back already."""
    return Kobo(await repository.read_refunded(database, transfer_id))


async def refund(
    tx: Transaction, user_id: UUID, amount_kobo: Kobo, *, reverses: UUID, reference: str
) -> bool:
    """Give back part or all of a purchase or subscription; False when the reference was used.

    Raises:
        IllegalTransferError: not the member's own payment, or more than is left of it.
    """
    transfer = repository.WalletTransfer(
        new_id(), user_id, TransferKind.REFUND, reference, amount_kobo, reverses
    )
    with refusals():
        _, posted = await repository.post_transfer(tx, transfer)
    return posted


@contextmanager
def refusals() -> Iterator[None]:
    """Turn the ledger's own refusals into this domain's errors, also for callers of its SQL."""
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
