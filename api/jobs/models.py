"""The tables beside the library's own: what workers say of each kind of work, and of themselves."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import BigInteger, text
from sqlalchemy.orm import Mapped, mapped_column

from api.database.tables import Base


class JobKindSeen(Base):
    """When a worker last said that it does a kind of work, and how often that went how."""

    __tablename__ = "job_kind"

    name: Mapped[str] = mapped_column(primary_key=True)
    beat_at: Mapped[datetime]
    succeeded_at: Mapped[datetime | None]
    successes: Mapped[int] = mapped_column(BigInteger, server_default=text("0"))
    failures: Mapped[int] = mapped_column(BigInteger, server_default=text("0"))


class JobWorker(Base):
    """A worker process at its last beat; ``loop_lag_ms`` is the longest since the one before."""

    __tablename__ = "job_worker"

    id: Mapped[UUID] = mapped_column(primary_key=True)
    started_at: Mapped[datetime]
    beat_at: Mapped[datetime]
    resident_bytes: Mapped[int] = mapped_column(BigInteger)
    open_files: Mapped[int] = mapped_column(BigInteger)
    loop_lag_ms: Mapped[int] = mapped_column(BigInteger)
