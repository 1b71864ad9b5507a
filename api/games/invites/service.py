"""Invites: codes, invitations, and the points for both members."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from api.foundation.core import clock
from api.foundation.core.errors import NotFoundError
from api.foundation.core.ids import new_id
from api.foundation.core.supervisor import Job
from api.foundation.database.database import Database, Transaction
from api.games.achievements.enums import BadgeKey
from api.games.achievements.service import badges
from api.games.invites import repository, rules
from api.games.invites.rules import RewardFacts
from api.games.invites.schemas import InviteAnswer, InviterAnswer
from api.games.ranking.enums import PointSource
from api.games.ranking.repository.awards import Award
from api.games.ranking.service import boards as ranking_boards
from api.games.ranking.service import seasons
from api.people.clubs.service import queries as clubs_queries

MAX_ATTEMPTS = 5  # a collision occurs once in millions of members
BATCH_SIZE = 100
REWARD_SECONDS = 15.0


@dataclass(frozen=True)
class InviteContext:
    """Dependencies of invites; ``public_url`` is the app's address without a trailing slash."""

    database: Database
    public_url: str


class StoredInvitations:
    """Stores invitations for the code that opens accounts."""

    async def accept(self, tx: Transaction, user_id: UUID, invite: str, now: datetime) -> None:
        """Store that a new member joined through an invite; an invalid code changes nothing."""
        code = rules.read_code(invite)
        if code is not None:
            await repository.accept(tx, user_id, code, now)


async def read_invite(context: InviteContext, user_id: UUID, now: datetime) -> InviteAnswer:
    """Return a member's invite, created on first request.

    Raises:
        NotFoundError: the member's account is deleted.
    """
    code = await repository.read_code(context.database, user_id)
    tries = 0
    while code is None:
        if tries == MAX_ATTEMPTS:
            raise NotFoundError
        tries += 1
        await repository.insert_invite(context.database, user_id, rules.new_code(), now)
        code = await repository.read_code(context.database, user_id)
    season_id = await seasons.season_at(context.database, now)
    counted = await repository.count(context.database, user_id, season_id)
    return InviteAnswer(
        code=code,
        link=f"{context.public_url}/i/{code}",
        pending=counted.pending,
        rewarded=counted.rewarded,
        cap=rules.CAP,
        points_each=rules.REWARD_POINTS,
    )


async def read_inviter(context: InviteContext, written: str) -> InviterAnswer:
    """Return the inviter behind a code, however it was typed.

    Raises:
        NotFoundError: the code is unknown, or no longer valid.
    """
    code = rules.read_code(written)
    row = None if code is None else await repository.read_inviter(context.database, code)
    if row is None:
        raise NotFoundError
    return InviterAnswer(
        club_id=row.club_id,
        club_name=row.club_name,
        emblem=clubs_queries.emblem_of(row.club_id),
        first_name=row.first_name,
    )


async def reward(tx: Transaction, user_id: UUID, now: datetime) -> None:
    """Reward an invited member and their inviter once they have paid once or played on three days.

    The reward is granted once. Does nothing before it is due; may be called in any transaction that
    counts a day.
    """
    inviter_id = await repository.lock_due(tx, user_id, rules.DAYS_TO_PLAY)
    if inviter_id is None:
        return
    season_id = await seasons.season_at(tx, now)
    row = await repository.read_reward_facts(tx, user_id, inviter_id, season_id)
    for_inviter, for_invited = rules.rewards(
        RewardFacts(
            has_operator=row.has_operator,
            shares_browser=row.shares_browser,
            is_inviter_here=row.is_inviter_here,
            rewarded_this_season=row.rewarded,
        )
    )
    await repository.settle(tx, user_id, now, season_id, is_rewarded=for_inviter)
    won = []
    if for_invited:
        won.append((user_id, row.club_of_invited, False))
    if for_inviter:
        won.append((inviter_id, row.club_id, True))
        await badges.earn(tx, [(inviter_id, BadgeKey.INVITER)], now)
    awards = [
        Award(
            id=new_id(),
            user_id=winner_id,
            club_id=club_id,
            season_id=season_id,
            source=PointSource.INVITE,
            source_id=rules.award_reference(user_id, of_inviter=of_inviter),
            question_id=None,
            points=rules.REWARD_POINTS,
            answered=0,
            right=0,
            elapsed_ms=0,
            detail={"inviter": of_inviter},
            day=clock.lagos_day(now),
            now=now,
        )
        for winner_id, club_id, of_inviter in won
    ]
    await ranking_boards.award_many(tx, awards)


async def reward_due(database: Database, now: datetime) -> int:
    """Grant all due rewards, one transaction each; return how many were checked.

    Finds the rewards that payments and battles left due.
    """
    due = await repository.list_due(database, rules.DAYS_TO_PLAY, BATCH_SIZE)
    for user_id in due:
        async with database.transaction() as tx:
            await reward(tx, user_id, now)
    return len(due)


def reward_job(database: Database) -> Job:
    """Return the periodic step that grants due rewards."""

    async def step() -> None:
        while await reward_due(database, clock.now()) == BATCH_SIZE:
            pass

    return Job(name="reward_invites", step=step, every_seconds=REWARD_SECONDS)
