"""Lists of refunds in the back office."""

from collections.abc import Mapping, Sequence
from uuid import UUID

from api.backoffice.refunds import repository
from api.backoffice.refunds.enums import RefundState, RefundSubject
from api.backoffice.refunds.repository import MemberRefund
from api.backoffice.refunds.schemas import RefundAnswer
from api.backoffice.refunds.service.sending import SEND_REFUND
from api.foundation.approvals import proposing
from api.foundation.core.money import Kobo
from api.foundation.database.database import Database, Transaction
from api.foundation.wire.results import Page
from api.money.wallet.schemas import MoneyMember


async def list_refunds(
    database: Database, state: RefundState | None, *, before: UUID | None, limit: int
) -> Page[RefundAnswer]:
    """Return refunds, newest first."""
    rows = await repository.list_refunds(database, state, before, limit + 1)
    waiting = await _read_waiting(database, rows)
    return Page.of(rows, limit, lambda row: _answer(row, waiting))


async def list_refunds_of(database: Database, user_id: UUID, limit: int) -> list[RefundAnswer]:
    """Return a member's refunds, newest first."""
    rows = await repository.list_refunds_of(database, user_id, limit)
    waiting = await _read_waiting(database, rows)
    return [_answer(row, waiting) for row in rows]


async def count_asked(database: Database) -> int:
    """Count the refunds that wait to be sent."""
    return await repository.count_asked(database)


async def owed(tx: Transaction, user_id: UUID) -> Kobo:
    """Return how much a member gets back of orders that the club cancelled."""
    return Kobo(await repository.read_owed(tx, user_id))


async def _read_waiting(database: Database, rows: Sequence[MemberRefund]) -> Mapping[UUID, UUID]:
    """Return the open proposals to send these refunds, by the refund's id."""
    asked = [row.id for row in rows if row.state == RefundState.ASKED]
    return await proposing.open_proposals(database, SEND_REFUND, "refundId", asked)


def _answer(row: MemberRefund, waiting: Mapping[UUID, UUID]) -> RefundAnswer:
    of_order = row.order_id is not None
    return RefundAnswer(
        id=row.id,
        subject=RefundSubject.ORDER if of_order else RefundSubject.SUBSCRIPTION,
        subject_id=row.subject_id,
        bought=row.bought,
        member=MoneyMember(id=row.user_id, first_name=row.first_name, last_name=row.last_name),
        amount=row.amount_kobo,
        restock=row.restock,
        ends_plan=row.ends_plan,
        reason=row.reason,
        state=RefundState(row.state),
        asked_at=row.asked_at,
        decided_at=row.decided_at,
        refusal=row.refusal,
        can_refuse=row.can_refuse,
        approval_id=waiting.get(row.id),
    )
