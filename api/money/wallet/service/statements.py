"""Statements: a wallet's movements by day and kind, as a file, and by month."""

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from uuid import UUID

from api.foundation.core import clock
from api.foundation.core.errors import InvalidFieldError
from api.foundation.core.money import KOBO_PER_NAIRA
from api.foundation.database.database import Database
from api.money.wallet import rules
from api.money.wallet.enums import ReceiptKind, TransferKind
from api.money.wallet.ports import Movement, Origin, StatementContext
from api.money.wallet.repository import statements
from api.money.wallet.repository.statements import StatementEntry, StatementFilter
from api.money.wallet.schemas import MonthRow, ReceiptName, StatementRow

DAY = timedelta(days=1)
FIRST_DAY, LAST_DAY = date(2000, 1, 1), date(2999, 12, 30)  # no movement is outside
FOR_EVER = datetime.max.replace(tzinfo=UTC)
MAX_CSV_ROWS = 10_000
CSV_HEAD = ("date", "kind", "reference", "amount", "balance_after")
TOO_MANY = f"There are more than {MAX_CSV_ROWS:,} rows. Choose fewer days."


@dataclass(frozen=True)
class StatementSearch:
    """The search parameters; None matches all. Days are Lagos days, both inclusive.

    ``kinds`` is a comma-separated list.
    """

    first: date | None = None
    last: date | None = None
    kinds: str | None = None

    def read(self) -> StatementFilter:
        """Return the repository's filter.

        Raises:
            InvalidFieldError: the days are reversed, or a kind is unknown.
        """
        kinds = None if self.kinds is None else _read_kinds(self.kinds)
        if self.first is None and self.last is None:
            return StatementFilter(kinds)
        first, last = self.first or FIRST_DAY, self.last or LAST_DAY
        if first > last:
            raise InvalidFieldError.of("from", "The first day must not be after the last one.")
        since = clock.midnight(max(first, FIRST_DAY))
        return StatementFilter(kinds, (since, clock.midnight(min(last, LAST_DAY) + DAY)))


async def statement(
    context: StatementContext,
    user_id: UUID,
    search: StatementSearch,
    *,
    before: UUID | None,
    limit: int,
) -> list[StatementRow]:
    """Return a member's movements older than ``before``, newest first, with running balance.

    Raises:
        InvalidFieldError: the search is invalid.
    """
    database = context.database
    rows = await statements.list_statement(database, user_id, search.read(), before, limit)
    origins = await _explain(context, rows)
    return [_shown(row, origins.get(row.origin_id)) for row in rows]


async def statement_csv(database: Database, user_id: UUID, search: StatementSearch) -> str:
    """Return a member's movements as CSV with a header row, oldest first.

    Raises:
        InvalidFieldError: the search is invalid, or finds too many.
    """
    rows = await statements.list_statement(database, user_id, search.read(), None, MAX_CSV_ROWS + 1)
    if len(rows) > MAX_CSV_ROWS:
        raise InvalidFieldError.of("from", TOO_MANY)
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(CSV_HEAD)
    for row in reversed(rows):
        writer.writerow(
            (
                clock.lagos_day(row.created_at).isoformat(),
                rules.csv_text(row.kind),
                rules.csv_text(row.reference),
                _csv_amount(row.wallet_change_kobo),
                _csv_amount(row.wallet_after_kobo),
            )
        )
    return text.getvalue()


async def months(database: Database, user_id: UUID, *, limit: int, now: datetime) -> list[MonthRow]:
    """Return the latest months up to that of ``now``, oldest first, without a gap.

    Starts no earlier than the month in which money first moved. The sums are subtracted from
    today's balance backwards, so openings and closings always match.
    """
    first_moment = await statements.read_first_moment(database, user_id)
    firsts = rules.latest_months(clock.lagos_day(first_moment or now), clock.lagos_day(now), limit)
    starts = [clock.midnight(first) for first in firsts]
    # The newest month is open-ended: a movement during this read belongs to its closing.
    wanted = list(zip(starts, [*starts[1:], FOR_EVER], strict=True))
    rows = await statements.list_months(database, user_id, wanted)
    if not rows:
        return [_month(first, 0, 0, 0, 0) for first in firsts]
    shown: list[MonthRow] = []
    closing: int = rows[0].balance_kobo
    for first, row in zip(reversed(firsts), rows, strict=True):
        shown.append(_month(first, row.in_kobo, row.out_kobo, closing, row.entries))
        closing -= row.in_kobo - row.out_kobo
    return shown[::-1]


def _month(first: date, in_kobo: int, out_kobo: int, closing_kobo: int, count: int) -> MonthRow:
    return MonthRow(
        month=f"{first:%Y-%m}",
        opening=closing_kobo - in_kobo + out_kobo,
        in_=in_kobo,
        out=out_kobo,
        closing=closing_kobo,
        count=count,
    )


def _read_kinds(listed: str) -> Sequence[TransferKind]:
    names = {name.strip() for name in listed.split(",")}
    unknown = names - set(TransferKind)
    if unknown:
        raise InvalidFieldError.of("kind", f"A kind is one of {', '.join(TransferKind)}.")
    return [kind for kind in TransferKind if kind in names]


async def _explain(context: StatementContext, rows: Sequence[StatementEntry]) -> dict[UUID, Origin]:
    """Return what the movements of a page were for; one query per kind on it."""
    asked: dict[TransferKind, dict[UUID, Movement]] = {}
    for row in rows:
        movement = Movement(row.origin_id, row.origin_reference)
        asked.setdefault(TransferKind(row.origin_kind), {})[movement.id] = movement
    known: dict[UUID, Origin] = {}
    for kind, movements in asked.items():
        if kind in context.explain:
            known |= await context.explain[kind](context.database, list(movements.values()))
    return known


def _shown(row: StatementEntry, origin: Origin | None) -> StatementRow:
    kind, subject = TransferKind(row.kind), None if origin is None else origin.title
    return StatementRow(
        id=row.id,
        kind=kind,
        title=rules.movement_title(kind, row.reference, subject),
        reference=row.reference,
        amount=row.wallet_change_kobo,
        balance_after=row.wallet_after_kobo,
        created_at=row.created_at,
        receipt=_receipt(kind, row.id, origin),
    )


def _receipt(kind: TransferKind, transfer_id: UUID, origin: Origin | None) -> ReceiptName | None:
    """Return the receipt's name: a refund's is the refunding transfer."""
    if origin is None:
        return None
    if kind is TransferKind.REFUND:
        return ReceiptName(kind=ReceiptKind.REFUND, id=transfer_id)
    receipt_kind, receipt_id = origin.receipt
    return ReceiptName(kind=receipt_kind, id=receipt_id)


def _csv_amount(kobo: int) -> str:
    """Return naira with exactly two decimals."""
    naira, rest = divmod(abs(kobo), KOBO_PER_NAIRA)
    return f"{'-' if kobo < 0 else ''}{naira}.{rest:02d}"
