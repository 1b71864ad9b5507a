"""The question for visitors, and the points for a right answer."""

from datetime import datetime
from uuid import UUID

from api.foundation.core import clock
from api.foundation.core.errors import NotFoundError
from api.foundation.core.ids import new_id
from api.foundation.database.database import Database, Transaction
from api.games.questions.schemas import KEYS, label_options
from api.games.ranking.enums import PointSource
from api.games.ranking.repository.awards import Award
from api.games.ranking.service import boards, seasons
from api.games.trivia.schemas import TriviaQuestion
from api.home.public import repository, rules
from api.home.public.rules import Claim
from api.home.public.schemas import VisitorResult


async def question_of_day(database: Database, now: datetime) -> TriviaQuestion | None:
    """Return the day's question for visitors, or None without any."""
    row = await repository.read_question_of_day(database, clock.lagos_day(now))
    if row is None:
        return None
    return TriviaQuestion(id=row.id, question=row.question, options=label_options(row.options))


async def answer(
    database: Database, claim_key: str, question_id: UUID, key: str, now: datetime
) -> VisitorResult:
    """Judge a visitor's answer; a right one comes with a claim.

    Raises:
        NotFoundError: it is not one of the questions for visitors.
    """
    row = await repository.read_question(database, question_id)
    if row is None:
        raise NotFoundError
    right = KEYS[row.right_option]
    claim = Claim(new_id(), now + rules.CLAIM_LIFE) if key == right else None
    return VisitorResult(
        correct=claim is not None,
        right_answer=right,
        explanation=row.explanation,
        claim=None if claim is None else rules.write_claim(claim_key, claim),
        claim_until=None if claim is None else claim.expires_at,
        points=0 if claim is None else rules.CLAIM_POINTS,
    )


class VisitorClaims:
    """Turns claims into the first points of new accounts."""

    def __init__(self, key: str) -> None:
        self._key = key

    async def redeem(
        self, tx: Transaction, user_id: UUID, club_id: UUID, text: str, now: datetime
    ) -> int:
        """Award a claim's points to a new account and return them; 0 for an invalid or used one."""
        claim = rules.read_claim(self._key, text, now)
        if claim is None or not await repository.use_claim(tx, claim.id, claim.expires_at):
            return 0
        award = Award(
            id=new_id(),
            user_id=user_id,
            club_id=club_id,
            season_id=await seasons.season_at(tx, now),
            source=PointSource.WELCOME,
            source_id=claim.id,
            question_id=None,
            points=rules.CLAIM_POINTS,
            answered=0,
            right=0,
            elapsed_ms=0,
            detail={},
            day=clock.lagos_day(now),
            now=now,
        )
        await boards.award(tx, award)
        return award.points
