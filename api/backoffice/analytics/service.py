"""Daily figures: counted periodically by a worker, and read for charts."""

from collections.abc import Mapping
from datetime import date, datetime, timedelta
from typing import Any

from api.backoffice.analytics import repository, rules
from api.backoffice.analytics.repository import DayFigureRow
from api.backoffice.analytics.schemas import DayFigures, FigureSeries
from api.community.chat.service import days as chat_days
from api.foundation.core import clock
from api.foundation.core.errors import InvalidFieldError
from api.foundation.core.supervisor import Job
from api.foundation.database.database import Database
from api.foundation.database.days import Day
from api.foundation.security.operators import Operator
from api.foundation.security.rights import Right
from api.games.battle import service as battle
from api.games.trivia.service import quest
from api.money.wallet.service import days as wallet_days
from api.people.users.service import account as users_account
from api.shop.service import days as shop_days

DAY = timedelta(days=1)
COUNTS = (
    *("active_members", "quest_members", "battle_members", "battle_answers"),
    *("chat_messages", "orders"),
)
MONEY = {"orders_total": "orders_kobo", "money_in": "money_in_kobo", "money_out": "money_out_kobo"}


async def read_figures(
    database: Database, operator: Operator, first: date | None, last: date | None, now: datetime
) -> FigureSeries:
    """Return the figures of each day, both days inclusive; by default of the last thirty days.

    Raises:
        InvalidFieldError: the range is invalid or too long.
    """
    last = last or clock.lagos_day(now)
    first = first or date.fromordinal(max(1, last.toordinal() - rules.SHOWN_BY_DEFAULT + 1))
    if not 0 <= (last - first).days < rules.MAX_DAYS:
        raise InvalidFieldError.of("from", rules.RANGE_SENTENCE)
    rows = {row.day: row for row in await repository.list_days(database, first, last)}
    shows_money = operator.holds(Right.MONEY_READ)
    days = (first + number * DAY for number in range((last - first).days + 1))
    return FigureSeries(
        days=[_shown(day, rows.get(day), shows_money=shows_money) for day in days],
        counted_at=max((row.counted_at for row in rows.values()), default=None),
    )


def count_days_job(database: Database) -> Job:
    """Return the job that periodically counts today, yesterday, and uncounted past days."""

    async def step() -> None:
        await count_days(database, clock.now())

    return Job(name="count_days", step=step, every_seconds=rules.COUNT_SECONDS)


async def count_days(database: Database, now: datetime) -> None:
    """Count today and yesterday, and some of the uncounted days since the first member.

    Past days do not change, except for what was in progress at midnight.
    """
    joined_at = await users_account.first_joined(database)
    if joined_at is None:
        return
    today = clock.lagos_day(now)
    first = max(clock.lagos_day(joined_at), clock.lagos_day(now - rules.BACKFILLED))
    missing = await repository.list_missing(
        database, first, today - 2 * DAY, rules.BACKFILLED_AT_ONCE
    )
    for day in (today, today - DAY, *missing):
        await repository.upsert(database, await _count(database, Day.of(day), now))


async def _count(database: Database, day: Day, now: datetime) -> Mapping[str, Any]:
    orders = await shop_days.count_day(database, day)
    quests = await quest.count_day(database, day)
    answers = await battle.count_day(database, day)
    messages = await chat_days.count_day(database, day)
    money_in, money_out = await wallet_days.count_day(database, day)
    active = {*orders.members, *quests.members, *answers.members, *messages.members}
    return {
        "day": day.day,
        "counted_at": now,
        "active_members": len(active),
        "quest_members": len(quests.members),
        "battle_members": len(answers.members),
        "battle_answers": answers.count,
        "chat_messages": messages.count,
        "orders": orders.count,
        "orders_kobo": orders.amount_kobo,
        "money_in_kobo": money_in,
        "money_out_kobo": money_out,
    }


def _shown(day: date, row: DayFigureRow | None, *, shows_money: bool) -> DayFigures:
    counts = {name: None if row is None else getattr(row, name) for name in COUNTS}
    money = {
        name: None if row is None or not shows_money else getattr(row, column)
        for name, column in MONEY.items()
    }
    return DayFigures(day=day, **counts, **money)
