"""Plans on offer, and subscribing to one."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from api.foundation.core.ids import new_id
from api.foundation.core.money import Kobo
from api.foundation.database.database import Database, Transaction
from api.foundation.database.idempotency import Attempt, once
from api.money.subscriptions import rules
from api.money.subscriptions.enums import PlanPeriod
from api.money.subscriptions.errors import (
    AlreadySubscribedError,
    PlanChangedError,
    PlanNotFoundError,
    PlanTakenBeforeError,
)
from api.money.subscriptions.repository import plans, subscriptions
from api.money.subscriptions.rules import LatestPeriod
from api.money.subscriptions.schemas import (
    AgreedTerms,
    PlanAnswer,
    PlanOffer,
    SubscribeAnswer,
    SubscribeInput,
)
from api.money.wallet.enums import TransferKind
from api.money.wallet.service import ledger

ROUTE = "subscription"


@dataclass(frozen=True)
class SubscribeResult:
    """The outcome of a purchase; ``replayed`` if an earlier call with the key made it."""

    answer: SubscribeAnswer
    replayed: bool


async def list_plans(database: Database) -> list[PlanAnswer]:
    """Return the plans on offer, in the order of their cards."""
    return [
        PlanAnswer(
            id=row.id,
            plan=row.plan,
            amount=row.amount_kobo,
            duration=row.duration,
            period=PlanPeriod(row.period),
            benefits=",".join(row.benefits),
            battle_zone=row.battle_zone,
        )
        for row in await plans.list_plans(database)
    ]


async def add_plan(tx: Transaction, offer: PlanOffer) -> bool:
    """Insert a plan after the others; False, and nothing changes, if its name is taken."""
    return await plans.insert_plan(
        tx,
        new_id(),
        {
            "plan": offer.name,
            "amount_kobo": offer.naira,
            "duration": offer.duration,
            "period": offer.period,
            "benefits": offer.benefits,
            "battle_zone": offer.battle_zone,
        },
    )


async def subscribe(
    database: Database, user_id: UUID, form: SubscribeInput, key: str | None, now: datetime
) -> SubscribeResult:
    """Subscribe a member to a plan from ``now``, paid from the wallet, atomically.

    The unused whole days of another running plan are refunded to the wallet first, so the shortfall
    of a refusal is net of them.

    What was agreed is no part of the attempt: a repeat that saw new terms learns what the first
    call did.

    Raises:
        AlreadySubscribedError: the plan is the current one.
        PlanChangedError: it has other terms than were agreed.
        PlanTakenBeforeError: it is free and was taken before.
        KeyReusedError: the idempotency key named another plan.
    """
    plan_id = form.subscription_id
    attempt = Attempt.of(user_id, ROUTE, key, {"subscriptionId": str(plan_id)})
    async with database.transaction() as tx:
        outcome, is_replayed = await once(
            tx, attempt, lambda tx: _subscribe(tx, user_id, form, now)
        )
    return SubscribeResult(_answer(outcome), replayed=is_replayed)


async def _subscribe(
    tx: Transaction, user_id: UUID, form: SubscribeInput, now: datetime
) -> dict[str, Any]:
    """Post the transfer and insert the period; locks in order: the member's plans, the wallet."""
    plan_id = form.subscription_id
    await subscriptions.lock_member(tx, user_id)
    plan = await plans.read_offered(tx, plan_id)
    if plan is None:
        raise PlanNotFoundError
    terms = AgreedTerms.model_construct(
        amount=plan.amount_kobo, duration=plan.duration, period=PlanPeriod(plan.period)
    )
    if form.agreed is not None and form.agreed != terms:
        raise PlanChangedError
    latest = await subscriptions.read_latest(tx, user_id)
    if latest is not None and latest.plan_id == plan_id and latest.ends_at > now:
        raise AlreadySubscribedError
    if plan.amount_kobo == 0 and await subscriptions.has_taken_free(tx, user_id, plan_id):
        raise PlanTakenBeforeError
    credited, transfer_id = Kobo(0), None
    if latest is not None:
        credited = await refund_unused(tx, latest, now)
        replaced_at = max(now, latest.starts_at)
        await subscriptions.change_replaced(tx, latest.id, replaced_at, credited)
    bought_id = new_id()
    if plan.amount_kobo > 0:
        transfer_id = await ledger.debit(
            tx,
            user_id,
            plan.amount_kobo,
            kind=TransferKind.SUBSCRIPTION,
            reference=f"plan:{bought_id}",
        )
    ends_at = rules.period_end(now, plan.duration, plan.period)
    await subscriptions.insert_subscription(
        tx,
        subscriptions.NewSubscription(
            bought_id, user_id, plan_id, now, ends_at, plan.amount_kobo, transfer_id
        ),
    )
    return {
        "plan_id": str(plan_id),
        "plan": plan.plan,
        "starts_at": now.isoformat(),
        "ends_at": ends_at.isoformat(),
        "credited_kobo": credited,
    }


async def unused(tx: Transaction, latest: LatestPeriod | None, now: datetime) -> Kobo:
    """Return the value of the unused days of a paid period, in kobo; the member is locked."""
    if latest is None or latest.transfer_id is None or latest.ends_at <= now:
        return Kobo(0)
    return rules.unused_kobo(
        latest.amount_kobo,
        latest.starts_at,
        latest.ends_at,
        now,
        refunded_kobo=await ledger.refunded(tx, latest.transfer_id),
    )


async def refund_unused(tx: Transaction, latest: LatestPeriod, now: datetime) -> Kobo:
    """Refund the unused days of a paid period to the wallet, and return the amount."""
    credit = await unused(tx, latest, now)
    if credit > 0 and latest.transfer_id is not None:
        await ledger.refund(
            tx,
            latest.user_id,
            credit,
            reverses=latest.transfer_id,
            reference=f"unused:{latest.id}",
        )
    return credit


def _answer(outcome: dict[str, Any]) -> SubscribeAnswer:
    return SubscribeAnswer(
        subscription_id=UUID(outcome["plan_id"]),
        plan=outcome["plan"],
        starts_at=datetime.fromisoformat(outcome["starts_at"]),
        ends_at=datetime.fromisoformat(outcome["ends_at"]),
        credited=outcome["credited_kobo"],
    )
