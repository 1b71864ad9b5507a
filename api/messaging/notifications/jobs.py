"""Stored jobs of notifications."""

from datetime import timedelta
from uuid import UUID

from pydantic import BaseModel

from api.foundation.jobs.kinds import FixedRetries, JobKind


class NotificationMail(BaseModel):
    """One mail to send; its recipient and text are read when it is sent."""

    notification_id: UUID


# Its name does not start with mail_: a job of those kinds that waits a minute raises an alarm.
NOTIFY_BY_MAIL = JobKind(
    name="notify_by_mail",
    payload=NotificationMail,
    retries=FixedRetries(
        (timedelta(minutes=1), timedelta(minutes=5), timedelta(minutes=30), timedelta(hours=6))
    ),
    limit=timedelta(seconds=30),
)
