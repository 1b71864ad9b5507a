"""Wire schemas of mails and backups (contract section E)."""

from pydantic import Field

from api.foundation.jobs.listing import StoredState
from api.foundation.wire.schemas import Instant, WireModel


class MailRow(WireModel):
    """A pending or dead mail; ``notBefore`` is when it is tried next.

    ``to`` is null if it no longer has a recipient; codes in ``subject`` are masked.
    """

    id: str = Field(examples=["4711"])
    kind: str = Field(examples=["mail-code"])
    to: str | None = Field(examples=["ada@example.com"])
    subject: str = Field(examples=["Your King of Fans activation code: ••••••"])
    state: StoredState
    tries: int
    not_before: Instant
    created_at: Instant
    error: str | None = Field(description="The type of the last attempt's error")


class BackupRow(WireModel):
    """A backup, also a failed one: ``size`` in bytes, ``age`` and ``seconds`` in seconds.

    ``proven`` is true if its restore test succeeded; ``error`` is why it, or that test, failed.
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
    """A requested backup."""

    asked_at: Instant


class RetriedMail(WireModel):
    """A mail that is retried."""

    id: str
    state: StoredState
