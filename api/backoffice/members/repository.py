from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from api.backoffice.members.schemas import MemberRow
from api.foundation.database.database import Transaction
from api.foundation.database.statements import PLAN_FOR_VALUES, Query
from api.foundation.security.members import SUSPENDED_AT

PAGE = "($1::uuid IS NULL OR u.id < $1) ORDER BY u.id DESC LIMIT $2"
# Each column has its own index; a member found by several appears once.
BEGINNING = f"""
(SELECT u.id FROM user_account u WHERE {{begins}} AND u.erased_at IS NULL AND {PAGE})
"""  # noqa: S608 constants only
FOUND = "UNION".join(
    BEGINNING.format(begins=begins)
    for begins in (
        "lower(u.first_name || ' ' || u.last_name) LIKE lower($3)",
        "lower(u.last_name) LIKE lower($3)",
        "lower(u.email) LIKE lower($3)",
        "u.phone LIKE $4",
    )
)
SHOWN = f"""
SELECT u.id, u.first_name, u.last_name, u.email, u.phone, c.name AS club_name,
       {SUSPENDED_AT} AS suspended_at
  FROM user_account u JOIN club c ON c.id = u.club_id
"""  # noqa: S608 constants only


@dataclass(frozen=True)
class MemberExtras:
    """The parts of a member's record that only operators see."""

    activated_at: datetime
    erased_at: datetime | None
    suspended_until: datetime | None
    is_operator: bool


SEARCH = Query(
    f"""
WITH found AS MATERIALIZED (
  {FOUND} UNION (SELECT o.user_id FROM shop_order o WHERE o.number = upper($5))
)
{SHOWN} WHERE u.id IN (SELECT f.id FROM found f) AND {PAGE}
""",  # noqa: S608 constants only
    MemberRow,
)
LIST_NEWEST = Query(f"{SHOWN} WHERE u.erased_at IS NULL AND {PAGE}", MemberRow)
READ_MORE = Query(
    """
SELECT u.activated_at, u.erased_at, u.suspended_until,
       EXISTS (SELECT FROM operator o WHERE o.user_id = u.id AND o.disabled_at IS NULL)
         AS is_operator
  FROM user_account u WHERE u.id = $1
""",
    MemberExtras,
)


@dataclass(frozen=True)
class MemberSearch:
    """A search of members: patterns of names and emails, and of phones; an order's number."""

    beginning: str
    phone: str | None
    number: str | None


async def search(
    tx: Transaction, wanted: MemberSearch, before: UUID | None, limit: int
) -> Sequence[MemberRow]:
    """Return the members that match, newest first."""
    await tx.execute(PLAN_FOR_VALUES)
    return await tx.fetch_rows(SEARCH, before, limit, wanted.beginning, wanted.phone, wanted.number)


async def list_newest(tx: Transaction, before: UUID | None, limit: int) -> Sequence[MemberRow]:
    """Return members, newest first."""
    return await tx.fetch_rows(LIST_NEWEST, before, limit)


async def read_more(tx: Transaction, user_id: UUID) -> MemberExtras | None:
    return await tx.fetch_row(READ_MORE, user_id)
