"""Cancelling a funding: frees its share of the day's limit, and decides nothing."""

from typing import Any
from uuid import UUID

from api.foundation.core import clock
from api.foundation.core.errors import NotFoundError
from api.foundation.database import idempotency
from api.foundation.database.database import Transaction
from api.foundation.database.idempotency import Attempt
from api.money.payments import rules
from api.money.payments.enums import FundingState
from api.money.payments.errors import FundingDecidedError
from api.money.payments.repository import fundings
from api.money.payments.service.context import PaymentContext


async def cancel_funding(
    context: PaymentContext, user_id: UUID, reference: str, attempt: Attempt | None
) -> bool:
    """Cancel a checkout that its member has closed; idempotent.

    The provider is still asked about it, because the member may have paid before. Returns whether
    the call is a retry that has already been answered.

    Raises:
        NotFoundError: No such funding, or not this member's.
        FundingDecidedError: it was credited or set aside.
        KeyReusedError: the key has named another request.
    """
    async with context.database.transaction() as tx:
        funding = await fundings.lock_own_funding(tx, user_id, reference)
        if funding is None:
            raise NotFoundError
        state = FundingState(funding.state)

        async def cancel(tx: Transaction) -> dict[str, Any]:
            if state in rules.DECIDED:
                sentence = rules.SET_ASIDE if state is FundingState.REVIEW else None
                status = rules.status(state, is_cancelled=False)
                raise FundingDecidedError(sentence, content={"status": status.value})
            await fundings.change_cancelled(tx, reference, clock.now())
            return {"status": "cancelled"}

        _, is_replayed = await idempotency.once(tx, attempt, cancel)
    return is_replayed
