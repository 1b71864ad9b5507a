from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from api.foundation.core.money import Kobo
from api.foundation.database.database import Database, Transaction
from api.foundation.database.statements import Query, literal_pattern
from api.money.payments.enums import FundingStatus
from api.money.payments.rules import states_of, status_sql

STATUS = status_sql("f")
READ_STATUS = f"SELECT {STATUS} FROM funding f WHERE f.gateway = $1 AND f.reference = $2"  # noqa: S608 our own words
SHOWN = f"""
SELECT f.id, f.reference, f.gateway, f.amount_kobo, {STATUS} AS status, f.review_reason, f.user_id,
       f.gateway_transaction_id, f.created_at, f.decided_at, f.cancelled_at,
       u.first_name, u.last_name
  FROM funding f JOIN user_account u ON u.id = f.user_id
"""  # noqa: S608 our own words


@dataclass(frozen=True)
class FundingOwner:
    user_id: UUID
    first_name: str
    last_name: str


@dataclass(frozen=True)
class ListedFunding(FundingOwner):
    id: UUID
    reference: str
    gateway: str
    amount_kobo: Kobo
    status: str
    review_reason: str | None
    gateway_transaction_id: str | None
    created_at: datetime
    decided_at: datetime | None
    cancelled_at: datetime | None


LIST_OF = Query(
    f"{SHOWN} WHERE f.user_id = $1 ORDER BY f.created_at DESC, f.id DESC LIMIT $2", ListedFunding
)
# $7 are the stored states of the status $1; they are indexed.
LIST = Query(
    f"""{SHOWN}
 WHERE ($1::text IS NULL OR f.state = ANY ($7::text[]) AND {STATUS} = $1)
   AND ($2::text IS NULL OR f.gateway = $2)
   AND ($3::text IS NULL OR f.reference = $6 OR f.gateway_transaction_id = $6
        OR f.user_id = ANY (ARRAY(
           SELECT w.id FROM user_account w WHERE lower(w.email) LIKE lower($3)
               OR lower(w.first_name || ' ' || w.last_name) LIKE lower($3) LIMIT 200)))
   AND ($4::uuid IS NULL OR f.id < $4)
 ORDER BY f.id DESC LIMIT $5
""",  # noqa: S608 our own words
    ListedFunding,
)


async def read_status(tx: Transaction, gateway: str, reference: str | None) -> FundingStatus | None:
    """Return the shown status; None for an unknown reference."""
    found = None if reference is None else await tx.fetch_value(READ_STATUS, gateway, reference)
    return None if found is None else FundingStatus(found)


async def list_fundings_of(
    database: Database, user_id: UUID, limit: int
) -> Sequence[ListedFunding]:
    """Return a member's fundings, newest first."""
    return await database.fetch_rows(LIST_OF, user_id, limit)


async def list_fundings(
    database: Database,
    status: FundingStatus | None,
    gateway: str | None,
    q: str | None,
    before: UUID | None,
    limit: int,
) -> Sequence[ListedFunding]:
    """Return up to ``limit`` fundings with their members, newest first; None matches all.

    ``q`` is a reference, a provider's id, or a prefix of a member's e-mail or name; at most two
    hundred such members are searched.
    """
    pattern = None if q is None else literal_pattern(q) + "%"
    states = [] if status is None else [state.value for state in states_of(status)]
    return await database.fetch_rows(
        LIST, status and status.value, gateway, pattern, before, limit, q, states
    )
