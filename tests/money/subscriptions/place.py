"""Helpers for tests of plans: plans on offer, and subscribing by call or at a chosen time."""

from datetime import datetime
from typing import Any
from uuid import UUID

import httpx
from api.foundation.core.ids import new_id
from api.money.subscriptions.schemas import SubscribeAnswer, SubscribeInput
from api.money.subscriptions.service import buying

from tests.conftest import RunningApp, SignedIn

SUBSCRIBE = "/api/v1/users/subscription"


async def offer_plan(
    app: RunningApp,
    name: str = "Battle Pass",
    *,
    amount_kobo: int = 150_000,
    duration: int = 1,
    period: str = "month",
    battle_zone: bool = True,
    hidden: bool = False,
    position: int = 1,
) -> UUID:
    """Insert a plan and return its id."""
    plan_id = new_id()
    async with app.database.transaction() as tx:
        await tx.execute(
            "INSERT INTO plan (id, plan, amount_kobo, duration, period, benefits, battle_zone, "
            "hidden, position) VALUES ($1, $2, $3, $4, $5, "
            "ARRAY['Daily Quest', 'Battle Zone'], $6, $7, $8)",
            plan_id,
            name,
            amount_kobo,
            duration,
            period,
            battle_zone,
            hidden,
            position,
        )
    return plan_id


async def subscribe(
    member: SignedIn, plan_id: object, *, key: str | None = None, **changes: Any
) -> httpx.Response:
    """Subscribe to a plan over HTTP, now."""
    return await member.post(SUBSCRIBE, {"subscriptionId": str(plan_id)} | changes, key=key)


async def subscribe_at(
    app: RunningApp, member: SignedIn, plan_id: UUID, now: datetime
) -> SubscribeAnswer:
    """Subscribe at a chosen time."""
    form = SubscribeInput(subscription_id=plan_id)
    return (await buying.subscribe(app.database, member.id, form, None, now)).answer


async def transfers(app: RunningApp, member: SignedIn) -> list[tuple[str, int]]:
    """Return kind and kobo of the member's movements, oldest first."""
    rows = await app.database.fetch_rows(
        "SELECT t.kind, t.wallet_change_kobo FROM ledger_transfer t "
        "JOIN ledger_account a ON a.id = t.wallet_id WHERE a.owner_id = $1 ORDER BY t.wallet_entry",
        member.id,
    )
    return [(row["kind"], row["wallet_change_kobo"]) for row in rows]
