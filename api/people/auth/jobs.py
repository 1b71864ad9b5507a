"""The jobs of signing up and in: sending codes."""

from datetime import datetime, timedelta
from uuid import UUID

from pydantic import BaseModel

from api.foundation.jobs.kinds import JobKind, Retries
from api.people.auth.enums import CodePurpose


class CodeMail(BaseModel):
    """A code to be mailed; it is valid only for ``subject_id``. ``colours`` are the club's.

    ``first_name`` is None for a sign-up, whose name was typed by a person who has not proved the
    email.
    """

    subject_id: UUID
    email: str
    first_name: str | None
    purpose: CodePurpose
    code: str
    expires_at: datetime
    colours: tuple[str, str] | None = None


# More tries than fit into the life of a code: only its expiry ends them.
MAIL_CODE = JobKind(
    name="mail_code",
    payload=CodeMail,
    retries=Retries(attempts=25, max_retry_delay=timedelta(minutes=1)),
    limit=timedelta(seconds=30),
)


class CodeText(BaseModel):
    """A code to be sent by SMS; ``message_id`` is the row that records what becomes of it."""

    message_id: UUID
    phone: str
    first_name: str
    purpose: CodePurpose
    code: str
    expires_at: datetime


TEXT_CODE = JobKind(
    name="text_code",
    payload=CodeText,
    retries=Retries(attempts=25, max_retry_delay=timedelta(minutes=1)),
    limit=timedelta(seconds=30),
)
