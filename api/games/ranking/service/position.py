"""A member's season in one read, and its celebrations."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from api.foundation.core.errors import NotFoundError
from api.foundation.database.database import Database
from api.foundation.security.members import Member
from api.games.ranking import rules
from api.games.ranking.enums import KING_OF_FANS, CelebrationKind, PointSource
from api.games.ranking.repository import boards
from api.games.ranking.rules import LadderRank
from api.games.ranking.schemas import Celebration, SourcePoints


@dataclass(frozen=True)
class SeasonPosition:
    """A member's position in the season that began last.

    ``points`` are exact, ``club_rank`` is that of the last fold. ``rank_at`` is the threshold
    of the current rank; it and ``next_rank`` are None at the top.
    """

    points: int
    battle_points: int
    sources: list[SourcePoints]
    badge: str
    next_rank: str | None
    rank_at: int | None
    club_rank: int | None
    club_members: int
    ladder: Sequence[LadderRank]
    celebrations: list[Celebration]

    def threshold_of(self, rank: str) -> int | None:
        """Return the battle points that reach a rank; None if the ladder does not have it."""
        ranks = [*(rung.rank for rung in self.ladder), KING_OF_FANS]
        if not self.ladder or rank not in ranks:
            return None
        place = ranks.index(rank)
        return self.ladder[place - 1].threshold_point if place else 0


async def season_position(database: Database, member: Member, now: datetime) -> SeasonPosition:
    """Return a member's position."""
    row = await boards.read_season_position(database, member.user_id, member.club_id, now)
    if row is None:
        raise NotFoundError
    ladder = [
        LadderRank(rank, threshold)
        for rank, threshold in zip(row.ranks or (), row.thresholds or (), strict=True)
    ]
    battle_points = row.battle_points or 0
    place = rules.place_on(ladder, battle_points)
    missing = place.points_to_next
    return SeasonPosition(
        points=row.points or 0,
        battle_points=battle_points,
        sources=[
            SourcePoints(source=PointSource(source), points=points)
            for source, points in row.sources
        ],
        badge=place.rank if ladder else row.badge,
        next_rank=place.next_rank if ladder else None,
        rank_at=None if missing is None or not ladder else battle_points + missing,
        club_rank=row.club_rank,
        club_members=row.club_members,
        ladder=ladder,
        celebrations=[
            Celebration(id=id_, kind=CelebrationKind.PROMOTION, key=rank)
            for id_, rank in row.promotions
        ],
    )


async def first_reached(database: Database, user_id: UUID) -> dict[str, datetime]:
    """Return the ranks a member was ever promoted to, each with its first time."""
    return await boards.list_reached(database, user_id)


async def see_celebration(
    database: Database, user_id: UUID, celebration_id: UUID, now: datetime
) -> None:
    """Record that a member has seen a celebration, on any device; idempotent.

    Raises:
        NotFoundError: it is not the member's.
    """
    if not await boards.change_seen(database, user_id, celebration_id, now):
        raise NotFoundError
