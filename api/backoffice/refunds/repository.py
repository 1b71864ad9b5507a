from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from api.backoffice.refunds.enums import RefundState
from api.foundation.core.money import Kobo
from api.foundation.database.database import Database, Transaction
from api.foundation.database.statements import Query, columns

INSERT = """
INSERT INTO refund_case (id, user_id, order_id, subscription_id, bought, amount_kobo, fee_kobo,
                         restock, ends_plan, reason, state, asked_by, asked_at, is_owed)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'asked', $11, $12, $13)
"""
INSERT_LINES = """
INSERT INTO refund_line (refund_id, line, quantity)
SELECT $1, line, quantity FROM unnest($2::smallint[], $3::smallint[]) AS asked (line, quantity)
"""
DECIDE = """
UPDATE refund_case SET state = $2, decided_by = $3, decided_at = $4, refusal = $5 WHERE id = $1
"""
SENT_KOBO = """
SELECT coalesce(sum(amount_kobo), 0)::bigint FROM refund_case
 WHERE (order_id = $1 OR subscription_id = $1) AND state = 'sent'
"""
REFUSE_OPEN = """
UPDATE refund_case SET state = 'refused', decided_by = $2, decided_at = $3, refusal = $4
 WHERE order_id = $1 AND state = 'asked'
"""
READ_OWED = """
SELECT coalesce(sum(amount_kobo), 0)::bigint FROM refund_case
 WHERE user_id = $1 AND state = 'asked' AND is_owed
"""
READ_OWNER = "SELECT user_id FROM refund_case WHERE id = $1"
COUNT_ASKED = "SELECT count(*) FROM refund_case WHERE state = 'asked'"


@dataclass(frozen=True)
class RefundQuantity:
    line: int
    quantity: int


@dataclass(frozen=True)
class AskedAmount:
    amount_kobo: Kobo
    fee_kobo: Kobo


@dataclass(frozen=True)
class RefundPurchase:
    order_id: UUID | None
    subscription_id: UUID | None

    @property
    def subject_id(self) -> UUID:
        """The id of the order or the plan."""
        subject_id = self.order_id or self.subscription_id
        assert subject_id is not None  # noqa: S101 the table requires one
        return subject_id


@dataclass(frozen=True)
class RefundRow(RefundPurchase):
    id: UUID
    user_id: UUID
    bought: str
    amount_kobo: Kobo
    fee_kobo: Kobo
    restock: bool
    ends_plan: bool
    is_owed: bool
    reason: str
    state: str
    asked_by: UUID | None
    asked_at: datetime
    decided_by: UUID | None
    decided_at: datetime | None
    refusal: str | None


@dataclass(frozen=True)
class MemberRefund(RefundRow):
    first_name: str
    last_name: str
    can_refuse: bool


SHOWN = f"""
SELECT {columns(RefundRow, "c")}, u.first_name, u.last_name,
       c.state = 'asked' AND NOT (c.is_owed AND u.erased_at IS NULL) AS can_refuse
  FROM refund_case c JOIN user_account u ON u.id = c.user_id
"""  # noqa: S608 constants only
ASKED_LINES = Query(
    """
SELECT l.line, sum(l.quantity)::int AS quantity
  FROM refund_case c JOIN refund_line l ON l.refund_id = c.id
 WHERE c.order_id = $1 AND c.state = 'asked' GROUP BY l.line
""",
    RefundQuantity,
)
ASKED_KOBO = Query(
    """
SELECT coalesce(sum(amount_kobo) FILTER (WHERE state = 'asked'), 0)::bigint AS amount_kobo,
       coalesce(sum(fee_kobo) FILTER (WHERE state <> 'refused'), 0)::bigint AS fee_kobo
  FROM refund_case WHERE order_id = $1 OR subscription_id = $1
""",
    AskedAmount,
)
LOCK = Query(
    f"SELECT {columns(RefundRow, 'c')} FROM refund_case c WHERE c.id = $1 FOR NO KEY UPDATE",  # noqa: S608 constants only
    RefundRow,
)
READ_SUBJECT = Query(
    "SELECT order_id, subscription_id FROM refund_case WHERE id = $1", RefundPurchase
)
LIST_LINES = Query("SELECT line, quantity FROM refund_line WHERE refund_id = $1", RefundQuantity)
LIST_OF = Query(f"{SHOWN} WHERE c.user_id = $1 ORDER BY c.id DESC LIMIT $2", MemberRefund)
LIST = Query(
    f"""{SHOWN}
 WHERE ($1::text IS NULL OR c.state = $1) AND ($2::uuid IS NULL OR c.id < $2)
 ORDER BY c.id DESC LIMIT $3
""",
    MemberRefund,
)


@dataclass(frozen=True)
class NewRefund:
    """A refund request; ``lines`` maps an order's lines to quantities."""

    id: UUID
    user_id: UUID
    order_id: UUID | None
    subscription_id: UUID | None
    bought: str
    amount_kobo: int
    reason: str
    asked_by: UUID
    asked_at: datetime
    fee_kobo: int = 0
    restock: bool = False
    ends_plan: bool = False
    is_owed: bool = False
    lines: Mapping[int, int] = field(default_factory=dict)


async def insert_refund(tx: Transaction, refund: NewRefund) -> None:
    await tx.execute(
        INSERT,
        refund.id,
        refund.user_id,
        refund.order_id,
        refund.subscription_id,
        refund.bought,
        refund.amount_kobo,
        refund.fee_kobo,
        refund.restock,
        refund.ends_plan,
        refund.reason,
        refund.asked_by,
        refund.asked_at,
        refund.is_owed,
    )
    await tx.execute(INSERT_LINES, refund.id, list(refund.lines), list(refund.lines.values()))


async def asked_quantities(tx: Transaction, order_id: UUID) -> dict[int, int]:
    """Return how many of each of an order's lines open cases cover."""
    rows = await tx.fetch_rows(ASKED_LINES, order_id)
    return {row.line: row.quantity for row in rows}


async def asked_kobo(tx: Transaction, subject_id: UUID) -> tuple[int, int]:
    """Return the kobo in open cases of an order or a plan, and how much of it is delivery."""
    row = await tx.fetch_row(ASKED_KOBO, subject_id)
    return (0, 0) if row is None else (row.amount_kobo, row.fee_kobo)


async def sent_kobo(tx: Transaction, subject_id: UUID) -> int:
    """Return how much of an order or a plan is already refunded."""
    return int(await tx.fetch_value(SENT_KOBO, subject_id))


async def refuse_open(
    tx: Transaction, order_id: UUID, operator_id: UUID, now: datetime, refusal: str
) -> None:
    """Refuse all open cases of an order, which the caller has locked."""
    await tx.execute(REFUSE_OPEN, order_id, operator_id, now, refusal)


async def read_subject(tx: Transaction, refund_id: UUID) -> RefundPurchase | None:
    """Return the subject of a refund, without a lock."""
    return await tx.fetch_row(READ_SUBJECT, refund_id)


async def list_owners(tx: Transaction, refund_id: UUID) -> list[UUID]:
    """Return the owner of a refund; empty if there is no such refund."""
    owner: UUID | None = await tx.fetch_value(READ_OWNER, refund_id)
    return [] if owner is None else [owner]


async def lock_refund(tx: Transaction, refund_id: UUID) -> RefundRow | None:
    return await tx.fetch_row(LOCK, refund_id)


async def list_lines(tx: Transaction, refund_id: UUID) -> dict[int, int]:
    rows = await tx.fetch_rows(LIST_LINES, refund_id)
    return {row.line: row.quantity for row in rows}


async def decide(
    tx: Transaction,
    refund_id: UUID,
    state: RefundState,
    operator_id: UUID,
    now: datetime,
    refusal: str | None = None,
) -> None:
    """Store the decision on a refund, which the caller has locked."""
    await tx.execute(DECIDE, refund_id, state.value, operator_id, now, refusal)


async def list_refunds(
    database: Database, state: RefundState | None, before: UUID | None, limit: int
) -> Sequence[MemberRefund]:
    """Return refunds, newest first."""
    return await database.fetch_rows(LIST, state and state.value, before, limit)


async def list_refunds_of(database: Database, user_id: UUID, limit: int) -> Sequence[MemberRefund]:
    """Return a member's refunds, newest first."""
    return await database.fetch_rows(LIST_OF, user_id, limit)


async def count_asked(database: Database) -> int:
    return int(await database.fetch_value(COUNT_ASKED))


async def read_owed(tx: Transaction, user_id: UUID) -> int:
    """Return how much a member gets back of orders that the club cancelled, in kobo."""
    return int(await tx.fetch_value(READ_OWED, user_id))
