"""Wire schemas of mails and backups (contract section E)."""

from pydantic import Field

from api.foundation.jobs.listing import StoredState
from api.foundation.wire.schemas import Instant, WireModel


class MailRow(WireModel):
    """A mail on its way, or dead; ``notBefore`` is when it is tried next.

    ``to`` is null when nobody is to have it any more; codes in ``subject`` are masked.
    """

    id: str = Field(examples=["4711"])
    kind: str = Field(examples=["mail-code"])
    to: str | None = Field(examples=["ada@example.com"])
    subject: str = Field(examples=["Your King of Fans activation code: ••••••"])
    state: StoredState
    tries: int
    not_before: Instant
    created_at: Instant
    error: str | None = Field(description="The kind of the last try's error")


class BackupRow(WireModel):
    """A backup that was tried: ``size`` in bytes, ``age`` and ``seconds`` in seconds.

    ``proven`` says whether it was restored on trial; ``error`` is why it, or that, failed.
    """

    id: str
    at: Instant
    name: str
    size: int
    age: int
    seconds: float
    proven: bool
    error: str | None


class AskedBackup(WireModel):
    """A backup that was asked for, and when."""

    asked_at: Instant


class RetriedMail(WireModel):
    """A mail that is tried again."""

    id: str
    state: StoredState
