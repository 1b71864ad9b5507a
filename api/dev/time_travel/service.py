"""Backdates rows, and gives members points, streak days and notifications."""

from collections.abc import Mapping
from datetime import datetime, timedelta

from api.dev.time_travel import repository
from api.dev.time_travel.schemas import AgeInput, DaysInput, NotificationInput, PointsInput
from api.foundation.core import clock
from api.foundation.core.errors import NotFoundError
from api.foundation.core.ids import new_id
from api.foundation.database.database import Database
from api.foundation.office_settings import service as office_settings
from api.foundation.security.members import Member
from api.games.achievements.service import streaks
from api.games.ranking.enums import PointSource
from api.games.ranking.repository.awards import Award
from api.games.ranking.service import boards, seasons
from api.messaging.notifications import service as notifications
from api.messaging.notifications.rules import messages as notifications_messages

# Sample values of notifications' facts, by name.
FACTS: Mapping[str, notifications_messages.Fact] = {
    "amount_kobo": 500_000,
    "missing_kobo": 250_000,
    "received_kobo": 250_000,
    "change_kobo": 500_000,
    "bought": "order FC-TESTED",
    "number": "FC-TESTED",
    "reason": "The picture cannot be read.",
    "plan": "Terrace",
    "moment": "My moment",
    "club": "Enyimba",
    "rank": "Super Fan",
    "home": "Enyimba",
    "away": "Kano Pillars",
}


async def age(database: Database, form: AgeInput) -> None:
    """Backdate one row; the jobs do what follows from its age."""
    async with database.transaction() as tx:
        if not await repository.age(tx, form.kind, form.id, timedelta(seconds=form.seconds)):
            raise NotFoundError


async def give_points(database: Database, member: Member, form: PointsInput, now: datetime) -> None:
    """Award points as a game does, with all consequences."""
    async with database.transaction() as tx:
        await boards.award(
            tx,
            Award(
                id=new_id(),
                user_id=member.user_id,
                club_id=member.club_id,
                season_id=await seasons.season_at(tx, now),
                source=PointSource(form.source),
                source_id=new_id(),
                question_id=None,
                points=form.points,
                answered=1,
                right=1,
                elapsed_ms=0,
                detail={"right": 1, "of": 1},
                day=clock.lagos_day(now),
                now=now,
            ),
        )


async def give_days(database: Database, member: Member, form: DaysInput, now: datetime) -> None:
    """Set the days before today that count for the member's streak."""
    today = clock.lagos_day(now)
    active = [today - timedelta(days=days_ago) for days_ago in form.active]
    async with database.transaction() as tx:
        await streaks.set_days(tx, member.user_id, active, form.freezes, now)


async def notify(
    database: Database, member: Member, form: NotificationInput, now: datetime
) -> None:
    """Notify the caller of one kind, as a new event each time, by day or night."""
    subject = new_id()
    names = notifications_messages.names_of(form.kind)
    facts = {name: FACTS[name] for name in names if name in FACTS}
    facts |= {
        name: now + timedelta(days=1)
        for name in names
        if name.endswith(notifications_messages.INSTANTS)
    }
    facts |= {name: subject for name in names if name.endswith("_id")}
    async with database.transaction() as tx:
        holds = await office_settings.read_settings(tx)
        clock_shows = holds.quiet_from if form.night else holds.quiet_to
        hour_of = datetime.combine(clock.lagos_day(now), clock_shows, clock.LAGOS)
        await notifications.notify_each(
            tx, {member.user_id: facts}, form.kind, subject, now, hour_of=hour_of
        )
