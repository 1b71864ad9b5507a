from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import insert

from api.foundation.core.ids import new_id
from api.foundation.database.database import Transaction
from api.foundation.database.locks import AdvisoryLock
from api.foundation.database.statements import Query
from api.money.wallet.enums import CreditKind
from api.money.wallet.models import OperatorCredit

LOCK_DAY = "SELECT pg_advisory_xact_lock(hashtextextended($1, $2))"


@dataclass(frozen=True)
class CreditSums:
    credited: int
    refunded: int
    confirmed: int


# Once its order has ended, a transfer counts with everything the wallet received of it. What is
# returned of an order that the club cancelled is a refund, and counts as one.
READ_DAY = Query(
    """
SELECT coalesce(sum(CASE WHEN c.kind IN ('refund', 'cancellation') THEN 0
                         WHEN o.status IN ('cancelled', 'expired') AND NOT EXISTS (
                              SELECT FROM refund_case f WHERE f.order_id = o.id AND f.is_owed)
                          AND NOT EXISTS (
                              SELECT FROM operator_credit k
                               WHERE k.kind = 'cancellation' AND k.document_id = o.id)
                         THEN greatest(c.counted_kobo, r.credited_kobo)
                         ELSE c.counted_kobo END), 0)::bigint AS credited,
       coalesce(sum(c.counted_kobo) FILTER (
         WHERE c.kind IN ('refund', 'cancellation')), 0)::bigint AS refunded,
       coalesce(sum(c.confirmed_kobo), 0)::bigint AS confirmed
  FROM operator_credit c
  LEFT JOIN bank_receipt r ON c.kind = 'transfer' AND r.id = c.document_id
  LEFT JOIN shop_order o ON o.id = r.order_id
 WHERE c.initiator_id = $1 AND c.created_at >= $2 AND c.approval_id IS NULL
""",
    CreditSums,
)


@dataclass(frozen=True)
class NewCredit:
    """An operator credit: its member, document and ledger reference, in kobo.

    ``amount_kobo`` is negative where money is taken out; ``counted_kobo`` never is.
    """

    kind: CreditKind
    user_id: UUID
    document_id: UUID
    reference: str
    amount_kobo: int
    counted_kobo: int
    confirmed_kobo: int = 0


async def lock_day(tx: Transaction, operator_id: UUID, since: datetime) -> CreditSums:
    """Return how many kobo an operator has credited, refunded and confirmed alone since a moment.

    Locks the operator's day until commit.
    """
    await tx.execute(LOCK_DAY, str(operator_id), AdvisoryLock.CREDITS_OF_OPERATOR)
    row = await tx.fetch_row(READ_DAY, operator_id, since)
    assert row is not None  # noqa: S101 sums are always one row
    return row


async def insert_credit(
    tx: Transaction,
    credit: NewCredit,
    initiator_id: UUID | None,
    approval_id: UUID | None,
    limits_kobo: tuple[int, int, int],
    now: datetime,
) -> None:
    """Insert a credit with its initiator and the limits that applied.

    ``limits_kobo`` are those of one credit, of a day, and of a day's confirmed transfers. Without
    an initiator the credit counts as imported.
    """
    limit, day_limit, confirm_limit = limits_kobo
    values = vars(credit) | {
        "id": new_id(),
        "kind": credit.kind.value,
        "initiator_id": initiator_id,
        "approval_id": approval_id,
        "limit_kobo": limit,
        "day_limit_kobo": day_limit,
        "confirm_limit_kobo": confirm_limit,
        "is_imported": initiator_id is None,
        "created_at": now,
    }
    await tx.execute(insert(OperatorCredit).values(**values))
