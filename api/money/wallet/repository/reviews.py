from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from api.foundation.core.money import Kobo
from api.foundation.database.database import Database, Runner, Transaction
from api.foundation.database.statements import Query
from api.money.wallet.enums import ReviewKind, ReviewState
from api.money.wallet.schemas import MoneyMember

INSERT = """
INSERT INTO review_case (id, kind, reasons, user_id, amount_kobo, subject, source, opened_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
"""
READ = """
SELECT r.id, r.kind, r.reasons, r.user_id, u.first_name, u.last_name, r.amount_kobo, r.subject,
       r.source, r.state, r.opened_at, r.decided_at, r.reason,
       o.number AS order_number,
       CASE WHEN r.kind IN ('surplus', 'chargeback_short') THEN f.reference
            ELSE r.subject END AS funding_reference
  FROM review_case r JOIN user_account u ON u.id = r.user_id
  LEFT JOIN shop_order o ON o.id = CASE WHEN r.kind = 'surplus' THEN r.subject::uuid END
  LEFT JOIN chargeback c ON c.id = CASE WHEN r.kind = 'chargeback_short' THEN r.subject::uuid END
  LEFT JOIN funding f ON f.id = c.funding_id
"""
READ_SURPLUS = """
SELECT coalesce(sum(amount_kobo), 0)::bigint FROM review_case
 WHERE user_id = $1 AND state = 'open' AND kind = 'surplus' AND ($2::text IS NULL OR subject = $2)
"""
DECIDE = "UPDATE review_case SET state = $2, decided_at = $3, reason = $4 WHERE id = $1"

CLOSE = """
UPDATE review_case SET state = $2, decided_at = $3, reason = $4
 WHERE source = $1 AND state = 'open'
"""


@dataclass(frozen=True)
class ReviewCaseRow:
    id: UUID
    kind: str
    reasons: list[str]
    user_id: UUID
    first_name: str
    last_name: str
    amount_kobo: Kobo
    subject: str
    source: str
    state: str
    opened_at: datetime
    decided_at: datetime | None
    reason: str | None
    order_number: str | None
    funding_reference: str | None


READ_ONE = Query(READ + " WHERE r.id = $1", ReviewCaseRow)
LOCK = Query(READ + " WHERE r.id = $1 FOR NO KEY UPDATE OF r", ReviewCaseRow)
LIST = Query(
    READ
    + """
 WHERE ($1::text IS NULL OR r.state = $1) AND ($2::uuid IS NULL OR r.id < $2)
 ORDER BY r.id DESC LIMIT $3
""",
    ReviewCaseRow,
)
LIST_MEMBERS = Query(
    "SELECT id, first_name, last_name FROM user_account WHERE id = ANY ($1::uuid[])", MoneyMember
)


@dataclass(frozen=True)
class NewReview:
    """A new review case: its member, its subject, and the reference it is credited under."""

    id: UUID
    reasons: Sequence[ReviewKind]
    user_id: UUID
    amount_kobo: int
    subject: str
    source: str
    opened_at: datetime


async def insert_review(tx: Transaction, review: NewReview) -> None:
    await tx.execute(
        INSERT,
        review.id,
        review.reasons[0].value,
        [reason.value for reason in review.reasons],
        review.user_id,
        review.amount_kobo,
        review.subject,
        review.source,
        review.opened_at,
    )


async def list_reviews(
    database: Database, state: ReviewState | None, before: UUID | None, limit: int
) -> Sequence[ReviewCaseRow]:
    """Return up to ``limit`` cases, newest first."""
    return await database.fetch_rows(LIST, state and state.value, before, limit)


async def read_review(database: Database, review_id: UUID) -> ReviewCaseRow | None:
    return await database.fetch_row(READ_ONE, review_id)


async def list_members(runner: Runner, ids: Sequence[UUID]) -> Sequence[MoneyMember]:
    """Return those of these accounts that exist."""
    return await runner.fetch_rows(LIST_MEMBERS, list(ids))


async def count_open(database: Database) -> int:
    return int(await database.fetch_value("SELECT count(*) FROM review_case WHERE state = 'open'"))


async def read_surplus(runner: Runner, user_id: UUID, subject: str | None) -> int:
    """Return how much of a member's bank transfers, of one order or all, is under review, kobo."""
    return int(await runner.fetch_value(READ_SURPLUS, user_id, subject))


async def lock_review(tx: Transaction, review_id: UUID) -> ReviewCaseRow | None:
    return await tx.fetch_row(LOCK, review_id)


async def list_owners(tx: Transaction, review_id: UUID) -> list[UUID]:
    """Return the owner of a case; empty if there is no such case."""
    owner = await tx.fetch_value("SELECT user_id FROM review_case WHERE id = $1", review_id)
    return [] if owner is None else [owner]


async def change_decided(
    tx: Transaction, review_id: UUID, state: ReviewState, now: datetime, reason: str
) -> None:
    await tx.execute(DECIDE, review_id, state.value, now, reason)


async def close_review(
    tx: Transaction, source: str, state: ReviewState, now: datetime, reason: str
) -> None:
    """Store the outcome of the open case of this source, if there is one."""
    await tx.execute(CLOSE, source, state.value, now, reason)
