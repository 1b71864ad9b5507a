"""Making rows older, and giving points and days."""

from datetime import datetime, timedelta

from api.achievements import service as achievements
from api.aging import repository
from api.aging.schemas import AgeInput, DaysInput, PointsInput
from api.core import clock
from api.core.errors import NotFoundError
from api.core.ids import new_id
from api.database.database import Database
from api.ranking import service as ranking
from api.ranking.enums import PointSource
from api.security.members import Member


async def age(database: Database, form: AgeInput) -> None:
    """Move one row into the past; what follows from its age is left to the jobs.

    Raises:
        NotFoundError: there is no such row.
    """
    async with database.transaction() as tx:
        if not await repository.age(tx, form.kind, form.id, timedelta(seconds=form.seconds)):
            raise NotFoundError


async def give_points(database: Database, member: Member, form: PointsInput, now: datetime) -> None:
    """Award points as a game does, with all that follows from them."""
    async with database.transaction() as tx:
        await ranking.award(
            tx,
            ranking.Award(
                id=new_id(),
                user_id=member.user_id,
                club_id=member.club_id,
                season_id=await ranking.season_at(tx, now),
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
    """Set which days before today count for the member's streak."""
    today = clock.lagos_day(now)
    active = [today - timedelta(days=days_ago) for days_ago in form.active]
    async with database.transaction() as tx:
        await achievements.set_days(tx, member.user_id, active, form.freezes, now)
