"""The job that scores predictions after a change of their match."""

from datetime import timedelta
from uuid import UUID

from pydantic import BaseModel

from api.foundation.jobs.kinds import JobKind, Retries


class PreviousRound(BaseModel):
    """A round that a match was moved out of."""

    competition_id: UUID
    name: str


class ScoringWork(BaseModel):
    """A match whose predictions have to be scored again, or that was moved to another round."""

    fixture_id: UUID
    left_round: PreviousRound | None = None


# An interrupted job resumes where it stopped, because every batch is its own transaction.
SCORE_PREDICTIONS = JobKind(
    name="settle_predictions",
    payload=ScoringWork,
    retries=Retries(attempts=30),
    limit=timedelta(minutes=10),
)
