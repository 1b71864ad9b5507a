"""Refunds as operators look at them."""

from uuid import UUID

from api.database.database import Database
from api.database.statements import Row
from api.operators.schemas import Page
from api.refunds import repository
from api.refunds.enums import RefundState, RefundSubject
from api.refunds.schemas import RefundAnswer
from api.wallet.schemas import MoneyMember


async def list_refunds(
    database: Database, state: RefundState | None, *, before: UUID | None, limit: int
) -> Page[RefundAnswer]:
    """Return refunds, newest first."""
    return Page.of(
        await repository.list_refunds(database, state, before, limit + 1), limit, _answer
    )


async def list_refunds_of(database: Database, user_id: UUID, most: int) -> list[RefundAnswer]:
    """Return a member's refunds, newest first."""
    return [_answer(row) for row in await repository.list_refunds_of(database, user_id, most)]


async def count_asked(database: Database) -> int:
    """Count the refunds that wait to be sent."""
    return await repository.count_asked(database)


def _answer(row: Row) -> RefundAnswer:
    of_order = row["order_id"] is not None
    return RefundAnswer(
        id=row["id"],
        subject=RefundSubject.ORDER if of_order else RefundSubject.SUBSCRIPTION,
        subject_id=row["order_id"] or row["subscription_id"],
        bought=row["bought"],
        member=MoneyMember(
            id=row["user_id"], first_name=row["first_name"], last_name=row["last_name"]
        ),
        amount=row["amount_kobo"],
        restock=row["restock"],
        ends_plan=row["ends_plan"],
        reason=row["reason"],
        state=RefundState(row["state"]),
        asked_at=row["asked_at"],
        decided_at=row["decided_at"],
        refusal=row["refusal"],
    )
