"""Stored jobs of push."""

from datetime import timedelta
from uuid import UUID

from pydantic import BaseModel

from api.foundation.jobs.kinds import FixedRetries, JobKind


class PushTask(BaseModel):
    """One delivery to send; its recipient is read when it is sent."""

    delivery_id: UUID


SEND_PUSH = JobKind(
    name="send_push",
    payload=PushTask,
    retries=FixedRetries((timedelta(minutes=1), timedelta(minutes=5), timedelta(minutes=30))),
    limit=timedelta(seconds=30),
)
