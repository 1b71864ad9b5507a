"""How members stand. No game awards points yet, so every board is still empty."""

from uuid import UUID

from api.clubs import service as clubs
from api.core.database import Database
from api.core.errors import NotFoundError
from api.ranking import repository
from api.ranking.schemas import Ranking, Standing, Statistics


async def statistics(database: Database, user_id: UUID) -> Statistics:
    """Return what the dashboard shows of a member's club and rank.

    Raises:
        NotFoundError: there is no such member.
    """
    row = await repository.read_standing(database, user_id)
    if row is None:
        raise NotFoundError
    ranking = Ranking(
        club_name=row["club_name"],
        emblem=clubs.emblem_of(row["club_id"]),
        badge=row["badge"],
        points=0,
        cnt=0,
        club_rank=None,
        club_members=row["club_members"],
    )
    return Statistics(ranking=ranking, leaderboard=[], me=Standing(rank=None, points=0))
