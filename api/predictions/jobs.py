"""What a change of a match leaves to be done: its predictions are settled."""

from datetime import timedelta
from uuid import UUID

from pydantic import BaseModel

from api.jobs.kinds import JobKind, Retries


class SettlingWork(BaseModel):
    """A match with a decision that its predictions have to be judged by."""

    fixture_id: UUID


# A job that is cut off goes on where it stopped, because every batch is committed by itself.
SETTLE_PREDICTIONS = JobKind(
    name="settle_predictions",
    payload=SettlingWork,
    retries=Retries(attempts=30),
    limit=timedelta(minutes=10),
)
