"""A member's streak: which days count, and which freezes bridge the others.

Freezes are spent when the streak is read or extended; a closed day is never closed again.
"""

from collections.abc import Sequence
from contextlib import suppress
from datetime import date, datetime, timedelta
from uuid import UUID

from api.foundation.core import clock
from api.foundation.core.errors import DatabaseUnavailableError
from api.foundation.database.database import Database, Transaction
from api.games.achievements import repository, rules
from api.games.achievements.rules import StreakDays
from api.games.achievements.schemas import StreakAnswer
from api.money.subscriptions.service import member_plans


async def count_day(tx: Transaction, user_id: UUID, day: date, now: datetime) -> None:
    """Count a Lagos day for a member, in the caller's transaction."""
    await count_days(tx, [(user_id, day)], now)


async def count_days(tx: Transaction, days: Sequence[tuple[UUID, date]], now: datetime) -> None:
    """Count days for several members; a day that already counts changes nothing."""
    new = await repository.insert_days(tx, days) if days else []
    if new:
        await _write(tx, await repository.list_known(tx, new, now), now)


async def read_streak(database: Database, user_id: UUID, now: datetime) -> StreakAnswer:
    """Return a member's streak, after spending freezes on the days missed since."""
    today, until = clock.lagos_day(now), rules.last_final_day(now)
    [known] = await repository.list_known(database, [user_id], now)
    if rules.missed(known, until):
        with suppress(DatabaseUnavailableError):  # reads still work on a read-only database
            async with database.transaction() as tx:
                await repository.lock_streak(tx, user_id)
                [known] = await _write(tx, await repository.list_known(tx, [user_id], now), now)
    days = rules.length_on(known, today, until)
    freezes = rules.freezes_a_week(has_plan=known.has_plan)
    return StreakAnswer(
        days=days,
        best=max(known.best, rules.best_length(known), days),
        done_today=today in known.played,
        freezes_left=rules.freezes_left(known, today, freezes),
        frozen_on=rules.shown_freezes(known, today),
        ended=None if days else rules.ended_at(known, today),
    )


async def streak_days(tx: Transaction, user_id: UUID, now: datetime) -> int:
    """Return the length of a member's streak, in the transaction that has just counted a day."""
    [known] = await repository.list_known(tx, [user_id], now)
    return rules.length_on(known, clock.lagos_day(now), rules.last_final_day(now))


async def set_days(
    tx: Transaction, user_id: UUID, active: Sequence[date], freezes: int | None, now: datetime
) -> None:
    """Set which days before today count for a member, and close the days between them.

    ``freezes`` is the number per week; None means the member's plan decides.
    """
    await repository.replace_days(tx, user_id, active, clock.lagos_day(now))
    await _write(tx, await repository.list_known(tx, [user_id], now), now, freezes)


async def _write(
    tx: Transaction, members: Sequence[StreakDays], now: datetime, freezes: int | None = None
) -> list[StreakDays]:
    """Close the members' missed days, store them, and award the badges of their streaks."""
    until = rules.last_final_day(now)
    unsettled = {known.user_id: rules.missed(known, until) for known in members}
    ends = {(user_id, _end_of(day)) for user_id, days in unsettled.items() for day in days}
    had_plan = await member_plans.had_plan(tx, ends) if ends else set()
    settled = [
        rules.close_days(
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
