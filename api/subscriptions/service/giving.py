"""Plans that members are given by the back office."""

from datetime import datetime
from uuid import UUID

from api.core import clock
from api.core.errors import NotFoundError
from api.core.ids import new_id
from api.core.money import Kobo
from api.database.database import Database, Transaction
from api.database.statements import Row
from api.http.admin_answers import Done
from api.http.wire import Content
from api.notifications.enums import NotificationKind
from api.notifications.service import notify
from api.operators import service as operators
from api.operators.service import ApprovalKind, Approved, Deed
from api.security.operators import Acting
from api.security.rights import Right
from api.subscriptions import repository, rules
from api.subscriptions.enums import PlanStanding
from api.subscriptions.errors import AlreadySubscribedError, PlanNotFoundError, PlanRunningError
from api.subscriptions.schemas import (
    GiftAnswer,
    GiftInput,
    GiftsAnswer,
    GiftsInput,
    GiftsWanted,
    SkippedGift,
)
from api.subscriptions.service.buying import give_back
from api.users import service as users

GIVE_PLANS = ApprovalKind("give-plans", Right.PLANS_WRITE, GiftsWanted)


async def give(
    database: Database, acting: Acting, user_id: UUID, form: GiftInput, now: datetime
) -> Done:
    """Give a member a plan from ``now``. A paid other one is credited as on a switch.

    Raises:
        NotFoundError: there is no such member, or no such plan.
        AlreadySubscribedError: they are on that plan.
        PlanRunningError: they have paid for another one, and ``replace`` was not said.
    """

    async def work(tx: Transaction) -> Done:
        plan = await repository.read_plan(tx, form.plan_id)
        if plan is None:
            raise PlanNotFoundError
        given = await _give(tx, user_id, plan, form.periods, now, replaces=form.replace)
        after = given.model_dump(mode="json") | form.model_dump(mode="json", exclude={"reason"})
        deed = Deed("gift", "member", user_id, after=after, reason=form.reason)
        await operators.audited(tx, acting, deed)
        return Done.of(given, status=201, message=f"The member is on {plan['plan']} now.")

    return await operators.perform(database, acting, form, work)


async def give_all(
    database: Database, acting: Acting, plan_id: UUID, form: GiftsInput, now: datetime
) -> Done:
    """Give members a plan from ``now``; who has one already is left out, and named.

    More than the limit of the settings wait for a second person.

    Raises:
        PlanNotFoundError: there is no such plan.
        SecondPersonNeededError: nobody else could decide it.
    """

    async def work(tx: Transaction) -> Done:
        if await repository.read_plan(tx, plan_id) is None:
            raise PlanNotFoundError
        user_ids = sorted(set(form.user_ids))
        wanted = GiftsWanted(plan_id=plan_id, user_ids=user_ids, periods=form.periods)
        if len(user_ids) > (await operators.read_settings(tx)).gift_limit:
            return await operators.propose(tx, acting, GIVE_PLANS, wanted, form.reason)
        given = await _give_all(tx, wanted, now)
        after = {**wanted.model_dump(mode="json"), **given.model_dump(mode="json")}
        deed = Deed("gifts", "plan", plan_id, after=after, reason=form.reason)
        await operators.audited(tx, acting, deed)
        return Done.of(given, status=201, message="The gifts have been given.")

    return await operators.perform(database, acting, form, work)


async def give_approved(tx: Transaction, approved: Approved) -> Content:
    """Give what a second person agreed to.

    Raises:
        PlanNotFoundError: there is no such plan.
    """
    given = await _give_all(tx, approved.content, clock.now())
    return given.model_dump(mode="json")


async def _give_all(tx: Transaction, wanted: GiftsWanted, now: datetime) -> GiftsAnswer:
    """Give each in the order of their ids, in which everybody locks several members."""
    plan = await repository.read_plan(tx, wanted.plan_id)
    if plan is None:
        raise PlanNotFoundError
    skipped = []
    for user_id in sorted(wanted.user_ids):
        try:
            await _give(tx, user_id, plan, wanted.periods, now, replaces=False)
        except (NotFoundError, AlreadySubscribedError, PlanRunningError) as refusal:
            skipped.append(SkippedGift(user_id=user_id, code=refusal.code))
    return GiftsAnswer(given=len(wanted.user_ids) - len(skipped), skipped=skipped)


async def _give(
    tx: Transaction, user_id: UUID, plan: Row, periods: int, now: datetime, *, replaces: bool
) -> GiftAnswer:
    """Write a member's gift; what it refuses, it refuses before anything is written."""
    if not await users.hold(tx, user_id):
        raise NotFoundError
    await repository.lock_member(tx, user_id)
    latest = await repository.read_latest(tx, user_id)
    is_running = rules.standing(latest, now) is PlanStanding.ACTIVE
    if latest is not None and is_running:
        if latest["plan_id"] == plan["id"]:
            raise AlreadySubscribedError
        if latest["amount_kobo"] > 0 and not replaces:
            raise PlanRunningError
    if latest is not None:
        credited = await give_back(tx, latest, now)
        replaced_at = max(now, latest["starts_at"])
        await repository.change_replaced(tx, latest["id"], replaced_at, credited)
    gift_id = new_id()
    ends_at = rules.period_end(now, plan["duration"] * periods, plan["period"])
    gift = repository.NewSubscription(
        gift_id, user_id, plan["id"], now, ends_at, Kobo(0), None, is_gift=True
    )
    await repository.insert_subscription(tx, gift)
    kind = NotificationKind.PLAN_GIFT
    await notify(tx, user_id, kind, gift_id, now, plan=plan["plan"], ends_at=ends_at)
    return GiftAnswer(id=gift_id, starts_at=now, ends_at=ends_at)
