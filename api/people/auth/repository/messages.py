from dataclasses import dataclass
from datetime import date, datetime
from uuid import UUID

from sqlalchemy import func, select, update
from sqlalchemy.dialects.postgresql import insert

from api.foundation.core.clock import lagos_day
from api.foundation.database.database import Database, Runner, Transaction
from api.foundation.database.statements import Query
from api.people.auth.enums import SmsState
from api.people.auth.models import SmsMessage
from api.people.auth.ports import DeliveryReport

# A final report stays: providers repeat reports, and earlier ones may arrive later.
RECORD_REPORT = """
UPDATE sms_message SET state = $2, report = $3, changed_at = $4
 WHERE provider_id = $1 AND state IN ('sending', 'sent', 'unknown')
   AND (state, report) IS DISTINCT FROM ($2, $3)
RETURNING id
"""


@dataclass(frozen=True)
class StateCount:
    """How many messages have a state."""

    state: str
    count: int


COUNT_STATES = Query(
    "SELECT state, count(*) AS count FROM sms_message WHERE created_at > $1 GROUP BY state",
    StateCount,
)


async def list_sent(tx: Transaction, number: str, day: date) -> list[datetime]:
    """Return when messages were queued for a number on a Lagos day, newest first."""
    statement = (
        select(SmsMessage.created_at)
        .where(SmsMessage.number == number, SmsMessage.day == day)
        .order_by(SmsMessage.place.desc())
    )
    return await tx.fetch_column(statement)


async def count_since(tx: Transaction, since: datetime) -> int:
    """Count the messages of all numbers."""
    statement = select(func.count()).where(SmsMessage.created_at >= since)
    return int(await tx.fetch_value(statement))


async def insert_message(
    tx: Transaction, message_id: UUID, number: str, place: int, *, subject_id: UUID, now: datetime
) -> None:
    """Insert a queued message at the given place of its day.

    Raises:
        UniqueViolation: another message has the place.
    """
    await tx.execute(
        insert(SmsMessage).values(
            id=message_id,
            number=number,
            day=lagos_day(now),
            place=place,
            subject_id=subject_id,
            state=SmsState.QUEUED,
            created_at=now,
            changed_at=now,
        )
    )


async def change_state(
    runner: Runner,
    message_id: UUID,
    before: SmsState,
    after: SmsState,
    now: datetime,
    *,
    provider_id: str | None = None,
) -> bool:
    """Change a message's state from ``before``; return False if it had another."""
    values = {"state": after, "changed_at": now}
    if provider_id is not None:
        values["provider_id"] = provider_id
    changed = await runner.fetch_value(
        update(SmsMessage)
        .where(SmsMessage.id == message_id, SmsMessage.state == before)
        .values(**values)
        .returning(SmsMessage.id)
    )
    return changed is not None


async def record_report(database: Database, report: DeliveryReport, now: datetime) -> bool:
    """Store a delivery report; return False if the message is unknown or already final."""
    changed = await database.fetch_value(
        RECORD_REPORT, report.provider_id, report.state, report.words, now
    )
    return changed is not None


async def count_states(database: Database, since: datetime) -> dict[SmsState, int]:
    """Count the messages queued since ``since`` by state."""
    rows = await database.fetch_rows(COUNT_STATES, since)
    return {SmsState(row.state): row.count for row in rows}
