"""Lines of the bank's statements: listed, matched by hand, and counted (contract T-1a)."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from uuid import UUID

from api.foundation.approvals import proposing
from api.foundation.audit import writing as audit
from api.foundation.audit.writing import AuditRecord
from api.foundation.core import clock
from api.foundation.core.errors import InvalidFieldError, NotFoundError
from api.foundation.core.ids import parse_id
from api.foundation.core.money import format_naira
from api.foundation.database.database import Database, Runner, Transaction
from api.foundation.security.operators import AdminRequest
from api.foundation.security.rights import Right
from api.foundation.wire.results import AdminResult, OperatorName, Page
from api.foundation.wire.schemas import Content
from api.shop import rules
from api.shop.enums import BankLineFilter, BankLineState, OrderStatus
from api.shop.errors import AlreadyMatchedError, OwnTransferError
from api.shop.repository import admin as admin_repository
from api.shop.repository import bank, bank_statements
from api.shop.repository.bank import (
    BankLineRow,
    MatchableTransfer,
    OrderedTransfer,
    UnbankedTransfer,
)
from api.shop.schemas.bank import (
    BankLineAnswer,
    MatchedTransfer,
    MatchInput,
    MissingTransfer,
    NamedOrder,
)
from api.shop.service.bank_statements import match_lines
from api.shop.service.confirming import CONFIRMABLE

LINE_GRACE_PERIOD = timedelta(days=3)
NO_ORDER = "There is no such order."


async def list_bank_lines(
    database: Database, state: BankLineFilter | None, *, before: UUID | None, limit: int
) -> Page[BankLineAnswer]:
    """Return the lines, newest first."""
    rows = await bank.list_bank_lines(database, state, before, limit + 1)
    details = await _read_details(database, rows[:limit])
    return Page.of(rows, limit, details.answer)


async def match_by_hand(
    database: Database, admin: AdminRequest, line_id: UUID, form: MatchInput, now: datetime
) -> AdminResult:
    """Match a line to an order's confirmed transfer of the same amount, on any day.

    The operator who confirmed the transfer may match it: a line matches one transfer, so an
    invented transfer leaves another one without a line. The order's owner may not, unless no other
    operator has the right.

    Raises:
        AlreadyMatchedError: the line has a transfer, or the transfer has a line.
        InvalidFieldError: there is no such order, or it has no confirmed transfer of the line's
            amount.
        OwnTransferError: it is the operator's own order.
    """

    async def work(tx: Transaction) -> AdminResult:
        await bank_statements.lock_matching(tx)
        line = await bank.read_bank_line(tx, line_id)
        name = form.order_id
        order = await admin_repository.read_any_order(tx, parse_id(name), name.upper())
        if line is None:
            raise NotFoundError
        if order is None:
            raise InvalidFieldError.of("orderId", NO_ORDER)
        if line.state == BankLineState.MATCHED:
            raise AlreadyMatchedError(content={"status": line.state})
        transfer = await _find_transfer(tx, line, order.id)
        await _require_another(tx, admin, transfer)
        await bank.match_by_hand(tx, line_id, transfer.id, admin.operator.id, form.reason, now)
        record = AuditRecord(
            "match",
            "bank_line",
            line_id,
            before={"state": line.state},
            after={
                "order_id": order.id,
                "bank": transfer.bank,
                "reference": transfer.reference,
                "amount_kobo": line.amount_kobo,
                "booked_on": line.booked_on,
                "paid_on": transfer.paid_on,
            },
            reason=form.reason,
        )
        await audit.audited(tx, admin, record)
        # Ambiguous lines of this amount may have become certain.
        await match_lines(tx, [line.amount_kobo], now)
        matched = await bank.read_bank_line(tx, line_id)
        assert matched is not None  # noqa: S101 it is held
        details = await _read_details(tx, [matched])
        return AdminResult.of(details.answer(matched), message="The line is matched.")

    return await audit.perform(database, admin, form, work)


async def _find_transfer(tx: Transaction, line: BankLineRow, order_id: UUID) -> MatchableTransfer:
    """Return the order's unmatched transfer of the line's amount, nearest to its day."""
    transfers = await bank.list_transfers_of(tx, order_id, line.amount_kobo, line.booked_on)
    if not transfers:
        amount = format_naira(line.amount_kobo)
        raise InvalidFieldError.of("orderId", f"This order has no confirmed transfer of {amount}.")
    still_open = [each for each in transfers if not each.is_matched]
    if not still_open:
        raise AlreadyMatchedError(content={"status": BankLineState.MATCHED.value})
    return still_open[0]


async def _require_another(
    tx: Transaction, admin: AdminRequest, transfer: MatchableTransfer
) -> None:
    """Refuse the order's owner, unless no other operator could match it."""
    operator, is_own = admin.operator, admin.operator.user_id == transfer.user_id
    if is_own and not await proposing.is_only_one_with(tx, operator, Right.MONEY_WRITE):
        raise OwnTransferError


async def count_open_bank(database: Database) -> Content:
    """Count the lines without a transfer, and transfers without a line after three days.

    Transfers count once the first statement was imported.
    """
    row = await bank.count_open(database, _expected_until())
    return {"lines": row.lines, "transfers": row.transfers}


async def list_missing(
    database: Database, *, before: UUID | None, limit: int
) -> Page[MissingTransfer]:
    """Return the transfers that ``count_open_bank`` counts, last confirmed first."""
    rows = await bank.list_missing(database, _expected_until(), before, limit + 1)
    return Page.of(rows, limit, _missing)


def _expected_until() -> date:
    """Return the last day whose transfers should be in a statement by now."""
    return clock.lagos_day(clock.now()) - LINE_GRACE_PERIOD


def _missing(row: UnbankedTransfer) -> MissingTransfer:
    return MissingTransfer(
        **dict(_transfer(row)),
        id=row.id,
        confirmed_at=row.received_at,
        confirmed_by=OperatorName.of(row.operator_id, row.operator_name),
    )


@dataclass(frozen=True)
class _Details:
    candidates: Mapping[UUID, Sequence[MatchedTransfer]]
    orders: Mapping[str, NamedOrder]

    def answer(self, row: BankLineRow) -> BankLineAnswer:
        numbers = _numbers_in(row) if row.receipt_id is None else []
        named = (self.orders[number] for number in numbers if number in self.orders)
        return BankLineAnswer(
            id=row.id,
            date=row.booked_on,
            amount=row.amount_kobo,
            reference=row.reference,
            narration=row.narration,
            state=BankLineState(row.state),
            imported_at=row.imported_at,
            matched_at=row.matched_at,
            matched_by=OperatorName.of(row.matched_by, row.operator_name),
            reason=row.reason,
            transfer=None if row.transfer is None else _transfer(row.transfer),
            candidates=[*self.candidates.get(row.id, ())],
            order=next(named, None),
        )


async def _read_details(runner: Runner, rows: Sequence[BankLineRow]) -> _Details:
    candidates: dict[UUID, list[MatchedTransfer]] = defaultdict(list)
    ambiguous = [row.id for row in rows if row.state == BankLineState.AMBIGUOUS]
    for each in await bank.list_candidates(runner, ambiguous) if ambiguous else ():
        candidates[each.line_id].append(_transfer(each))
    still_open = [row for row in rows if row.receipt_id is None]
    numbers = [number for row in still_open for number in _numbers_in(row)]
    awaiting = await bank.list_awaiting(runner, numbers, CONFIRMABLE) if numbers else ()
    orders = {
        each.number: NamedOrder(
            id=each.id,
            number=each.number,
            status=OrderStatus(each.status),
            total=each.total_kobo,
            received=each.received_kobo,
        )
        for each in awaiting
    }
    return _Details(candidates, orders)


def _numbers_in(row: BankLineRow) -> list[str]:
    return rules.order_numbers_in(f"{row.reference} {row.narration}")


def _transfer(row: OrderedTransfer) -> MatchedTransfer:
    return MatchedTransfer(
        order_id=row.order_id,
        order_number=row.order_number,
        bank=row.bank,
        reference=row.bank_reference,
        amount=row.amount_kobo,
        paid_on=row.paid_on,
    )
