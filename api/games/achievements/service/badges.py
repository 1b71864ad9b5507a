"""Badges: awarded once, in the transaction that earns them, and kept indefinitely."""

from collections.abc import Iterable
from datetime import datetime
from uuid import UUID

from api.foundation.database.database import Database, Transaction
from api.foundation.security.members import Member
from api.games.achievements import repository, rules
from api.games.achievements.enums import BadgeKey
from api.games.achievements.schemas import BadgeAnswer, BadgeProgress
from api.games.achievements.service.streaks import read_streak
from api.games.ranking.service import position as ranking_position
from api.games.ranking.service.position import SeasonPosition

# A rank that was skipped counts as reached.
RANKS = {
    BadgeKey.SUPER_FAN: ("super-fan", "king-of-fans"),
    BadgeKey.KING_OF_FANS: ("king-of-fans",),
}


async def earn(tx: Transaction, earned: Iterable[tuple[UUID, BadgeKey]], now: datetime) -> None:
    """Award badges in the caller's transaction; awarding one again changes nothing."""
    await repository.insert_badges(tx, earned, now)


async def list_badges(database: Database, member: Member, now: datetime) -> list[BadgeAnswer]:
    """Return all badges: the member's with the time earned, the others with the progress so far."""
    streak = await read_streak(database, member.user_id, now)
    earned = await repository.list_badges(database, member.user_id)
    reached = await ranking_position.first_reached(database, member.user_id)
    position = await ranking_position.season_position(database, member, now)
    for key, ranks in RANKS.items():
        moments = [reached[rank] for rank in ranks if rank in reached]
        if moments:
            earned[key] = min(moments)
    progress = {key: BadgeProgress(now=0, of=1) for key in BadgeKey}
    for key, days in rules.STREAK_BADGES.items():
        progress[key] = BadgeProgress(now=min(streak.days, days), of=days)
    exact = min(await repository.count_exact(database, member.user_id), rules.FIVE_EXACT)
    progress[BadgeKey.FIVE_EXACT] = BadgeProgress(now=exact, of=rules.FIVE_EXACT)
    climb = {key: _climb(position, key.value) for key in RANKS}
    return [
        BadgeAnswer(
            key=key,
            name=name,
            how=how,
            earned_at=earned.get(key),
            progress=None if key in earned else climb.get(key, progress[key]),
        )
        for key, (name, how) in rules.WORDS.items()
    ]


def _climb(position: SeasonPosition, rank: str) -> BadgeProgress | None:
    """Return the battle points towards a rank; None if the season does not have it."""
    threshold = position.threshold_of(rank)
    if threshold is None:
        return None
    return BadgeProgress(now=min(position.battle_points, threshold), of=threshold)
