from datetime import datetime
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, Index, text
from sqlalchemy.orm import Mapped, mapped_column

from api.community.news.enums import ArticleStage
from api.foundation.database.tables import Base, checked_text


class Article(Base):
    """An article; ``club_id`` None is for all clubs.

    ``publish_at`` is when it is published; of a draft, the intended time. ``first_published_at`` is
    when members could first read it: from then on its slug does not change. ``picture`` is a media
    key. ``version`` grows with every change of the content.
    """

    __tablename__ = "article"
    __table_args__ = (
        CheckConstraint("stage <> 'published' OR publish_at IS NOT NULL", name="published_at_time"),
        CheckConstraint("slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'", name="slug_is_slug"),
        # A club's members see the articles of all clubs and their own, newest first.
        Index(
            "ix_article_club_id_published",
            "club_id",
            "publish_at",
            "id",
            postgresql_where=text("stage = 'published'"),
        ),
        Index("ix_article_publish_at", "publish_at", postgresql_where=text("stage = 'published'")),
        Index("ix_article_stage", "stage", "id"),
        Index("ix_article_picture", "picture", postgresql_where=text("picture IS NOT NULL")),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    slug: Mapped[str] = mapped_column(unique=True)
    title: Mapped[str]
    body: Mapped[str]
    summary: Mapped[str]
    club_id: Mapped[UUID | None] = mapped_column(ForeignKey("club.id"))
    picture: Mapped[str | None]
    stage: Mapped[ArticleStage] = mapped_column(checked_text(ArticleStage))
    publish_at: Mapped[datetime | None]
    first_published_at: Mapped[datetime | None]
    version: Mapped[int] = mapped_column(server_default=text("1"))
    created_at: Mapped[datetime] = mapped_column(server_default=text("now()"))
