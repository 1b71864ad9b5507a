"""Our tables beside the library's: the state of kinds, runs and workers."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import BigInteger, Identity, Index, text
from sqlalchemy.orm import Mapped, mapped_column

from api.foundation.database.tables import Base


class JobKindSeen(Base):
    """A kind's last heartbeat by a worker, and the results of its runs.

    A scheduled job next runs at ``due_at``, and has until ``runs_until`` at most; ``asked_at`` is
    when an operator requested it, null once that was done.
    """

    __tablename__ = "job_kind"

    name: Mapped[str] = mapped_column(primary_key=True)
    beat_at: Mapped[datetime]
    succeeded_at: Mapped[datetime | None]
    successes: Mapped[int] = mapped_column(BigInteger, server_default=text("0"))
    failures: Mapped[int] = mapped_column(BigInteger, server_default=text("0"))
    failed_at: Mapped[datetime | None]
    due_at: Mapped[datetime | None]
    runs_until: Mapped[datetime | None]
    asked_at: Mapped[datetime | None]


class JobRun(Base):
    """A run whose every result is stored; ``subject`` is what it worked on."""

    __tablename__ = "job_run"
    __table_args__ = (Index("ix_job_run_kind_started_at", "kind", "started_at"),)

    id: Mapped[int] = mapped_column(BigInteger, Identity(always=True), primary_key=True)
    kind: Mapped[str]
    subject: Mapped[str]
    started_at: Mapped[datetime]
    seconds: Mapped[float]
    size_bytes: Mapped[int] = mapped_column(BigInteger)
    succeeded: Mapped[bool]
    outcome: Mapped[str]  # a sentence


class JobWorker(Base):
    """A worker's last heartbeat; ``loop_lag_ms`` is the maximum since the previous one."""

    __tablename__ = "job_worker"

    id: Mapped[UUID] = mapped_column(primary_key=True)
    started_at: Mapped[datetime]
    beat_at: Mapped[datetime]
    resident_bytes: Mapped[int] = mapped_column(BigInteger)
    open_files: Mapped[int] = mapped_column(BigInteger)
    loop_lag_ms: Mapped[int] = mapped_column(BigInteger)
