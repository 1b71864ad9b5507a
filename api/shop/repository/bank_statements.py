from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from uuid import UUID

from sqlalchemy import insert

from api.foundation.core.money import Kobo
from api.foundation.database.database import Runner, Transaction
from api.foundation.database.locks import AdvisoryLock
from api.foundation.database.statements import Query
from api.shop.enums import BankLineState
from api.shop.models import BankStatement
from api.shop.repository.bank import HAS_NO_LINE, MATCH_DAYS, NEAR, state_of

LOCK_MATCHING = "SELECT pg_advisory_xact_lock($1)"
READ_MAPPING = "SELECT mapping FROM bank_statement ORDER BY imported_at DESC, id DESC LIMIT 1"
FIND_STATEMENT = "SELECT id FROM bank_statement WHERE digest = $1"
# Open lines and transfers of the amounts $1 that agree with each other and with no other: one of
# the line's words is the transfer's reference. $3 also allows the order's number. The first pass
# does not, because only the reference distinguishes transfers of one order.
MATCH = f"""
WITH transfer AS MATERIALIZED (
  SELECT r.id, r.amount_kobo, r.paid_on, replace(o.number, '-', '') AS number,
         regexp_replace(r.reference, '[^A-Z0-9]', '', 'g') AS key
    FROM bank_receipt r JOIN shop_order o ON o.id = r.order_id
   WHERE r.amount_kobo = ANY ($1::bigint[])
     AND {HAS_NO_LINE}
), word AS MATERIALIZED (
  SELECT l.id, l.amount_kobo, l.booked_on, w.word
    FROM bank_line l CROSS JOIN unnest(l.words) AS w (word)
   WHERE l.receipt_id IS NULL AND l.amount_kobo = ANY ($1)
), agreeing AS (
  SELECT w.id AS line_id, t.id AS receipt_id, w.booked_on, t.paid_on
    FROM word w JOIN transfer t ON t.key = w.word AND t.amount_kobo = w.amount_kobo
   UNION
  SELECT w.id, t.id, w.booked_on, t.paid_on
    FROM word w JOIN transfer t ON t.number = w.word AND t.amount_kobo = w.amount_kobo
   WHERE $3
), counted AS (
  SELECT line_id, receipt_id, count(*) OVER (PARTITION BY line_id) AS transfers,
         count(*) OVER (PARTITION BY receipt_id) AS lines
    FROM agreeing WHERE abs(paid_on - booked_on) <= {MATCH_DAYS})
UPDATE bank_line l SET receipt_id = c.receipt_id, matched_at = $2
  FROM counted c WHERE l.id = c.line_id AND c.transfers = 1 AND c.lines = 1
"""  # noqa: S608 our own words


@dataclass(frozen=True)
class InsertedLine:
    id: UUID
    amount_kobo: Kobo


INSERT_LINES = Query(
    """
INSERT INTO bank_line (id, statement_id, booked_on, amount_kobo, reference, narration, ordinal,
                       row_digest, row_ordinal, words)
SELECT id, $1, booked_on, amount_kobo, reference, narration, ordinal, row_digest, row_ordinal,
       string_to_array(words, ' ')
  FROM unnest($2::uuid[], $3::date[], $4::bigint[], $5::text[], $6::text[], $7::int[],
              $8::text[], $9::int[], $10::text[])
       AS t (id, booked_on, amount_kobo, reference, narration, ordinal, row_digest, row_ordinal,
             words)
    ON CONFLICT DO NOTHING
RETURNING id, amount_kobo
""",
    InsertedLine,
)


@dataclass(frozen=True)
class LineCount:
    state: str
    lines: int


# For many new lines at once: few days have an open transfer of an amount.
COUNT_STATES = Query(
    f"""
WITH day AS MATERIALIZED (
  SELECT DISTINCT r.amount_kobo, r.paid_on FROM bank_receipt r
   WHERE r.amount_kobo = ANY ($2::bigint[]) AND {HAS_NO_LINE})
SELECT {state_of(f"day r WHERE r.amount_kobo = l.amount_kobo AND r.paid_on {NEAR}")} AS state,
       count(*) AS lines
  FROM bank_line l WHERE l.id = ANY ($1::uuid[]) GROUP BY 1
""",  # noqa: S608 our own words
    LineCount,
)


@dataclass(frozen=True)
class NewBankLine:
    """A line of a statement; ``words``, separated by spaces, are what it is matched by."""

    id: UUID
    booked_on: date
    amount_kobo: int
    reference: str
    narration: str
    ordinal: int
    row_digest: str
    row_ordinal: int
    words: str


async def lock_matching(tx: Transaction) -> None:
    """Lock writing and matching of lines until commit.

    Acquired after all other locks.
    """
    await tx.execute(LOCK_MATCHING, AdvisoryLock.BANK_MATCHING)


async def read_mapping(runner: Runner) -> dict[str, Any] | None:
    """Return the mapping of the newest statement, or None before the first one."""
    found: dict[str, Any] | None = await runner.fetch_value(READ_MAPPING)
    return found


async def find_statement(tx: Transaction, digest: str) -> UUID | None:
    found: UUID | None = await tx.fetch_value(FIND_STATEMENT, digest)
    return found


async def insert_statement(tx: Transaction, values: dict[str, Any]) -> None:
    await tx.execute(insert(BankStatement).values(**values))


async def insert_lines(
    tx: Transaction, statement_id: UUID, lines: Sequence[NewBankLine]
) -> Sequence[InsertedLine]:
    """Insert lines and return id and kobo of those that are new."""
    columns = [[getattr(line, name) for line in lines] for name in NewBankLine.__annotations__]
    return await tx.fetch_rows(INSERT_LINES, statement_id, *columns)


async def begin_dry_run(tx: Transaction) -> None:
    await tx.execute("SAVEPOINT dry_run")


async def undo_dry_run(tx: Transaction) -> None:
    await tx.execute("ROLLBACK TO SAVEPOINT dry_run")


async def match_lines(tx: Transaction, amounts_kobo: Collection[int], now: datetime) -> None:
    """Match the open lines of these amounts that agree with exactly one open transfer."""
    for is_by_number in (False, True):
        await tx.execute(MATCH, list(amounts_kobo), now, is_by_number)


async def count_states(
    tx: Transaction, ids: Sequence[UUID], amounts_kobo: Collection[int]
) -> dict[BankLineState, int]:
    """Return how many of these lines, which have these amounts, are in each state."""
    rows = await tx.fetch_rows(COUNT_STATES, ids, list(amounts_kobo))
    return {BankLineState(row.state): row.lines for row in rows}
