"""What a notification leaves to be done: it is mailed."""

from datetime import timedelta
from uuid import UUID

from pydantic import BaseModel

from api.jobs.kinds import FixedRetries, JobKind


class NotificationMail(BaseModel):
    """A notification is to be mailed; whom it names is read when it leaves."""

    notification_id: UUID


# Not among the kinds mail_…, of which one that waits a minute is an alarm.
NOTIFY_BY_MAIL = JobKind(
    name="notify_by_mail",
    payload=NotificationMail,
    retries=FixedRetries(
        (timedelta(minutes=1), timedelta(minutes=5), timedelta(minutes=30), timedelta(hours=6))
    ),
    limit=timedelta(seconds=30),
)
