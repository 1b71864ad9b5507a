"""SQL of payments."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import Row, case, exists, func, select, text, update
from sqlalchemy.dialects.postgresql import insert

from api.core.ids import new_id
from api.core.money import Kobo
from api.database.database import Database, UnitOfWork
from api.payments.enums import FundingState
from api.payments.models import Funding, PaymentEvent

SWEEP_LOCK = 7_226_331_108  # any number, the same in every process that sweeps

READ_FUNDING = """
SELECT id, reference, user_id, gateway, amount_kobo, currency, state, created_at, notified_at,
       cancelled_at
  FROM funding WHERE reference = $1
"""
CLAIM_QUESTION = """
UPDATE funding SET asked_at = now()
 WHERE reference = $1 AND (asked_at IS NULL OR asked_at <= now() - $2::interval)
RETURNING reference
"""
CLAIM_NOTICE = """
UPDATE funding SET notified_at = now() WHERE reference = $1 AND notified_at IS NULL
RETURNING reference
"""
CLAIM_NOTICES = """
UPDATE funding SET notified_at = now()
 WHERE user_id = $1 AND notified_at IS NULL AND decided_at > now() - interval '24 hours'
RETURNING reference, user_id, amount_kobo, state
"""
COUNTED = """
SELECT coalesce(sum(amount_kobo), 0)::bigint AS used_kobo FROM funding
 WHERE user_id = {user_id}
   AND ((state = 'succeeded' AND decided_at >= {since})
        OR (state IN ('prepared', 'pending', 'failed') AND cancelled_at IS NULL
            AND created_at > {open_since}))
"""
READ_USED = COUNTED.format(user_id="$1", since="$2", open_since="$3")
READ_USED_IN_UNIT = text(
    COUNTED.format(user_id=":user_id", since=":since", open_since=":open_since")
)
LOCK_MEMBER = "SELECT pg_advisory_xact_lock(hashtextextended('funding:' || {user_id}, 0))"
LOCK_MEMBER_BY_ID = text(LOCK_MEMBER.format(user_id=":user_id"))
LOCK_MEMBER_OF = text(
    LOCK_MEMBER.format(user_id="user_id")
    + " FROM funding WHERE gateway = :gateway AND reference = :reference"
)
LOCK_TRANSACTION = text("SELECT pg_advisory_xact_lock(hashtextextended(:name, 0))")
HOLD_MEMBER = text("SELECT hold_member(:user_id)")
HOLD_MEMBER_OF = text("SELECT hold_member(user_id) FROM funding WHERE reference = :reference")
# Turns go round among members, and what a member has let go comes last: whoever opens hundreds
# keeps nobody else's lost webhook from being found.
CLAIM_DUE = text("""
UPDATE funding SET next_check_at = now() + interval '5 minutes'
 WHERE next_check_at <= now() AND id IN (
   SELECT id FROM (
     SELECT id, next_check_at, cancelled_at,
            row_number() OVER (PARTITION BY user_id, cancelled_at IS NOT NULL
                               ORDER BY next_check_at) AS turn
       FROM funding
      WHERE state IN ('prepared', 'pending', 'failed') AND next_check_at <= now()
        AND gateway = :gateway) AS due
   ORDER BY cancelled_at IS NOT NULL, turn, next_check_at LIMIT :limit)
RETURNING reference, created_at
""")


@dataclass(frozen=True)
class NewFunding:
    """An intent that is about to be committed."""

    reference: str
    user_id: UUID
    gateway: str
    amount_kobo: Kobo
    currency: str
    idempotency_key: str | None
    opening_until: datetime
    next_check_at: datetime | None


async def lock_member(unit: UnitOfWork, user_id: UUID) -> None:
    """Let one transaction at a time count and change what a member funds today."""
    await unit.connection.execute(LOCK_MEMBER_BY_ID, {"user_id": str(user_id)})


async def lock_member_of(unit: UnitOfWork, gateway: str, reference: str) -> None:
    """Do the same for the member of a funding, which must not be locked yet."""
    await unit.connection.execute(LOCK_MEMBER_OF, {"gateway": gateway, "reference": reference})


async def hold_member(unit: UnitOfWork, user_id: UUID) -> bool:
    """Keep a member from leaving before this transaction ends; False when they have left."""
    held = await unit.connection.execute(HOLD_MEMBER, {"user_id": user_id})
    return bool(held.scalar_one())


async def read_used_kobo(
    database: Database, user_id: UUID, since: datetime, open_since: datetime
) -> int:
    """Return what was credited to a member after ``since``, or is open at the provider.

    A checkout is open for as long as it was begun after ``open_since`` and not cancelled.
    """
    row = await database.fetch_row(READ_USED, user_id, since, open_since)
    return int(row["used_kobo"]) if row is not None else 0


async def read_used_kobo_in_unit(
    unit: UnitOfWork, user_id: UUID, since: datetime, open_since: datetime
) -> int:
    """Return the same inside a transaction, under ``lock_member``."""
    parameters = {"user_id": user_id, "since": since, "open_since": open_since}
    return int((await unit.connection.execute(READ_USED_IN_UNIT, parameters)).scalar_one())


async def lock_opening(
    unit: UnitOfWork, user_id: UUID, key: str
) -> Row[str, datetime | None] | None:
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
    return (await unit.connection.execute(statement)).one_or_none()


async def insert_funding(unit: UnitOfWork, funding: NewFunding) -> None:
    """Keep an intent."""
    await unit.connection.execute(
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
            next_check_at=funding.next_check_at,
        )
    )


async def change_opened(unit: UnitOfWork, reference: str) -> None:
    """Note that the provider has opened the checkout."""
    await unit.connection.execute(
        update(Funding).where(Funding.reference == reference).values(opening_until=None)
    )


async def change_unopened(unit: UnitOfWork, reference: str) -> None:
    """Give up a funding whose checkout nobody was ever told of, and free its key."""
    is_untouched = Funding.state == FundingState.PREPARED
    await unit.connection.execute(
        update(Funding)
        .where(Funding.reference == reference)
        .values(
            state=case((is_untouched, FundingState.EXPIRED), else_=Funding.state),
            next_check_at=case((is_untouched, None), else_=Funding.next_check_at),
            idempotency_key=None,
            opening_until=None,
        )
    )


async def read_funding(database: Database, reference: str) -> Mapping[str, Any] | None:
    """Return a funding's row, or None."""
    return await database.fetch_row(READ_FUNDING, reference)


async def lock_funding(unit: UnitOfWork, gateway: str, reference: str) -> Row[Any] | None:
    """Lock and return a funding's row, or None; the lock orders everything that decides it."""
    statement = (
        select(Funding.__table__)
        .where(Funding.gateway == gateway, Funding.reference == reference)
        .with_for_update()
    )
    return (await unit.connection.execute(statement)).one_or_none()


async def lock_own_funding(unit: UnitOfWork, user_id: UUID, reference: str) -> Row[Any] | None:
    """Lock and return a member's own funding, or None."""
    statement = (
        select(Funding.__table__)
        .where(Funding.user_id == user_id, Funding.reference == reference)
        .with_for_update()
    )
    return (await unit.connection.execute(statement)).one_or_none()


async def is_transaction_known(
    unit: UnitOfWork, gateway: str, gateway_transaction_id: str, *, except_reference: str
) -> bool:
    """Say whether another funding was decided by this transaction; none will be before the commit.

    Without the lock two fundings could both find it unknown.
    """
    await unit.connection.execute(
        LOCK_TRANSACTION, {"name": f"transaction:{gateway}:{gateway_transaction_id}"}
    )
    statement = select(
        exists().where(
            Funding.gateway == gateway,
            Funding.gateway_transaction_id == gateway_transaction_id,
            Funding.reference != except_reference,
        )
    )
    return bool((await unit.connection.execute(statement)).scalar_one())


async def change_cancelled(unit: UnitOfWork, reference: str, now: datetime) -> None:
    """Note that the member closed the checkout; the first time stands."""
    await unit.connection.execute(
        update(Funding)
        .where(Funding.reference == reference, Funding.cancelled_at.is_(None))
        .values(cancelled_at=now)
    )


async def change_state(unit: UnitOfWork, reference: str, state: FundingState) -> None:
    """Move an undecided funding to another undecided state, or give it up."""
    await unit.connection.execute(
        update(Funding).where(Funding.reference == reference).values(state=state)
    )


async def change_decided(
    unit: UnitOfWork,
    reference: str,
    state: FundingState,
    *,
    reason: str | None,
    gateway_transaction_id: str | None,
    now: datetime,
) -> None:
    """Decide a funding for good."""
    await unit.connection.execute(
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


async def insert_event(unit: UnitOfWork, event: dict[str, Any]) -> bool:
    """Keep a provider's report; False, and nothing kept, when it was reported before.

    Of a report on a member who has left the bytes are not kept: they name the person.
    """
    held = await unit.connection.execute(HOLD_MEMBER_OF, {"reference": event["reference"]})
    kept = event | {"raw": b""} if held.scalar_one_or_none() is False else event
    statement = (
        insert(PaymentEvent)
        .values(id=new_id(), **kept)
        .on_conflict_do_nothing(index_elements=["dedupe_key"])
        .returning(PaymentEvent.id)
    )
    return (await unit.connection.execute(statement)).first() is not None


async def claim_question(database: Database, reference: str, pause: timedelta) -> bool:
    """Say whether the provider may be asked now; True at most once per ``pause``."""
    return await database.fetch_row(CLAIM_QUESTION, reference, pause) is not None


async def claim_notice(database: Database, reference: str) -> bool:
    """Say whether the member is still to be told; True once."""
    return await database.fetch_row(CLAIM_NOTICE, reference) is not None


async def claim_notices(database: Database, user_id: UUID) -> Sequence[Mapping[str, Any]]:
    """Return what a member is still to be told of the last day; each row once."""
    return await database.fetch_rows(CLAIM_NOTICES, user_id)


async def claim_due(unit: UnitOfWork, gateway: str, limit: int) -> Sequence[Row[Any]]:
    """Return fundings that it is time to ask about; nobody else gets them for five minutes.

    Empty when another process is choosing right now.
    """
    is_mine = await unit.connection.execute(select(func.pg_try_advisory_xact_lock(SWEEP_LOCK)))
    if not is_mine.scalar_one():
        return []
    due = await unit.connection.execute(CLAIM_DUE, {"gateway": gateway, "limit": limit})
    return due.all()


async def change_next_check(unit: UnitOfWork, reference: str, next_check_at: datetime) -> None:
    """Set when to ask about an undecided funding next."""
    await unit.connection.execute(
        update(Funding)
        .where(Funding.reference == reference, Funding.decided_at.is_(None))
        .values(next_check_at=next_check_at)
    )
