"""SQL of statements. Each query scans a range of an index, never a whole history."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from api.foundation.core.money import Kobo
from api.foundation.database.database import Database
from api.foundation.database.statements import Query
from api.money.wallet.enums import TransferKind

COLUMNS = """
       t.id, t.kind, t.reference, t.wallet_change_kobo, t.wallet_after_kobo, t.created_at,
       coalesce(o.id, t.id) AS origin_id, coalesce(o.kind, t.kind) AS origin_kind,
       coalesce(o.reference, t.reference) AS origin_reference
"""
ORIGIN = """LEFT JOIN LATERAL (
   SELECT r.id, r.kind, r.reference FROM ledger_transfer r
    WHERE r.id = t.reverses_id LIMIT 1) AS o ON true"""
# The wallet, and the entry to read before.
WALLET = """
SELECT id, coalesce((SELECT b.wallet_entry FROM ledger_transfer b
                      WHERE b.id = $2 AND b.wallet_id = w.id),
                    CASE WHEN $2::uuid IS NULL THEN w.entries + 1 ELSE 0 END) AS entry
  FROM ledger_account w WHERE w.owner_id = $1
"""
READ_FIRST = """
SELECT l.created_at FROM ledger_account a JOIN ledger_transfer l ON l.wallet_id = a.id
 WHERE a.owner_id = $1 ORDER BY l.created_at LIMIT 1
"""


@dataclass(frozen=True)
class StatementEntry:
    """A movement; ``origin_…`` is the refunded payment for a refund, else the movement itself."""

    id: UUID
    kind: str
    reference: str
    wallet_change_kobo: Kobo
    wallet_after_kobo: Kobo
    created_at: datetime
    origin_id: UUID
    origin_kind: str
    origin_reference: str


# Each query reads one wallet in subqueries with their own limits: a plain join may be planned as a
# scan of everyone's history. Entries are in the order in which money moved, which may differ from
# the order of timestamps.
LIST = Query(
    f"""
SELECT {COLUMNS}
  FROM ({WALLET}) a
 CROSS JOIN LATERAL (
   SELECT l.* FROM ledger_transfer l
    WHERE l.wallet_id = a.id AND l.wallet_entry < a.entry
    ORDER BY l.wallet_entry DESC LIMIT $3) AS t
 {ORIGIN}
 ORDER BY t.wallet_entry DESC
""",  # noqa: S608 the parts are the texts above
    StatementEntry,
)
# The newest entries of each kind, of which the newest overall are returned. The row comparison
# makes the planner read the index of kinds backwards from one position: a rare kind is not searched
# for through a long history.
LIST_KINDS = Query(
    f"""
SELECT {COLUMNS}
  FROM ({WALLET}) a
 CROSS JOIN unnest($4::text[]) AS wanted (kind)
 CROSS JOIN LATERAL (
   SELECT l.* FROM ledger_transfer l
    WHERE (l.wallet_id, l.kind, l.wallet_entry) < (a.id, wanted.kind, a.entry)
    ORDER BY l.wallet_id DESC, l.kind DESC, l.wallet_entry DESC LIMIT $3) AS t
 {ORIGIN}
 WHERE t.wallet_id = a.id AND t.kind = wanted.kind
 ORDER BY t.wallet_entry DESC LIMIT $3
""",  # noqa: S608 the parts are the texts above
    StatementEntry,
)
# The days' entries, from the index alone. The sum stops the planner from scanning entries in order,
# through years that were not requested.
LIST_BETWEEN = Query(
    f"""
SELECT {COLUMNS}
  FROM ({WALLET}) a
 CROSS JOIN LATERAL (
   SELECT l.wallet_entry FROM ledger_transfer l
    WHERE l.wallet_id = a.id AND l.wallet_entry < a.entry AND l.kind = ANY($4)
      AND l.created_at >= $5 AND l.created_at < $6
    ORDER BY l.wallet_entry + 0 DESC LIMIT $3) AS p
 CROSS JOIN LATERAL (
   SELECT l.* FROM ledger_transfer l
    WHERE l.wallet_id = a.id AND l.wallet_entry = p.wallet_entry LIMIT 1) AS t
 {ORIGIN}
 ORDER BY t.wallet_entry DESC
""",  # noqa: S608 the parts are the texts above
    StatementEntry,
)


@dataclass(frozen=True)
class MonthSums:
    since: datetime
    in_kobo: Kobo
    out_kobo: Kobo
    entries: int
    balance_kobo: Kobo


# One statement, so that sums and balance come from the same snapshot.
LIST_MONTHS = Query(
    """
SELECT m.since, s.in_kobo, s.out_kobo, s.entries, a.balance_kobo
  FROM ledger_account a
 CROSS JOIN unnest($2::timestamptz[], $3::timestamptz[]) AS m (since, until)
 CROSS JOIN LATERAL (
   SELECT coalesce(sum(greatest(l.wallet_change_kobo, 0)), 0)::bigint AS in_kobo,
          coalesce(sum(greatest(-l.wallet_change_kobo, 0)), 0)::bigint AS out_kobo,
          count(*) AS entries
     FROM ledger_transfer l
    WHERE l.wallet_id = a.id AND l.created_at >= m.since AND l.created_at < m.until) AS s
 WHERE a.owner_id = $1
 ORDER BY m.since DESC
""",
    MonthSums,
)


@dataclass(frozen=True)
class StatementFilter:
    """A filter of movements; None matches all. The day range excludes its end."""

    kinds: Sequence[TransferKind] | None = None
    days: tuple[datetime, datetime] | None = None


async def list_statement(
    database: Database, user_id: UUID, wanted: StatementFilter, before: UUID | None, limit: int
) -> Sequence[StatementEntry]:
    """Return up to ``limit`` movements older than ``before``, newest first."""
    if wanted.days is None and wanted.kinds is None:
        return await database.fetch_rows(LIST, user_id, before, limit)
    kinds = [kind.value for kind in wanted.kinds or TransferKind]
    if wanted.days is None:
        return await database.fetch_rows(LIST_KINDS, user_id, before, limit, kinds)
    return await database.fetch_rows(LIST_BETWEEN, user_id, before, limit, kinds, *wanted.days)


async def read_first_moment(database: Database, user_id: UUID) -> datetime | None:
    """Return when money first moved, or None if none has."""
    moment: datetime | None = await database.fetch_value(READ_FIRST, user_id)
    return moment


async def list_months(
    database: Database, user_id: UUID, months: Sequence[tuple[datetime, datetime]]
) -> Sequence[MonthSums]:
    """Return the sums in and out of each month, newest first, each with the current balance."""
    since, until = ([month[end] for month in months] for end in (0, 1))
    return await database.fetch_rows(LIST_MONTHS, user_id, since, until)
