"""What a change of a match leaves to be done: its predictions are settled."""

from datetime import timedelta
from uuid import UUID

from pydantic import BaseModel

from api.jobs.kinds import JobKind, Retries


class LeftRound(BaseModel):
    """A round that a match was taken out of."""

    competition_id: UUID
    name: str


class SettlingWork(BaseModel):
    """A match whose predictions have to be judged anew, or that was moved to another round."""

    fixture_id: UUID
    left_round: LeftRound | None = None


# A job that is cut off goes on where it stopped, because every batch is committed by itself.
SETTLE_PREDICTIONS = JobKind(
    name="settle_predictions",
    payload=SettlingWork,
    retries=Retries(attempts=30),
    limit=timedelta(minutes=10),
)
