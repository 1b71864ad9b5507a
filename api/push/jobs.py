"""What a notification leaves to be done for each browser: it is pushed."""

from datetime import timedelta
from uuid import UUID

from pydantic import BaseModel

from api.jobs.kinds import FixedRetries, JobKind


class PushTask(BaseModel):
    """A delivery is to be made; whom it goes to is read when it leaves."""

    delivery_id: UUID


SEND_PUSH = JobKind(
    name="send_push",
    payload=PushTask,
    retries=FixedRetries((timedelta(minutes=1), timedelta(minutes=5), timedelta(minutes=30))),
    limit=timedelta(seconds=30),
)
