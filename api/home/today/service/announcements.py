"""Notifications about games: promotions, the morning's quest, and places lost by the evening.

Each notification has a unique subject, so two workers send it once.
"""

from collections.abc import Awaitable, Callable
from datetime import date, datetime, time
from uuid import UUID

from api.foundation.core import clock
from api.foundation.core.clock import LAGOS, lagos_day
from api.foundation.core.supervisor import Job
from api.foundation.database.database import Database
from api.games.ranking.service import seasons
from api.home.today import repository, rules
from api.messaging.notifications import service as notifications
from api.messaging.notifications.enums import NotificationKind
from api.messaging.notifications.rules.messages import Fact
from api.messaging.notifications.rules.texts import TOP
from api.messaging.notifications.service import notify_each

PROMOTIONS_SECONDS = 5.0
POLL_INTERVAL_SECONDS = 30.0
BATCH_SIZE = 500


def today_jobs(database: Database) -> list[Job]:
    """Return the jobs that send the notifications."""

    async def promotions() -> None:
        while await notify_promotions(database, clock.now()) == BATCH_SIZE:
            pass

    return [
        Job(name="tell_promotions", step=promotions, every_seconds=PROMOTIONS_SECONDS),
        _daily("tell_quests", rules.QUEST_FROM, rules.QUEST_UNTIL, database, notify_quests),
        _daily("tell_overtaken", rules.TOP_FROM, rules.TOP_UNTIL, database, notify_overtaken),
    ]


async def notify_promotions(database: Database, now: datetime) -> int:
    """Notify members of promotions, once per rank and season; return how many there were."""
    async with database.transaction() as tx:
        taken = await repository.claim_promotions(tx, now, BATCH_SIZE)
        reached: dict[tuple[UUID, str], dict[UUID, dict[str, Fact]]] = {}
        for row in taken:
            facts: dict[str, Fact] = {"rank": rules.title_of_rank(row.rank)}
            reached.setdefault((row.season_id, row.rank), {})[row.user_id] = facts
        for (season_id, rank), facts_by_member in reached.items():
            subject = f"{season_id}:{rank}"
            await notify_each(tx, facts_by_member, NotificationKind.PROMOTION, subject, now)
    return len(taken)


async def notify_quests(database: Database, now: datetime) -> int:
    """Notify signed-in members that today's quest is open; return how many were notified.

    Each batch is one transaction. Notified members are not listed again, so another worker resumes
    where one died. Notifications of earlier quests are deleted.
    """
    day, after, notified = lagos_day(now), None, 0
    while True:
        async with database.transaction() as tx:
            members = await repository.list_active(
                tx, now - rules.ACTIVE_WINDOW, now, after, BATCH_SIZE
            )
            ready = await repository.list_quest_open(tx, members, day)
            if ready:
                facts: dict[UUID, dict[str, Fact]] = {user_id: {} for user_id in ready}
                notified += await notify_each(tx, facts, NotificationKind.QUEST_OPEN, day, now)
                await notifications.keep_newest(tx, ready, NotificationKind.QUEST_OPEN, day)
        if len(members) < BATCH_SIZE:
            return notified
        after = members[-1]


async def notify_overtaken(database: Database, now: datetime) -> int:
    """Notify members who left their club's top fifty since yesterday; return how many.

    Each club is one transaction that locks its row, once a day.
    """
    day, notified = lagos_day(now), 0
    for club_id in await repository.list_clubs(database, day):
        async with database.transaction() as tx:
            before = await repository.lock_top(tx, club_id, day)
            if before is None:
                continue
            season_id = await seasons.season_at(tx, now)
            first = await repository.read_top(tx, club_id, season_id, TOP)
            await repository.change_top(tx, club_id, season_id, day, first)
            lost = set(before.user_ids) - set(first)
            if not lost or before.season_id != season_id or season_id is None:
                continue
            still = await repository.list_still_there(tx, sorted(lost), club_id)
            facts: dict[UUID, dict[str, Fact]] = {
                user_id: {"club": before.club} for user_id in still
            }
            if facts:
                notified += await notify_each(tx, facts, NotificationKind.OVERTAKEN, day, now)
    return notified


def _daily(
    name: str,
    begins: time,
    ends: time,
    database: Database,
    notify: Callable[[Database, datetime], Awaitable[int]],
) -> Job:
    """Return a job that notifies once a day, between ``begins`` and ``ends`` in Lagos."""
    done: date | None = None

    async def step() -> None:
        nonlocal done
        now = clock.now()
        if done != lagos_day(now) and begins <= now.astimezone(LAGOS).time() < ends:
            await notify(database, now)
            done = lagos_day(now)

    return Job(name=name, step=step, every_seconds=POLL_INTERVAL_SECONDS)
