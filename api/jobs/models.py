"""The table beside the library's own: what workers say of each kind of work."""

from datetime import datetime

from sqlalchemy.orm import Mapped, mapped_column

from api.database.tables import Base


class JobKindSeen(Base):
    """When a worker last said that it does a kind of work, and when that last succeeded."""

    __tablename__ = "job_kind"

    name: Mapped[str] = mapped_column(primary_key=True)
    beat_at: Mapped[datetime]
    succeeded_at: Mapped[datetime | None]
