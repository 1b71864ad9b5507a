"""The one streak of a member: which days count, and what bridges the others.

Freezes are spent when somebody looks, or plays again; a day that is settled is never settled anew.
"""

from collections.abc import Sequence
from contextlib import suppress
from datetime import date, datetime, timedelta
from uuid import UUID

from api.achievements import repository, rules
from api.achievements.rules import Known
from api.achievements.schemas import StreakAnswer
from api.core import clock
from api.core.errors import DatabaseUnavailableError
from api.database.database import Database, Transaction
from api.subscriptions import service as subscriptions


async def count_day(tx: Transaction, user_id: UUID, day: date, now: datetime) -> None:
    """Let a Lagos day count for a member, within the transaction that makes it count."""
    await count_days(tx, [(user_id, day)], now)


async def count_days(tx: Transaction, days: Sequence[tuple[UUID, date]], now: datetime) -> None:
    """Let days count for several members; one that counts already changes nothing."""
    new = await repository.insert_days(tx, days) if days else []
    if new:
        await _write(tx, await repository.list_known(tx, new, now), now)


async def read_streak(database: Database, user_id: UUID, now: datetime) -> StreakAnswer:
    """Return a member's streak, with freezes spent on what was missed since."""
    today, until = clock.lagos_day(now), rules.settles_on(now)
    [known] = await repository.list_known(database, [user_id], now)
    if rules.missed(known, until):
        with suppress(DatabaseUnavailableError):  # one that takes no writes is still read
            async with database.transaction() as tx:
                await repository.lock_streak(tx, user_id)
                [known] = await _write(tx, await repository.list_known(tx, [user_id], now), now)
    days = rules.length_on(known, today, until)
    freezes = rules.freezes_a_week(has_plan=known.has_plan)
    return StreakAnswer(
        days=days,
        best=max(known.best, rules.longest(known), days),
        done_today=today in known.played,
        freezes_left=rules.freezes_left(known, today, freezes),
        frozen_on=rules.shown_freezes(known, today),
        ended=None if days else rules.ended_at(known, today),
    )


async def streak_days(tx: Transaction, user_id: UUID, now: datetime) -> int:
    """Return the days of a member's streak, within the transaction that has counted one."""
    [known] = await repository.list_known(tx, [user_id], now)
    return rules.length_on(known, clock.lagos_day(now), rules.settles_on(now))


async def set_days(
    tx: Transaction, user_id: UUID, active: Sequence[date], freezes: int | None, now: datetime
) -> None:
    """Set which days before today count for a member, and settle what is between them.

    ``freezes`` is how many a week has; None leaves it to the member's plan.
    """
    await repository.replace_days(tx, user_id, active, clock.lagos_day(now))
    await _write(tx, await repository.list_known(tx, [user_id], now), now, freezes)


async def _write(
    tx: Transaction, members: Sequence[Known], now: datetime, freezes: int | None = None
) -> list[Known]:
    """Settle what members have missed, and give them the badges of their streaks."""
    until = rules.settles_on(now)
    unsettled = {known.user_id: rules.missed(known, until) for known in members}
    ends = {(user_id, _end_of(day)) for user_id, days in unsettled.items() for day in days}
    had_plan = await subscriptions.had_plan(tx, ends) if ends else set()
    settled = [
        rules.settle(
            known,
            until,
            {
                day: freezes
                or rules.freezes_a_week(has_plan=(known.user_id, _end_of(day)) in had_plan)
                for day in unsettled[known.user_id]
            },
        )
        for known in members
    ]
    await repository.change_streaks(tx, settled)
    earned = [
        (one.known.user_id, key) for one in settled for key in rules.streak_badges(one.known.best)
    ]
    await repository.insert_badges(tx, earned, now)
    return [one.known for one in settled]


def _end_of(day: date) -> datetime:
    return clock.midnight(day + rules.DAY) - timedelta(microseconds=1)
