from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy import case, exists, select, update
from sqlalchemy.dialects.postgresql import insert

from api.foundation.core.ids import new_id
from api.foundation.core.money import Kobo
from api.foundation.database.database import Database, Runner, Transaction
from api.foundation.database.locks import AdvisoryLock
from api.foundation.database.statements import Query
from api.money.payments.enums import FundingState
from api.money.payments.models import Funding

CLAIM_QUESTION = """
UPDATE funding SET asked_at = $3
 WHERE reference = $1 AND (asked_at IS NULL OR asked_at <= $3::timestamptz - $2::interval)
RETURNING reference
"""
CLAIM_NOTICE = """
UPDATE funding SET notified_at = $2 WHERE reference = $1 AND notified_at IS NULL
RETURNING reference
"""
READ_USED = """
SELECT coalesce(sum(amount_kobo), 0)::bigint AS used_kobo FROM funding
 WHERE user_id = $1
   AND ((state = 'succeeded' AND decided_at >= $2)
        OR (state IN ('prepared', 'pending', 'failed') AND cancelled_at IS NULL
            AND created_at > $3))
"""
LOCK_MEMBER = "SELECT pg_advisory_xact_lock(hashtextextended('funding:' || $1, $2))"
LOCK_MEMBER_OF = """
SELECT pg_advisory_xact_lock(hashtextextended('funding:' || user_id, $3))
  FROM funding WHERE gateway = $1 AND reference = $2
"""
LOCK_TRANSACTION = "SELECT pg_advisory_xact_lock(hashtextextended($1, $2))"


@dataclass(frozen=True)
class StoredFunding:
    """A funding, as far as its settlement needs it."""

    id: UUID
    reference: str
    user_id: UUID
    gateway: str
    amount_kobo: Kobo
    currency: str
    state: str
    created_at: datetime
    notified_at: datetime | None
    cancelled_at: datetime | None


READ_FUNDING = Query(
    """
SELECT id, reference, user_id, gateway, amount_kobo, currency, state, created_at, notified_at,
       cancelled_at
  FROM funding WHERE reference = $1
""",
    StoredFunding,
)
COLUMNS = (
    Funding.id,
    Funding.reference,
    Funding.user_id,
    Funding.gateway,
    Funding.amount_kobo,
    Funding.currency,
    Funding.state,
    Funding.created_at,
    Funding.notified_at,
    Funding.cancelled_at,
)


@dataclass(frozen=True)
class NamedFunding:
    id: UUID
    reference: str


LIST_BY_REFERENCE = Query(
    "SELECT id, reference FROM funding WHERE reference = ANY ($1)", NamedFunding
)


@dataclass(frozen=True)
class FundingNotice:
    reference: str
    user_id: UUID
    amount_kobo: Kobo
    state: str


CLAIM_NOTICES = Query(
    """
UPDATE funding SET notified_at = $2
 WHERE user_id = $1 AND notified_at IS NULL
   AND decided_at > $2::timestamptz - interval '24 hours'
RETURNING reference, user_id, amount_kobo, state
""",
    FundingNotice,
)


@dataclass(frozen=True)
class FundingOpening:
    reference: str
    opening_until: datetime


@dataclass(frozen=True)
class NewFunding:
    reference: str
    user_id: UUID
    gateway: str
    amount_kobo: Kobo
    currency: str
    idempotency_key: str | None
    opening_until: datetime
    created_at: datetime
    next_check_at: datetime | None


async def lock_member(tx: Transaction, user_id: UUID) -> None:
    """Serialize the transactions that count and change what a member funds today."""
    await tx.execute(LOCK_MEMBER, str(user_id), AdvisoryLock.SPELLED_OUT)


async def lock_member_of(tx: Transaction, gateway: str, reference: str) -> None:
    """Same as ``lock_member``, for the member of a funding, which must not be locked yet."""
    await tx.execute(LOCK_MEMBER_OF, gateway, reference, AdvisoryLock.SPELLED_OUT)


async def read_used_kobo(
    runner: Runner, user_id: UUID, since: datetime, open_since: datetime
) -> int:
    """Return what was credited to a member after ``since``, or is open at the provider.

    A checkout is open if it was created after ``open_since`` and not cancelled. The sum is exact
    only under ``lock_member``, within its transaction.
    """
    return int(await runner.fetch_value(READ_USED, user_id, since, open_since))


async def lock_opening(tx: Transaction, user_id: UUID, key: str) -> FundingOpening | None:
    """Lock and return the newest funding whose checkout a keyed request is opening, or None."""
    statement = (
        select(Funding.reference, Funding.opening_until)
        .where(
            Funding.user_id == user_id,
            Funding.idempotency_key == key,
            Funding.opening_until.is_not(None),
        )
        .order_by(Funding.id.desc())
        .limit(1)
        .with_for_update()
    )
    return await tx.fetch_row(Query(statement, FundingOpening))


async def insert_funding(tx: Transaction, funding: NewFunding) -> None:
    await tx.execute(
        insert(Funding).values(
            id=new_id(),
            reference=funding.reference,
            user_id=funding.user_id,
            gateway=funding.gateway,
            amount_kobo=funding.amount_kobo,
            currency=funding.currency,
            state=FundingState.PREPARED,
            idempotency_key=funding.idempotency_key,
            opening_until=funding.opening_until,
            created_at=funding.created_at,
            next_check_at=funding.next_check_at,
        )
    )


async def change_opened(tx: Transaction, reference: str) -> None:
    """Record that the provider has opened the checkout."""
    await tx.execute(
        update(Funding).where(Funding.reference == reference).values(opening_until=None)
    )


async def change_unopened(tx: Transaction, reference: str) -> None:
    """Expire a funding whose checkout was never shown to its member, and free its key."""
    is_untouched = Funding.state == FundingState.PREPARED
    await tx.execute(
        update(Funding)
        .where(Funding.reference == reference)
        .values(
            state=case((is_untouched, FundingState.EXPIRED), else_=Funding.state),
            next_check_at=case((is_untouched, None), else_=Funding.next_check_at),
            idempotency_key=None,
            opening_until=None,
        )
    )


async def read_funding(database: Database, reference: str) -> StoredFunding | None:
    return await database.fetch_row(READ_FUNDING, reference)


async def lock_funding(tx: Transaction, gateway: str, reference: str) -> StoredFunding | None:
    """Lock and return a funding's row, or None; the lock orders everything that decides it."""
    statement = (
        select(*COLUMNS)
        .where(Funding.gateway == gateway, Funding.reference == reference)
        .with_for_update()
    )
    return await tx.fetch_row(Query(statement, StoredFunding))


async def lock_own_funding(tx: Transaction, user_id: UUID, reference: str) -> StoredFunding | None:
    statement = (
        select(*COLUMNS)
        .where(Funding.user_id == user_id, Funding.reference == reference)
        .with_for_update()
    )
    return await tx.fetch_row(Query(statement, StoredFunding))


async def is_transaction_known(
    tx: Transaction, gateway: str, gateway_transaction_id: str, *, except_reference: str
) -> bool:
    """Return whether another funding was decided by this transaction; stable until commit.

    Without the lock, two concurrent fundings could both find it unknown.
    """
    key = f"transaction:{gateway}:{gateway_transaction_id}"
    await tx.execute(LOCK_TRANSACTION, key, AdvisoryLock.SPELLED_OUT)
    statement = select(
        exists().where(
            Funding.gateway == gateway,
            Funding.gateway_transaction_id == gateway_transaction_id,
            Funding.reference != except_reference,
        )
    )
    return bool(await tx.fetch_value(statement))


async def change_cancelled(tx: Transaction, reference: str, now: datetime) -> None:
    """Record that the member closed the checkout; the first time is kept."""
    await tx.execute(
        update(Funding)
        .where(Funding.reference == reference, Funding.cancelled_at.is_(None))
        .values(cancelled_at=now)
    )


async def change_state(tx: Transaction, reference: str, state: FundingState) -> None:
    """Move an undecided funding to another undecided state, or expire it."""
    await tx.execute(update(Funding).where(Funding.reference == reference).values(state=state))


async def change_decided(
    tx: Transaction,
    reference: str,
    state: FundingState,
    *,
    reason: str | None,
    gateway_transaction_id: str | None,
    now: datetime,
) -> None:
    await tx.execute(
        update(Funding)
        .where(Funding.reference == reference)
        .values(
            state=state,
            review_reason=reason,
            gateway_transaction_id=gateway_transaction_id,
            decided_at=now,
            next_check_at=None,
        )
    )


async def claim_question(
    database: Database, reference: str, pause: timedelta, now: datetime
) -> bool:
    """Return whether the provider may be asked now; True at most once per ``pause``."""
    return await database.fetch_value(CLAIM_QUESTION, reference, pause, now) is not None


async def claim_notice(database: Database, reference: str, now: datetime) -> bool:
    """Return whether the member is still to be notified; True once."""
    return await database.fetch_value(CLAIM_NOTICE, reference, now) is not None


async def claim_notices(
    database: Database, user_id: UUID, now: datetime
) -> Sequence[FundingNotice]:
    """Return the unannounced decisions of a member's last day; each row once."""
    return await database.fetch_rows(CLAIM_NOTICES, user_id, now)


async def list_by_reference(
    database: Database, references: Sequence[str]
) -> Sequence[NamedFunding]:
    """Return those of these fundings that exist."""
    return await database.fetch_rows(LIST_BY_REFERENCE, references)
