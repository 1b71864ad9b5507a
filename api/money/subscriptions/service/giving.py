"""Plans that the back office gives to members."""

from datetime import datetime
from uuid import UUID

from api.foundation.approvals import proposing
from api.foundation.approvals.enums import ApprovalReason
from api.foundation.approvals.kinds import ApprovalKind, Approved
from api.foundation.audit import reading
from api.foundation.audit import writing as audit
from api.foundation.audit.writing import AuditRecord
from api.foundation.core import clock
from api.foundation.core.errors import NotFoundError
from api.foundation.core.ids import new_id
from api.foundation.core.money import Kobo
from api.foundation.database.database import Database, Transaction
from api.foundation.security.operators import AdminRequest
from api.foundation.security.rights import Right
from api.foundation.wire.results import AdminResult
from api.foundation.wire.schemas import Content
from api.messaging.notifications.enums import NotificationKind
from api.messaging.notifications.service import notify
from api.money.subscriptions import rules
from api.money.subscriptions.enums import PlanPeriod, PlanStanding
from api.money.subscriptions.errors import (
    AlreadySubscribedError,
    PlanNotFoundError,
    PlanRunningError,
)
from api.money.subscriptions.repository import plans, subscriptions
from api.money.subscriptions.repository.plans import StoredPlan
from api.money.subscriptions.rules import LatestPeriod
from api.money.subscriptions.schemas import (
    GiftAnswer,
    GiftInput,
    GiftsAnswer,
    GiftsInput,
    GiftsWanted,
    SkippedGift,
)
from api.money.subscriptions.service.buying import refund_unused, unused
from api.money.wallet.enums import CreditKind
from api.money.wallet.repository.operator_credits import NewCredit
from api.money.wallet.service import operator_credits
from api.money.wallet.service.operator_credits import CreditAuthority, CreditDay
from api.people.users.service import account as users_account


async def _owners(_tx: Transaction, wanted: GiftsWanted) -> list[UUID]:
    return wanted.user_ids


async def _weigh(tx: Transaction, admin: AdminRequest, wanted: GiftsWanted) -> list[ApprovalReason]:
    now = clock.now()
    day = await operator_credits.open_day(tx, admin, now)
    plan = await _read_plan(tx, wanted.plan_id)
    return await _reasons(tx, day, plan, wanted, now)


GIVE_PLANS = ApprovalKind("give-plans", Right.PLANS_WRITE, GiftsWanted, _owners, _weigh)


async def give(
    database: Database, admin: AdminRequest, user_id: UUID, form: GiftInput, now: datetime
) -> AdminResult:
    """Grant a member a plan from ``now``; another paid plan is refunded as on a switch.

    A gift counts with the plan's price and the refund of a replaced paid plan. It waits for a
    second person if it is for the operator, above the limits of credits, or of a plan that the
    operator changed recently. Locks: the operator's day, the member, their plans.

    Raises:
        NotFoundError: there is no such member, or no such plan.
        AlreadySubscribedError: they are on that plan.
        PlanRunningError: they have paid for another one, and ``replace`` is not set.
        SecondPersonNeededError: no other operator could decide it.
    """

    async def work(tx: Transaction) -> AdminResult:
        day = await operator_credits.open_day(tx, admin, now)
        plan = await _read_plan(tx, form.plan_id)
        latest = await _lock_recipient(tx, user_id, plan, now, replaces=form.replace)
        wanted = GiftsWanted(
            plan_id=plan.id, user_ids=[user_id], periods=form.periods, replace=form.replace
        )
        if reasons := await _reasons(tx, day, plan, wanted, now):
            return await proposing.propose(tx, admin, GIVE_PLANS, wanted, form.reason, reasons)
        given = await _give(tx, user_id, plan, form.periods, latest, day, now)
        after = given.model_dump(mode="json") | form.model_dump(mode="json", exclude={"reason"})
        record = AuditRecord("gift", "member", user_id, after=after, reason=form.reason)
        await audit.audited(tx, admin, record)
        return AdminResult.of(given, status=201, message=f"The member is on {plan.plan} now.")

    return await audit.perform(database, admin, form, work)


async def give_all(
    database: Database, admin: AdminRequest, plan_id: UUID, form: GiftsInput, now: datetime
) -> AdminResult:
    """Grant members a plan from ``now``; members who already have one are skipped and listed.

    Each gift counts with the plan's price. A list above the configured size, one that includes the
    operator, and one above the limits of credits need a second person.

    Raises:
        SecondPersonNeededError: no other operator could decide it.
    """

    async def work(tx: Transaction) -> AdminResult:
        day = await operator_credits.open_day(tx, admin, now)
        plan = await _read_plan(tx, plan_id)
        user_ids = sorted(set(form.user_ids))
        wanted = GiftsWanted(plan_id=plan_id, user_ids=user_ids, periods=form.periods)
        if reasons := await _reasons(tx, day, plan, wanted, now):
            return await proposing.propose(tx, admin, GIVE_PLANS, wanted, form.reason, reasons)
        given = await _give_all(tx, wanted, day, now)
        after = {**wanted.model_dump(mode="json"), **given.model_dump(mode="json")}
        record = AuditRecord("gifts", "plan", plan_id, after=after, reason=form.reason)
        await audit.audited(tx, admin, record)
        return AdminResult.of(given, status=201, message="The gifts have been given.")

    return await audit.perform(database, admin, form, work)


async def give_approved(tx: Transaction, approved: Approved) -> Content:
    """Grant the plans that a second person approved."""
    given = await _give_all(tx, approved.content, approved, clock.now())
    return given.model_dump(mode="json")


async def _give_all(
    tx: Transaction, wanted: GiftsWanted, by: CreditAuthority, now: datetime
) -> GiftsAnswer:
    """Grant each a plan in the order of their ids, the lock order for several members."""
    plan = await _read_plan(tx, wanted.plan_id)
    skipped = []
    for user_id in sorted(wanted.user_ids):
        try:
            latest = await _lock_recipient(tx, user_id, plan, now, replaces=wanted.replace)
        except (NotFoundError, AlreadySubscribedError, PlanRunningError) as refusal:
            skipped.append(SkippedGift(user_id=user_id, code=refusal.code))
        else:
            await _give(tx, user_id, plan, wanted.periods, latest, by, now)
    return GiftsAnswer(given=len(wanted.user_ids) - len(skipped), skipped=skipped)


async def _read_plan(tx: Transaction, plan_id: UUID) -> StoredPlan:
    plan = await plans.read_plan(tx, plan_id)
    if plan is None:
        raise PlanNotFoundError
    return plan


async def _reasons(
    tx: Transaction, day: CreditDay, plan: StoredPlan, wanted: GiftsWanted, now: datetime
) -> list[ApprovalReason]:
    """Return why an operator may not give alone; refunds of replaced plans count too."""
    user_ids, worth = set(wanted.user_ids), _worth(plan, wanted.periods)
    returned: list[Kobo] = []
    if wanted.replace or len(user_ids) == 1:  # in a list, members with a running plan are skipped
        replaced = await subscriptions.list_latest(tx, user_ids)
        returned = [await unused(tx, period, now) for period in replaced]
    reasons = day.reasons(
        user_ids,
        each_kobo=worth + max(returned, default=0),
        together_kobo=len(user_ids) * worth + sum(returned),
    )
    if len(user_ids) > day.limits.gift_limit and ApprovalReason.LIMIT not in reasons:
        reasons.append(ApprovalReason.LIMIT)
    # An operator who changed a plan recently may not give it alone.
    if await reading.has_changed(tx, day.operator, [plan.id], now, but=("create", "gifts")):
        reasons.append(ApprovalReason.OWN_PRODUCT)
    return reasons


def _worth(plan: StoredPlan, periods: int) -> Kobo:
    return Kobo(plan.amount_kobo * periods)


async def _lock_recipient(
    tx: Transaction, user_id: UUID, plan: StoredPlan, now: datetime, *, replaces: bool
) -> LatestPeriod | None:
    """Lock a member who may be given a plan, and return their latest period."""
    if not await users_account.hold(tx, user_id):
        raise NotFoundError
    await subscriptions.lock_member(tx, user_id)
    latest = await subscriptions.read_latest(tx, user_id)
    is_running = rules.plan_state(latest, now) is PlanStanding.ACTIVE
    if latest is not None and is_running:
        if latest.plan_id == plan.id:
            raise AlreadySubscribedError
        if latest.amount_kobo > 0 and not replaces:
            raise PlanRunningError
    return latest


async def _give(
    tx: Transaction,
    user_id: UUID,
    plan: StoredPlan,
    periods: int,
    latest: LatestPeriod | None,
    by: CreditAuthority,
    now: datetime,
) -> GiftAnswer:
    """Insert the gift of a locked member; its worth includes the refund of a replaced plan."""
    credited = Kobo(0)
    if latest is not None:
        credited = await refund_unused(tx, latest, now)
        replaced_at = max(now, latest.starts_at)
        await subscriptions.change_replaced(tx, latest.id, replaced_at, credited)
    gift_id = new_id()
    ends_at = rules.period_end(now, plan.duration * periods, PlanPeriod(plan.period))
    gift = subscriptions.NewSubscription(
        gift_id, user_id, plan.id, now, ends_at, Kobo(0), None, is_gift=True
    )
    await subscriptions.insert_subscription(tx, gift)
    worth = _worth(plan, periods) + credited
    caused = NewCredit(
        *(CreditKind.GIFT, user_id, gift_id, f"gift:{gift_id}", worth), counted_kobo=worth
    )
    await operator_credits.record_credit(tx, by, caused, now)
    kind = NotificationKind.PLAN_GIFT
    await notify(tx, user_id, kind, gift_id, now, plan=plan.plan, ends_at=ends_at)
    return GiftAnswer(id=gift_id, starts_at=now, ends_at=ends_at)
