"""SQL of the ledger. Only the function ``post_wallet_transfer`` writes."""

from dataclasses import dataclass
from uuid import UUID

from api.foundation.core.money import Kobo
from api.foundation.database.database import Database, Runner, Transaction
from api.foundation.database.statements import Query
from api.money.wallet.enums import TransferKind

READ_BALANCE = "SELECT balance_kobo FROM ledger_account WHERE owner_id = $1"
READ_DEBT = """
SELECT coalesce(sum(left_kobo), 0)::bigint FROM debt WHERE user_id = $1 AND state = 'open'
"""
LOCK_BALANCE = "SELECT lock_wallet($1)"
READ_REFUNDED = (
    "SELECT coalesce(sum(amount_kobo), 0)::bigint FROM ledger_transfer WHERE reverses_id = $1"
)


@dataclass(frozen=True)
class WalletHoldings:
    balance_kobo: Kobo
    debt_kobo: Kobo


READ_HOLDINGS = Query(
    f"""
SELECT coalesce((SELECT balance_kobo FROM ledger_account WHERE owner_id = $1), 0) AS balance_kobo,
       ({READ_DEBT}) AS debt_kobo
""",  # noqa: S608 our own words
    WalletHoldings,
)


@dataclass(frozen=True)
class PostedTransfer:
    """A transfer; not ``posted`` if its reference was known."""

    transfer_id: UUID
    posted: bool


POST = Query(
    "SELECT transfer_id, posted FROM post_wallet_transfer($1, $2, $3, $4, $5, $6)", PostedTransfer
)


@dataclass(frozen=True)
class WalletTransfer:
    """One movement of one wallet; ``change_kobo`` is negative when money leaves it."""

    id: UUID
    owner_id: UUID
    kind: TransferKind
    reference: str
    change_kobo: int
    reverses_id: UUID | None = None


async def read_balance(database: Database, user_id: UUID) -> int:
    """Return a member's balance in kobo; 0 before the wallet was ever funded."""
    return int(await database.fetch_value(READ_BALANCE, user_id) or 0)


async def read_debt(database: Runner, user_id: UUID) -> int:
    """Return how many kobo a member still owes."""
    return int(await database.fetch_value(READ_DEBT, user_id))


async def read_holdings(database: Database, user_id: UUID) -> tuple[int, int]:
    """Return a member's balance, 0 before the wallet was ever funded, and debt in kobo."""
    row = await database.fetch_row(READ_HOLDINGS, user_id)
    return (0, 0) if row is None else (row.balance_kobo, row.debt_kobo)


async def lock_balance(tx: Transaction, user_id: UUID) -> int:
    """Return a member's balance in kobo, less repaid debts, locked until commit."""
    return int(await tx.fetch_value(LOCK_BALANCE, user_id) or 0)


async def read_refunded(database: Runner, transfer_id: UUID) -> int:
    """Return how many kobo of a payment are already refunded."""
    return int(await database.fetch_value(READ_REFUNDED, transfer_id))


async def post_transfer(tx: Transaction, transfer: WalletTransfer) -> tuple[UUID, bool]:
    """Post a movement; return the transfer's id, and False if the reference was known.

    Raises:
        DatabaseRefusal: ``KF402`` too little money, ``KF409`` the reference names another
            transfer, ``KF410`` no legal flow.
    """
    row = await tx.fetch_row(
        POST,
        transfer.id,
        transfer.owner_id,
        transfer.kind,
        transfer.reference,
        transfer.change_kobo,
        transfer.reverses_id,
    )
    if row is None:
        raise RuntimeError("a transfer returned no row")
    return row.transfer_id, row.posted
