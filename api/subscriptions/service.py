"""The plans' rules: what is on offer, subscribing, and what the current plan allows."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from api.core.errors import DomainError
from api.core.ids import new_id
from api.database.database import Database, DatabaseRefusal
from api.database.idempotency import KeyReusedError, fingerprint
from api.subscriptions import repository
from api.subscriptions.enums import PlanPeriod
from api.subscriptions.errors import AlreadySubscribedError, PlanNotFoundError, PlanTakenBeforeError
from api.subscriptions.schemas import CurrentPlan, PlanAnswer, SubscribeAnswer, SubscribeInput
from api.wallet.service import refusals

REFUSALS: dict[str, type[DomainError]] = {
    "KF422": KeyReusedError,
    "KF432": AlreadySubscribedError,
    "KF433": PlanTakenBeforeError,
}
NO_PLAN = CurrentPlan(
    is_battle_zone_plan=False, subscription_id=None, plan=None, starts_at=None, ends_at=None
)


@dataclass(frozen=True)
class Subscribed:
    """A subscription's outcome; ``replayed`` when an earlier call with the key had bought it."""

    answer: SubscribeAnswer
    replayed: bool


async def list_plans(database: Database) -> list[PlanAnswer]:
    """Return the plans on offer, in the order of their cards."""
    return [
        PlanAnswer(
            id=row["id"],
            plan=row["plan"],
            amount=row["amount_kobo"],
            duration=row["duration"],
            period=PlanPeriod(row["period"]),
            benefits=",".join(row["benefits"]),
            battle_zone=row["battle_zone"],
        )
        for row in await repository.list_plans(database)
    ]


async def current_plan(database: Database, user_id: UUID, now: datetime) -> CurrentPlan:
    """Return which plan a member is on at ``now``; expiry is by date, nothing has to run."""
    row = await repository.read_current(database, user_id, now)
    if row is None:
        return NO_PLAN
    return CurrentPlan(
        is_battle_zone_plan=row["battle_zone"],
        subscription_id=row["plan_id"],
        plan=row["plan"],
        starts_at=row["starts_at"],
        ends_at=row["ends_at"],
    )


async def subscribe(
    database: Database, user_id: UUID, form: SubscribeInput, key: str | None, now: datetime
) -> Subscribed:
    """Put a member on a plan from ``now``, paid from the wallet: all of it or nothing.

    The unused whole days of another running plan come back to the wallet first, so that the
    shortfall of a refusal is net of them.

    Raises:
        NotFoundError: there is no such plan on offer.
        AlreadySubscribedError: the plan is the current one.
        PlanTakenBeforeError: it costs nothing and was had before.
        InsufficientFundsError: the wallet does not hold its price.
        KeyReusedError: the idempotency key named another plan.
    """
    plan_id = form.subscription_id
    wish = repository.NewSubscription(
        id=new_id(),
        credit_id=new_id(),
        user_id=user_id,
        plan_id=plan_id,
        now=now,
        key=key,
        fingerprint=fingerprint({"subscriptionId": str(plan_id)}),
    )
    try:
        with refusals():
            outcome = await repository.subscribe(database, wish)
    except DatabaseRefusal as refusal:
        raise _refused(refusal) from refusal
    return Subscribed(_answer(outcome), outcome["replayed"])


def _refused(refusal: DatabaseRefusal) -> Exception:
    if refusal.code == "KF431":
        return PlanNotFoundError()
    error = REFUSALS.get(refusal.code)
    return refusal if error is None else error()


def _answer(outcome: dict[str, Any]) -> SubscribeAnswer:
    return SubscribeAnswer(
        subscription_id=UUID(outcome["plan_id"]),
        plan=outcome["plan"],
        starts_at=datetime.fromisoformat(outcome["starts_at"]),
        ends_at=datetime.fromisoformat(outcome["ends_at"]),
        credited=outcome["credited_kobo"],
    )
