from collections.abc import Sequence
from dataclasses import astuple, dataclass
from datetime import datetime
from uuid import UUID

from api.foundation.core.money import Kobo
from api.foundation.database.database import Database, Transaction
from api.foundation.database.statements import Query
from api.money.payments.enums import DebtState
from api.money.payments.repository.listing import FundingOwner

READ_GATEWAY = "SELECT gateway FROM funding WHERE reference = $1"
READ_CHARGED_BACK = """
SELECT coalesce(sum(amount_kobo), 0)::bigint FROM chargeback WHERE funding_id = $1
"""
FIND_CASE = "SELECT id FROM chargeback WHERE gateway = $1 AND case_id = $2"
INSERT = """
INSERT INTO chargeback (id, funding_id, gateway, case_id, amount_kobo, taken_kobo, reason,
                        created_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
ON CONFLICT (gateway, case_id) DO NOTHING RETURNING id
"""
INSERT_DEBT = """
INSERT INTO debt (id, user_id, chargeback_id, amount_kobo, left_kobo, opened_at)
VALUES ($1, $2, $3, $4, $4, $5)
"""
READ_DEBTS = """
SELECT d.id, d.user_id, d.chargeback_id, d.amount_kobo, d.left_kobo, d.state, d.opened_at,
       d.settled_at, f.reference, c.case_id, u.first_name, u.last_name
  FROM debt d JOIN chargeback c ON c.id = d.chargeback_id JOIN funding f ON f.id = c.funding_id
  JOIN user_account u ON u.id = d.user_id
"""
READ_DEBTOR = "SELECT user_id FROM debt WHERE id = $1"
CHANGE_DEBT = "UPDATE debt SET left_kobo = $2, state = $3, settled_at = $4 WHERE id = $1"
COUNT_DEBTS = "SELECT count(*) FROM debt WHERE state = 'open'"


@dataclass(frozen=True)
class StoredDebt(FundingOwner):
    id: UUID
    chargeback_id: UUID
    amount_kobo: Kobo
    left_kobo: Kobo
    state: str
    opened_at: datetime
    settled_at: datetime | None
    reference: str
    case_id: str


LOCK_DEBT = Query(READ_DEBTS + " WHERE d.id = $1 FOR NO KEY UPDATE OF d", StoredDebt)
LIST_DEBTS = Query(
    READ_DEBTS
    + """
 WHERE ($1::text IS NULL OR d.state = $1) AND ($2::uuid IS NULL OR d.id < $2)
 ORDER BY d.id DESC LIMIT $3
""",
    StoredDebt,
)


@dataclass(frozen=True)
class NewChargeback:
    """Money that a provider took back, and how much of it the wallet held."""

    id: UUID
    funding_id: UUID
    gateway: str
    case_id: str
    amount_kobo: int
    taken_kobo: int
    reason: str
    created_at: datetime


async def read_gateway(tx: Transaction, reference: str) -> str | None:
    gateway: str | None = await tx.fetch_value(READ_GATEWAY, reference)
    return gateway


async def read_charged_back(tx: Transaction, funding_id: UUID) -> int:
    """Return how much of a funding was charged back; exact only under the funding's lock."""
    return int(await tx.fetch_value(READ_CHARGED_BACK, funding_id))


async def is_case_known(tx: Transaction, gateway: str, case_id: str) -> bool:
    return await tx.fetch_value(FIND_CASE, gateway, case_id) is not None


async def insert_chargeback(tx: Transaction, chargeback: NewChargeback) -> bool:
    """Insert a chargeback; return False, and write nothing, if the case is already known."""
    return await tx.fetch_value(INSERT, *astuple(chargeback)) is not None


async def insert_debt(
    tx: Transaction,
    debt_id: UUID,
    user_id: UUID,
    chargeback_id: UUID,
    amount_kobo: int,
    now: datetime,
) -> None:
    await tx.execute(INSERT_DEBT, debt_id, user_id, chargeback_id, amount_kobo, now)


async def read_debtor(tx: Transaction, debt_id: UUID) -> UUID | None:
    debtor: UUID | None = await tx.fetch_value(READ_DEBTOR, debt_id)
    return debtor


async def lock_debt(tx: Transaction, debt_id: UUID) -> StoredDebt | None:
    return await tx.fetch_row(LOCK_DEBT, debt_id)


async def list_debts(
    database: Database, state: DebtState | None, before: UUID | None, limit: int
) -> Sequence[StoredDebt]:
    """Return up to ``limit`` debts, newest first."""
    return await database.fetch_rows(LIST_DEBTS, state and state.value, before, limit)


async def change_debt(
    tx: Transaction, debt_id: UUID, left_kobo: int, state: DebtState, settled_at: datetime | None
) -> None:
    await tx.execute(CHANGE_DEBT, debt_id, left_kobo, state.value, settled_at)


async def count_open_debts(database: Database) -> int:
    """Count the debts that are not settled."""
    return int(await database.fetch_value(COUNT_DEBTS))
