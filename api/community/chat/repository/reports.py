from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import update
from sqlalchemy.dialects.postgresql import insert

from api.community.chat.enums import ReportReason
from api.community.chat.models import ChatReport
from api.community.chat.repository.messages import AUTHOR, KEPT_WORDS, WRITTEN, ClubMessageRow
from api.foundation.database.database import Database, Transaction
from api.foundation.database.statements import Query

COUNT_REPORTED = """
SELECT count(DISTINCT message_id) FROM chat_report WHERE settled_at IS NULL
"""


@dataclass(frozen=True)
class ReportedMessageRow(ClubMessageRow):
    reports: int
    reasons: list[str]
    first_reported_at: datetime


LIST_REPORTED = Query(
    f"""
WITH reported AS (
  SELECT message_id, count(*) AS reports, array_agg(DISTINCT reason) AS reasons,
         min(reported_at) AS first_reported_at
    FROM chat_report WHERE settled_at IS NULL
   GROUP BY message_id
  HAVING $2::uuid IS NULL OR (min(reported_at), message_id) > (
           SELECT min(l.reported_at), l.message_id FROM chat_report l
            WHERE l.message_id = $2 GROUP BY l.message_id)
   ORDER BY first_reported_at, message_id LIMIT $1
)
SELECT {KEPT_WORDS}, {WRITTEN}, c.name AS club_name,
       r.reports, r.reasons, r.first_reported_at
  FROM reported r
  JOIN chat_message m ON m.id = r.message_id {AUTHOR}
  LEFT JOIN chat_evidence e ON e.message_id = m.id
  LEFT JOIN club c ON c.id = m.room_id
 ORDER BY r.first_reported_at, m.id
""",  # noqa: S608 constants only
    ReportedMessageRow,
)
# Searches a member's newest messages only: reports come soon after the message.
LIST_REPORTED_OF = Query(
    f"""
WITH written AS (
  SELECT id FROM chat_message WHERE user_id = $1 ORDER BY sent_at DESC LIMIT $2
), reported AS (
  SELECT r.message_id, count(*) AS reports, array_agg(DISTINCT r.reason) AS reasons,
         min(r.reported_at) AS first_reported_at
    FROM written w JOIN chat_report r ON r.message_id = w.id GROUP BY r.message_id
   ORDER BY first_reported_at DESC LIMIT $3
)
SELECT {KEPT_WORDS}, {WRITTEN}, c.name AS club_name,
       r.reports, r.reasons, r.first_reported_at
  FROM reported r
  JOIN chat_message m ON m.id = r.message_id {AUTHOR}
  LEFT JOIN chat_evidence e ON e.message_id = m.id
  LEFT JOIN club c ON c.id = m.room_id
 ORDER BY r.first_reported_at DESC, m.id
""",  # noqa: S608 constants only
    ReportedMessageRow,
)


async def insert_report(
    tx: Transaction, message_id: UUID, user_id: UUID, reason: ReportReason, now: datetime
) -> ReportReason:
    """Insert a report unless the member has made one; return the reason in force."""
    statement = insert(ChatReport).values(
        message_id=message_id, user_id=user_id, reason=reason, reported_at=now
    )
    # A DO UPDATE that changes nothing returns the existing row.
    kept = statement.on_conflict_do_update(
        index_elements=[ChatReport.message_id, ChatReport.user_id],
        set_={"reason": ChatReport.reason},
    ).returning(ChatReport.reason)
    return ReportReason(await tx.fetch_value(kept))


async def list_reported(
    database: Database, before: UUID | None, limit: int
) -> Sequence[ReportedMessageRow]:
    """Return messages with open reports after ``before``, longest waiting first."""
    return await database.fetch_rows(LIST_REPORTED, limit, before)


async def count_reported(database: Database) -> int:
    found: int = await database.fetch_value(COUNT_REPORTED)
    return found


async def settle_reports(tx: Transaction, message_id: UUID, now: datetime) -> int:
    """Close the open reports of a message and return how many there were."""
    statement = (
        update(ChatReport)
        .where(ChatReport.message_id == message_id, ChatReport.settled_at.is_(None))
        .values(settled_at=now)
        .returning(ChatReport.user_id)
    )
    return len(await tx.fetch_rows(statement))


async def list_reported_of(
    database: Database, user_id: UUID, written: int, limit: int
) -> Sequence[ReportedMessageRow]:
    """Return the reported messages among a member's newest, with open or decided reports."""
    return await database.fetch_rows(LIST_REPORTED_OF, user_id, written, limit)
