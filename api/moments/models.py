"""The moments' table."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, Index, func, text
from sqlalchemy.orm import Mapped, mapped_column

from api.database.tables import Base


class Moment(Base):
    """One posted moment; both keys name stored objects for as long as the row stands.

    What operators have hidden is on no list, and its objects are not handed out.
    """

    __tablename__ = "moment"
    __table_args__ = (
        Index("ix_moment_user_id_id", "user_id", "id"),
        Index(
            "ix_moment_title",
            func.lower(text("title")).label("titled_as"),
            postgresql_ops={"titled_as": "text_pattern_ops"},
        ),
        Index("ix_moment_hidden", "id", postgresql_where=text("hidden_at IS NOT NULL")),
        CheckConstraint("title <> ''", name="title_not_blank"),
        CheckConstraint("video_bytes BETWEEN 1 AND 4194304", name="video_in_range"),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("user_account.id"))
    title: Mapped[str]
    content: Mapped[str]
    thumbnail_key: Mapped[str] = mapped_column(unique=True)
    video_key: Mapped[str] = mapped_column(unique=True)
    video_type: Mapped[str]
    video_bytes: Mapped[int]
    hidden_at: Mapped[datetime | None]
    created_at: Mapped[datetime] = mapped_column(server_default=text("now()"))
