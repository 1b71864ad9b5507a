from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from uuid import UUID

from api.foundation.core.money import Kobo
from api.foundation.database.database import Database, Runner, Transaction
from api.foundation.database.statements import Query
from api.shop.enums import BankLineFilter, BankLineState, OrderStatus, PaymentMethod

MATCH_DAYS = 3  # between the payment of a transfer and its booking by the bank
MAX_CANDIDATES = 20
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
READ_LINES = f"""
SELECT l.id, l.booked_on, l.amount_kobo, l.reference, l.narration, l.receipt_id, l.matched_at,
       l.matched_by, l.reason, s.imported_at, {STATE} AS state,
       u.first_name || ' ' || u.last_name AS operator_name,
       r.order_id, o.number AS order_number, r.bank, r.reference AS bank_reference, r.paid_on
  FROM bank_line l JOIN bank_statement s ON s.id = l.statement_id
  LEFT JOIN bank_receipt r ON r.id = l.receipt_id LEFT JOIN shop_order o ON o.id = r.order_id
  LEFT JOIN operator p ON p.id = l.matched_by LEFT JOIN user_account u ON u.id = p.user_id
"""  # noqa: S608 our own words
MATCH_BY_HAND = """
UPDATE bank_line SET receipt_id = $2, matched_at = $3, matched_by = $4, reason = $5 WHERE id = $1
"""
# Paid until $1 and in no statement, once there is one. Transfers confirmed before operator credits
# were recorded need no line; the proof's check transfers_in_bank has the same rule.
IS_MISSING = f"""
EXISTS (SELECT FROM bank_statement) AND r.paid_on <= $1 AND {HAS_NO_LINE}
   AND NOT EXISTS (SELECT FROM operator_credit c
                    WHERE c.kind = 'transfer' AND c.document_id = r.id AND c.is_imported)"""  # noqa: S608 our own words


@dataclass(frozen=True)
class OrderedTransfer:
    order_id: UUID
    order_number: str
    bank: str
    bank_reference: str
    amount_kobo: Kobo
    paid_on: date


@dataclass(frozen=True)
class BankLineRow:
    """A line with its state; the transfer's columns are None without a match.

    ``operator_name`` is that of who matched it by hand.
    """

    id: UUID
    booked_on: date
    amount_kobo: Kobo
    reference: str
    narration: str
    receipt_id: UUID | None
    matched_at: datetime | None
    matched_by: UUID | None
    reason: str | None
    imported_at: datetime
    state: str
    operator_name: str | None
    order_id: UUID | None
    order_number: str | None
    bank: str | None
    bank_reference: str | None
    paid_on: date | None

    @property
    def transfer(self) -> OrderedTransfer | None:
        """The transfer that it is matched to."""
        if (
            self.order_id is None
            or self.order_number is None
            or self.bank is None
            or self.bank_reference is None
            or self.paid_on is None
        ):
            return None
        return OrderedTransfer(
            order_id=self.order_id,
            order_number=self.order_number,
            bank=self.bank,
            bank_reference=self.bank_reference,
            amount_kobo=self.amount_kobo,
            paid_on=self.paid_on,
        )


LIST_LINES = Query(
    f"""{READ_LINES}
 WHERE ($1::text IS NULL OR {STATE} = $1 OR ($1 = '{BankLineFilter.OPEN}' AND l.receipt_id IS NULL))
   AND ($2::uuid IS NULL OR l.id < $2)
 ORDER BY l.id DESC LIMIT $3
""",
    BankLineRow,
)
READ_LINE = Query(f"{READ_LINES} WHERE l.id = $1", BankLineRow)


@dataclass(frozen=True)
class MatchCandidate(OrderedTransfer):
    line_id: UUID


LIST_CANDIDATES = Query(
    f"""
SELECT l.id AS line_id, c.* FROM bank_line l CROSS JOIN LATERAL (
       SELECT r.order_id, o.number AS order_number, r.bank, r.reference AS bank_reference,
              r.amount_kobo, r.paid_on
         FROM bank_receipt r JOIN shop_order o ON o.id = r.order_id WHERE {COULD_BE}
        ORDER BY abs(r.paid_on - l.booked_on), r.id LIMIT {MAX_CANDIDATES}) AS c
 WHERE l.id = ANY ($1::uuid[]) AND l.receipt_id IS NULL
""",  # noqa: S608 our own words
    MatchCandidate,
)


@dataclass(frozen=True)
class AwaitingOrder:
    id: UUID
    number: str
    status: str
    total_kobo: Kobo
    received_kobo: Kobo


LIST_AWAITING = Query(
    f"""
SELECT o.id, o.number, o.status, o.total_kobo,
       (SELECT coalesce(sum(r.amount_kobo), 0) FROM bank_receipt r WHERE r.order_id = o.id)::bigint
         AS received_kobo
  FROM shop_order o JOIN user_account u ON u.id = o.user_id
 WHERE o.number = ANY ($1::text[]) AND o.payment_method = '{PaymentMethod.BANK_TRANSFER}'
   AND o.status = ANY ($2::text[]) AND NOT o.is_paid AND u.erased_at IS NULL
""",  # noqa: S608 our own words
    AwaitingOrder,
)


@dataclass(frozen=True)
class MatchableTransfer:
    id: UUID
    order_id: UUID
    bank: str
    reference: str
    amount_kobo: Kobo
    paid_on: date
    user_id: UUID
    number: str
    is_matched: bool


LIST_OF_ORDER = Query(
    """
SELECT r.id, r.order_id, r.bank, r.reference, r.amount_kobo, r.paid_on, o.user_id, o.number,
       EXISTS (SELECT FROM bank_line l WHERE l.receipt_id = r.id) AS is_matched
  FROM bank_receipt r JOIN shop_order o ON o.id = r.order_id
 WHERE r.order_id = $1 AND r.amount_kobo = $2
 ORDER BY abs(r.paid_on - $3::date), r.id
""",
    MatchableTransfer,
)


@dataclass(frozen=True)
class OpenCounts:
    lines: int
    transfers: int


COUNT_OPEN = Query(
    f"""
SELECT (SELECT count(*) FROM bank_line WHERE receipt_id IS NULL) AS lines,
       (SELECT count(*) FROM bank_receipt r WHERE {IS_MISSING}) AS transfers
""",  # noqa: S608 our own words
    OpenCounts,
)


@dataclass(frozen=True)
class UnbankedTransfer(OrderedTransfer):
    id: UUID
    received_at: datetime
    operator_id: UUID | None
    operator_name: str | None


LIST_MISSING = Query(
    f"""
SELECT r.id, r.order_id, o.number AS order_number, r.bank, r.reference AS bank_reference,
       r.amount_kobo, r.paid_on, r.received_at, p.id AS operator_id,
       u.first_name || ' ' || u.last_name AS operator_name
  FROM bank_receipt r JOIN shop_order o ON o.id = r.order_id
  LEFT JOIN operator_credit s ON s.kind = 'transfer' AND s.document_id = r.id
  LEFT JOIN operator p ON p.id = s.initiator_id LEFT JOIN user_account u ON u.id = p.user_id
 WHERE {IS_MISSING} AND ($2::uuid IS NULL OR r.id < $2)
 ORDER BY r.id DESC LIMIT $3
""",  # noqa: S608 our own words
    UnbankedTransfer,
)


async def list_bank_lines(
    database: Database, state: BankLineFilter | None, before: UUID | None, limit: int
) -> Sequence[BankLineRow]:
    """Return up to ``limit`` lines, newest first."""
    return await database.fetch_rows(LIST_LINES, state and state.value, before, limit)


async def read_bank_line(runner: Runner, line_id: UUID) -> BankLineRow | None:
    return await runner.fetch_row(READ_LINE, line_id)


async def list_candidates(runner: Runner, ids: Sequence[UUID]) -> Sequence[MatchCandidate]:
    """Return the transfers that each of these lines could match, nearest day first."""
    return await runner.fetch_rows(LIST_CANDIDATES, ids)


async def list_awaiting(
    runner: Runner, numbers: Sequence[str], statuses: Collection[OrderStatus]
) -> Sequence[AwaitingOrder]:
    """Return those of these orders that still take a bank transfer."""
    return await runner.fetch_rows(LIST_AWAITING, numbers, [each.value for each in statuses])


async def list_transfers_of(
    tx: Transaction, order_id: UUID, amount_kobo: int, day: date
) -> Sequence[MatchableTransfer]:
    """Return an order's confirmed transfers of an amount, nearest to a day first."""
    return await tx.fetch_rows(LIST_OF_ORDER, order_id, amount_kobo, day)


async def match_by_hand(
    tx: Transaction,
    line_id: UUID,
    receipt_id: UUID,
    operator_id: UUID,
    reason: str,
    now: datetime,
) -> None:
    await tx.execute(MATCH_BY_HAND, line_id, receipt_id, now, operator_id, reason)


async def count_open(database: Database, paid_until: date) -> OpenCounts:
    """Count the lines without a transfer, and transfers paid by a day without a line.

    Transfers count once the first statement was imported.
    """
    row = await database.fetch_row(COUNT_OPEN, paid_until)
    assert row is not None  # noqa: S101 an aggregate always has a row
    return row


async def list_missing(
    database: Database, paid_until: date, before: UUID | None, limit: int
) -> Sequence[UnbankedTransfer]:
    """Return confirmed transfers paid by a day without a line, newest first."""
    return await database.fetch_rows(LIST_MISSING, paid_until, before, limit)
