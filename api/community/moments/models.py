from datetime import date, datetime
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, Index, func, text
from sqlalchemy.orm import Mapped, mapped_column

from api.community.moments.enums import MomentComplaint
from api.foundation.database.tables import Base, checked_text


class Moment(Base):
    """A posted moment; both keys refer to stored objects as long as the row exists.

    A moment hidden by operators or reports is on no list, and its objects are not served. A moment
    is private until its member shares it with their current club; a public one can also be watched
    by everybody who has its link.
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
        Index(
            "ix_moment_shared",
            "shared_club_id",
            "shared_at",
            postgresql_where=text("shared_at IS NOT NULL AND hidden_at IS NULL"),
        ),
        CheckConstraint(
            "(shared_at IS NULL) = (shared_club_id IS NULL)", name="shared_with_a_club"
        ),
        CheckConstraint("public_at IS NULL OR shared_at IS NOT NULL", name="public_is_shared"),
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
    shared_at: Mapped[datetime | None]
    shared_club_id: Mapped[UUID | None] = mapped_column(ForeignKey("club.id"))
    public_at: Mapped[datetime | None]


class MomentShare(Base):
    """A member shared a moment on a day in Lagos; the row stays when the share is taken back.

    ``shared_at`` is the first time on that day. The moment may be deleted.
    """

    __tablename__ = "moment_share"
    __table_args__ = (Index("ix_moment_share_day", "day"),)

    user_id: Mapped[UUID] = mapped_column(ForeignKey("user_account.id"), primary_key=True)
    day: Mapped[date] = mapped_column(primary_key=True)
    moment_id: Mapped[UUID] = mapped_column(primary_key=True)
    shared_at: Mapped[datetime] = mapped_column(server_default=func.now())


class MomentApplause(Base):
    """A member's applause for a moment."""

    __tablename__ = "moment_applause"
    __table_args__ = (Index("ix_moment_applause_user_id", "user_id"),)

    moment_id: Mapped[UUID] = mapped_column(ForeignKey("moment.id"), primary_key=True)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("user_account.id"), primary_key=True)
    applauded_at: Mapped[datetime]


class MomentReport(Base):
    """A member's report of a moment; open until a moderator decides it."""

    __tablename__ = "moment_report"
    __table_args__ = (
        Index("ix_moment_report_user_id", "user_id"),
        Index("ix_moment_report_open", "moment_id", postgresql_where=text("settled_at IS NULL")),
    )

    moment_id: Mapped[UUID] = mapped_column(ForeignKey("moment.id"), primary_key=True)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("user_account.id"), primary_key=True)
    reason: Mapped[MomentComplaint] = mapped_column(checked_text(MomentComplaint))
    reported_at: Mapped[datetime]
    settled_at: Mapped[datetime | None]
