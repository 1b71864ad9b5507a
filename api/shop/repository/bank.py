"""SQL of bank statements: their lines, and the confirmed transfers that they match."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from uuid import UUID

from sqlalchemy import insert

from api.foundation.database.database import Database, Runner, Transaction
from api.foundation.database.locks import AdvisoryLock
from api.foundation.database.statements import Row
from api.shop.enums import BankLineFilter, BankLineState, OrderStatus, PaymentMethod
from api.shop.models import BankStatement

LOCK_MATCHING = "SELECT pg_advisory_xact_lock($1)"
MATCH_DAYS = 3  # between the payment of a transfer and its booking by the bank
MAX_CANDIDATES = 20
READ_MAPPING = "SELECT mapping FROM bank_statement ORDER BY imported_at DESC, id DESC LIMIT 1"
FIND_STATEMENT = "SELECT id FROM bank_statement WHERE digest = $1"
INSERT_LINES = """
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
"""
HAS_NO_LINE = "NOT EXISTS (SELECT FROM bank_line t WHERE t.receipt_id = r.id)"
NEAR = f"BETWEEN l.booked_on - {MATCH_DAYS} AND l.booked_on + {MATCH_DAYS}"
# A confirmed transfer that could match a line ``l``.
COULD_BE = f"r.amount_kobo = l.amount_kobo AND r.paid_on {NEAR} AND {HAS_NO_LINE}"


def state_of(transfers: str) -> str:
    """Return the SQL of a line's state, given the SQL of ``transfers`` that make it ambiguous."""
    return f"""
CASE WHEN l.receipt_id IS NOT NULL THEN '{BankLineState.MATCHED}'
     WHEN EXISTS (SELECT FROM {transfers}) THEN '{BankLineState.AMBIGUOUS}'
     ELSE '{BankLineState.UNMATCHED}' END"""


STATE = state_of(f"bank_receipt r WHERE {COULD_BE}")
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
# For many new lines at once: few days have an open transfer of an amount.
COUNT_STATES = f"""
WITH day AS MATERIALIZED (
  SELECT DISTINCT r.amount_kobo, r.paid_on FROM bank_receipt r
   WHERE r.amount_kobo = ANY ($2::bigint[]) AND {HAS_NO_LINE})
SELECT {state_of(f"day r WHERE r.amount_kobo = l.amount_kobo AND r.paid_on {NEAR}")} AS state,
       count(*) AS lines
  FROM bank_line l WHERE l.id = ANY ($1::uuid[]) GROUP BY 1
"""  # noqa: S608 our own words
READ_LINES = f"""
SELECT l.id, l.booked_on, l.amount_kobo, l.reference, l.narration, l.receipt_id, l.matched_at,
       l.matched_by, l.reason, s.imported_at, {STATE} AS state,
       u.first_name || ' ' || u.last_name AS operator_name,
       r.order_id, o.number AS order_number, r.bank, r.reference AS bank_reference, r.paid_on
  FROM bank_line l JOIN bank_statement s ON s.id = l.statement_id
  LEFT JOIN bank_receipt r ON r.id = l.receipt_id LEFT JOIN shop_order o ON o.id = r.order_id
  LEFT JOIN operator p ON p.id = l.matched_by LEFT JOIN user_account u ON u.id = p.user_id
"""  # noqa: S608 our own words
LIST_LINES = f"""{READ_LINES}
 WHERE ($1::text IS NULL OR {STATE} = $1 OR ($1 = '{BankLineFilter.OPEN}' AND l.receipt_id IS NULL))
   AND ($2::uuid IS NULL OR l.id < $2)
 ORDER BY l.id DESC LIMIT $3
"""
READ_LINE = f"{READ_LINES} WHERE l.id = $1"
LIST_CANDIDATES = f"""
SELECT l.id AS line_id, c.* FROM bank_line l CROSS JOIN LATERAL (
       SELECT r.order_id, o.number AS order_number, r.bank, r.reference AS bank_reference,
              r.amount_kobo, r.paid_on
         FROM bank_receipt r JOIN shop_order o ON o.id = r.order_id WHERE {COULD_BE}
        ORDER BY abs(r.paid_on - l.booked_on), r.id LIMIT {MAX_CANDIDATES}) AS c
 WHERE l.id = ANY ($1::uuid[]) AND l.receipt_id IS NULL
"""  # noqa: S608 our own words
LIST_AWAITING = f"""
SELECT o.id, o.number, o.status, o.total_kobo,
       (SELECT coalesce(sum(r.amount_kobo), 0) FROM bank_receipt r WHERE r.order_id = o.id)::bigint
         AS received_kobo
  FROM shop_order o JOIN user_account u ON u.id = o.user_id
 WHERE o.number = ANY ($1::text[]) AND o.payment_method = '{PaymentMethod.BANK_TRANSFER}'
   AND o.status = ANY ($2::text[]) AND NOT o.is_paid AND u.erased_at IS NULL
"""  # noqa: S608 our own words
LIST_OF_ORDER = """
SELECT r.id, r.order_id, r.bank, r.reference, r.amount_kobo, r.paid_on, o.user_id, o.number,
       EXISTS (SELECT FROM bank_line l WHERE l.receipt_id = r.id) AS is_matched
  FROM bank_receipt r JOIN shop_order o ON o.id = r.order_id
 WHERE r.order_id = $1 AND r.amount_kobo = $2
 ORDER BY abs(r.paid_on - $3::date), r.id
"""
MATCH_BY_HAND = """
UPDATE bank_line SET receipt_id = $2, matched_at = $3, matched_by = $4, reason = $5 WHERE id = $1
"""
# Paid until $1 and in no statement, once there is one. Transfers confirmed before operator credits
# were recorded need no line; the proof's check transfers_in_bank has the same rule.
IS_MISSING = f"""
EXISTS (SELECT FROM bank_statement) AND r.paid_on <= $1 AND {HAS_NO_LINE}
   AND NOT EXISTS (SELECT FROM operator_credit c
                    WHERE c.kind = 'transfer' AND c.document_id = r.id AND c.is_imported)"""  # noqa: S608 our own words
COUNT_OPEN = f"""
SELECT (SELECT count(*) FROM bank_line WHERE receipt_id IS NULL) AS lines,
       (SELECT count(*) FROM bank_receipt r WHERE {IS_MISSING}) AS transfers
"""  # noqa: S608 our own words
LIST_MISSING = f"""
SELECT r.id, r.order_id, o.number AS order_number, r.bank, r.reference AS bank_reference,
       r.amount_kobo, r.paid_on, r.received_at, p.id AS operator_id,
       u.first_name || ' ' || u.last_name AS operator_name
  FROM bank_receipt r JOIN shop_order o ON o.id = r.order_id
  LEFT JOIN operator_credit s ON s.kind = 'transfer' AND s.document_id = r.id
  LEFT JOIN operator p ON p.id = s.initiator_id LEFT JOIN user_account u ON u.id = p.user_id
 WHERE {IS_MISSING} AND ($2::uuid IS NULL OR r.id < $2)
 ORDER BY r.id DESC LIMIT $3
"""  # noqa: S608 our own words


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
    """Return the statement with a digest, or None if it was not imported yet."""
    found: UUID | None = await tx.fetch_value(FIND_STATEMENT, digest)
    return found


async def insert_statement(tx: Transaction, values: dict[str, Any]) -> None:
    """Insert a statement."""
    await tx.execute(insert(BankStatement).values(**values))


async def insert_lines(
    tx: Transaction, statement_id: UUID, lines: Sequence[NewBankLine]
) -> Sequence[Row]:
    """Insert lines and return id and kobo of those that are new."""
    columns = [[getattr(line, name) for line in lines] for name in NewBankLine.__annotations__]
    return await tx.fetch_rows(INSERT_LINES, statement_id, *columns)


async def begin_dry_run(tx: Transaction) -> None:
    """Set a savepoint for ``undo_dry_run``."""
    await tx.execute("SAVEPOINT dry_run")


async def undo_dry_run(tx: Transaction) -> None:
    """Roll back to ``begin_dry_run``."""
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
    return {BankLineState(row["state"]): row["lines"] for row in rows}


async def list_bank_lines(
    database: Database, state: BankLineFilter | None, before: UUID | None, limit: int
) -> Sequence[Row]:
    """Return up to ``limit`` lines with their matches, newest first."""
    return await database.fetch_rows(LIST_LINES, state and state.value, before, limit)


async def read_bank_line(runner: Runner, line_id: UUID) -> Row | None:
    """Return a line with its match, or None."""
    return await runner.fetch_row(READ_LINE, line_id)


async def list_candidates(runner: Runner, ids: Sequence[UUID]) -> Sequence[Row]:
    """Return the transfers that each of these lines could match, nearest day first."""
    return await runner.fetch_rows(LIST_CANDIDATES, ids)


async def list_awaiting(
    runner: Runner, numbers: Sequence[str], statuses: Collection[OrderStatus]
) -> Sequence[Row]:
    """Return the orders of these numbers that still take a bank transfer."""
    return await runner.fetch_rows(LIST_AWAITING, numbers, [each.value for each in statuses])


async def list_transfers_of(
    tx: Transaction, order_id: UUID, amount_kobo: int, day: date
) -> Sequence[Row]:
    """Return an order's confirmed transfers of an amount, nearest to a day first.

    Includes the order's member and number, and whether it has a line (``is_matched``).
    """
    return await tx.fetch_rows(LIST_OF_ORDER, order_id, amount_kobo, day)


async def match_by_hand(
    tx: Transaction,
    line_id: UUID,
    receipt_id: UUID,
    operator_id: UUID,
    reason: str,
    now: datetime,
) -> None:
    """Store the transfer that an operator matched to a line."""
    await tx.execute(MATCH_BY_HAND, line_id, receipt_id, now, operator_id, reason)


async def count_open(database: Database, paid_until: date) -> Row:
    """Count the lines without a transfer, and transfers paid by a day without a line.

    Transfers count once the first statement was imported.
    """
    row = await database.fetch_row(COUNT_OPEN, paid_until)
    assert row is not None  # noqa: S101 an aggregate always has a row
    return row


async def list_missing(
    database: Database, paid_until: date, before: UUID | None, limit: int
) -> Sequence[Row]:
    """Return confirmed transfers paid by a day without a line, with operators, newest first."""
    return await database.fetch_rows(LIST_MISSING, paid_until, before, limit)
