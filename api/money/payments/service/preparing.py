"""Preparing a funding: the intent is committed before the provider is called.

No webhook can arrive before its row, and no transaction is open during a call to the provider.
"""

import asyncio
from dataclasses import dataclass
from datetime import timedelta
from urllib.parse import urlencode
from uuid import UUID

from api.foundation.core import clock
from api.foundation.core.errors import DomainError, InvalidFieldError, NotFoundError
from api.foundation.core.money import Kobo
from api.foundation.database import idempotency
from api.foundation.database.database import Transaction
from api.foundation.database.idempotency import Attempt
from api.money.payments import rules
from api.money.payments.errors import GatewayUnavailableError
from api.money.payments.ports import CheckoutRequest
from api.money.payments.repository import fundings
from api.money.payments.repository.fundings import FundingOpening
from api.money.payments.schemas import PreparedFunding, prepared_answer
from api.money.payments.service.context import GatewayGuard, PaymentContext, daily_refusal
from api.people.users.service import account as users_account

OPENING_LIFE = timedelta(seconds=25)
WAIT_FOR_OTHER_SECONDS = 12.0
RECHECK_SECONDS = 0.1
UNKNOWN_GATEWAY = "Choose one of the payment providers that are offered."


@dataclass(frozen=True)
class FundingIntent:
    """A member's request; ``attempt`` is set when it carried an idempotency key.

    ``gateway`` is None for the default one.
    """

    user_id: UUID
    amount_kobo: Kobo
    attempt: Attempt | None
    gateway: str | None = None


@dataclass(frozen=True)
class PrepareResult:
    """The answer to a prepared funding, and whether it is a replay."""

    content: PreparedFunding
    replayed: bool


async def prepare_funding(context: PaymentContext, intent: FundingIntent) -> PrepareResult:
    """Open a checkout for a member; a retry with the same key gets the same checkout.

    Raises:
        InvalidFieldError: The amount is outside the limits, the daily one included, or the gateway
            is not offered.
        KeyReusedError: the key has named another request.
    """
    refusal = context.limits.refusal(intent.amount_kobo)
    if refusal is not None:
        raise InvalidFieldError.of("amount", refusal)
    wanted = context.gateway.name if intent.gateway is None else intent.gateway
    guard = context.find_gateway(wanted)
    if guard is None:
        raise InvalidFieldError.of("gateway", UNKNOWN_GATEWAY)
    member = await users_account.find(context.database, intent.user_id)
    if member is None:
        raise NotFoundError
    reserved = await _reserve_or_wait(context, guard, intent)
    if isinstance(reserved, PrepareResult):
        return reserved
    return await _open(context, guard, intent, reserved, member.email)


async def _reserve_or_wait(
    context: PaymentContext, guard: GatewayGuard, intent: FundingIntent
) -> str | PrepareResult:
    """Return a new committed reference, or the earlier answer to the same key.

    Waits while another request with the same key is at the provider.

    Raises:
        GatewayUnavailableError: The other request took too long.
    """
    waited_seconds = 0.0
    while waited_seconds < WAIT_FOR_OTHER_SECONDS:
        async with context.database.transaction() as tx:
            reserved = await _reserve(context, guard, tx, intent)
        if reserved is not None:
            return reserved
        await asyncio.sleep(RECHECK_SECONDS)
        waited_seconds += RECHECK_SECONDS
    raise GatewayUnavailableError


async def _reserve(
    context: PaymentContext, guard: GatewayGuard, tx: Transaction, intent: FundingIntent
) -> str | PrepareResult | None:
    """Commit the intent under a new reference; None while its key's checkout is being opened.

    Locks the funding's row before reading the key, because the request that opens the checkout
    writes both at once and must not do so in between.
    """
    attempt = intent.attempt
    await fundings.lock_member(tx, intent.user_id)
    if attempt is not None:
        kept = await fundings.lock_opening(tx, intent.user_id, attempt.key)
        answer = await idempotency.claim(tx, attempt)
        if answer is not None:
            return PrepareResult(PreparedFunding.model_validate(answer), replayed=True)
        if kept is not None and _is_being_opened(kept):
            return None
        if kept is not None:
            await fundings.change_unopened(tx, kept.reference)
    return await _insert(context, guard, tx, intent)


def _is_being_opened(kept: FundingOpening) -> bool:
    return kept.opening_until > clock.now()


async def _insert(
    context: PaymentContext, guard: GatewayGuard, tx: Transaction, intent: FundingIntent
) -> str:
    now = clock.now()
    refusal = await daily_refusal(context, tx, intent.user_id, intent.amount_kobo, now)
    if refusal is not None:
        raise InvalidFieldError.of("amount", refusal)
    reference = rules.new_reference()
    await fundings.insert_funding(
        tx,
        fundings.NewFunding(
            reference=reference,
            user_id=intent.user_id,
            gateway=guard.gateway.name,
            amount_kobo=intent.amount_kobo,
            currency=rules.CURRENCY,
            idempotency_key=intent.attempt.key if intent.attempt is not None else None,
            opening_until=now + OPENING_LIFE,
            created_at=now,
            next_check_at=rules.next_check_at(now, now),
        ),
    )
    return reference


async def _open(
    context: PaymentContext, guard: GatewayGuard, intent: FundingIntent, reference: str, email: str
) -> PrepareResult:
    try:
        checkout = await guard.gateway.open_checkout(
            CheckoutRequest(
                reference=reference,
                email=email,
                amount_kobo=intent.amount_kobo,
                currency=rules.CURRENCY,
                callback_url=guard.callback_url,
                user_id=str(intent.user_id),
            )
        )
    except DomainError:
        async with context.database.transaction() as tx:
            await fundings.change_unopened(tx, reference)
        raise
    query = urlencode({"trxref": reference, "reference": reference})
    content = PreparedFunding(
        gateway=guard.gateway.name,
        access_code=checkout.access_code,
        redirect_url=f"{guard.callback_url}?{query}",
        link=checkout.link,
        reference=reference,
        checkout=guard.checkout,
    )
    async with context.database.transaction() as tx:
        await fundings.change_opened(tx, reference)
        if intent.attempt is not None:
            await idempotency.store(tx, intent.attempt, prepared_answer(content))
    return PrepareResult(content, replayed=False)
