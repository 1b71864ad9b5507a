"""Reminders an hour before kick-off, to fans of both clubs and to members who asked for one."""

from datetime import datetime, timedelta
from uuid import UUID

from api.foundation.core import clock
from api.foundation.core.errors import NotFoundError
from api.foundation.core.supervisor import Job
from api.foundation.database.database import Database, Transaction
from api.games.matches.enums import FixtureState
from api.games.matches.errors import ReminderTooLateError
from api.games.matches.repository import queries, reminders
from api.games.matches.repository.queries import LockedMatch
from api.games.matches.rules.rows import NamedMatchRow
from api.games.matches.schemas.members import ReminderAnswer
from api.games.matches.service.queries import lock_match_shared
from api.games.matches.service.serializers import away_of, home_of
from api.messaging.notifications.enums import NotificationKind
from api.messaging.notifications.rules.messages import Fact
from api.messaging.notifications.service import notify_each

BEFORE = timedelta(minutes=60)
REMIND_SECONDS = 15.0
BATCH_SIZE = 500


async def is_reminded(database: Database, user_id: UUID, fixture_id: UUID) -> ReminderAnswer:
    """Return whether a member asked to be reminded of a match."""
    await _require(database, fixture_id)
    return ReminderAnswer(remind=await reminders.is_reminded(database, user_id, fixture_id))


async def remind(database: Database, user_id: UUID, fixture_id: UUID) -> ReminderAnswer:
    """Set a member's reminder of a match, also for a later kick-off; idempotent.

    The match is locked: its reminders begin either before or after this, so that no member falls
    between two batches.

    Raises:
        ReminderTooLateError: the reminder would not be sent any more.
    """
    async with database.transaction() as tx:
        state, kick_off_at = await lock_match_shared(tx, fixture_id)
        now = clock.now()
        is_coming = state is FixtureState.SCHEDULED and kick_off_at > now + BEFORE
        if not is_coming or await reminders.is_called(tx, fixture_id, kick_off_at):
            raise ReminderTooLateError
        await reminders.insert_reminder(tx, user_id, fixture_id, now)
    return ReminderAnswer(remind=True)


async def remove_reminder(database: Database, user_id: UUID, fixture_id: UUID) -> ReminderAnswer:
    """Remove a member's reminder of a match; idempotent."""
    await _require(database, fixture_id)
    await reminders.delete_reminder(database, user_id, fixture_id)
    return ReminderAnswer(remind=False)


def remind_job(database: Database) -> Job:
    """Return the job that sends reminders."""

    async def step() -> None:
        await remind_due(database, clock.now())

    return Job(name="remind_fixtures", step=step, every_seconds=REMIND_SECONDS)


async def remind_due(database: Database, now: datetime) -> int:
    """Notify members of kick-offs within the hour, once each; return how many were notified.

    Each batch is one transaction that holds the lock on the match's progress: workers take turns,
    and another one resumes where a worker died.
    """
    notified = 0
    for fixture_id in await reminders.list_soon(database, now, now + BEFORE):
        async with database.transaction() as tx:
            await _begin(tx, fixture_id, now)
        is_done = False
        while not is_done:
            async with database.transaction() as tx:
                count, is_done = await _notify_some(tx, fixture_id, now)
            notified += count
    return notified


async def _begin(tx: Transaction, fixture_id: UUID, now: datetime) -> None:
    """Close a match for new reminders; those in progress are committed first."""
    match = await reminders.lock_match(tx, fixture_id)
    if match is not None and _is_soon(match, now):
        await reminders.begin_call(tx, fixture_id, match.kick_off_at)


async def _notify_some(tx: Transaction, fixture_id: UUID, now: datetime) -> tuple[int, bool]:
    """Notify the next members of a match; return how many, and whether they were the last."""
    row = await queries.read_fixture(tx, fixture_id)
    if row is None or not _is_soon(row, now):
        return 0, True
    call = await reminders.lock_call(tx, fixture_id, row.kick_off_at)
    if call is None or call.is_done:
        return 0, True
    teams = (row.home_id, row.away_id)
    members = await reminders.list_called(tx, fixture_id, teams, call.last_user_id, BATCH_SIZE)
    is_done = len(members) < BATCH_SIZE
    last = members[-1] if members else call.last_user_id
    await reminders.change_call(tx, fixture_id, last, is_done=is_done)
    return (await _notify(tx, row, members, now) if members else 0), is_done


def _is_soon(match: LockedMatch | NamedMatchRow, now: datetime) -> bool:
    return match.state == FixtureState.SCHEDULED and match.kick_off_at <= now + BEFORE


async def _notify(tx: Transaction, row: NamedMatchRow, members: list[UUID], now: datetime) -> int:
    facts: dict[str, Fact] = {
        "home": home_of(row).name,
        "away": away_of(row).name,
        "fixture_id": row.id,
        "kick_off_at": row.kick_off_at,
    }
    subject = f"{row.id}:{row.kick_off_at.isoformat()}"
    facts_by_member = dict.fromkeys(members, facts)
    return await notify_each(tx, facts_by_member, NotificationKind.FIXTURE_SOON, subject, now)


async def _require(database: Database, fixture_id: UUID) -> None:
    if await queries.read_fixture(database, fixture_id) is None:
        raise NotFoundError
