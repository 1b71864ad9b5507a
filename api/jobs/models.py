"""The tables beside the library's own: what is said of each kind of work, and of single runs."""

from datetime import datetime

from sqlalchemy import BigInteger, Identity, Index
from sqlalchemy.orm import Mapped, mapped_column

from api.database.tables import Base


class JobKindSeen(Base):
    """When a worker last said that it does a kind of work, and when that last succeeded."""

    __tablename__ = "job_kind"

    name: Mapped[str] = mapped_column(primary_key=True)
    beat_at: Mapped[datetime]
    succeeded_at: Mapped[datetime | None]


class JobRun(Base):
    """One run of work whose every outcome is kept; ``subject`` is what it was about."""

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
