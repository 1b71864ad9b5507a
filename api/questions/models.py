"""The question bank's table."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, Index, SmallInteger, Text, text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Mapped, mapped_column

from api.database.tables import Base, checked_text
from api.questions.enums import QuestionKind

OPTIONS = 4


class Question(Base):
    """One question with four options; ``club_id`` None is for all clubs.

    ``lot`` is the question's place among all others, drawn once, for choosing by chance.
    A trigger refuses to change anything but ``retired_at``: attempts point here for ever.
    """

    __tablename__ = "question"
    __table_args__ = (
        CheckConstraint(f"cardinality(options) = {OPTIONS}", name="four_options"),
        CheckConstraint("right_option BETWEEN 0 AND 3", name="right_option_in_range"),
        CheckConstraint("difficulty BETWEEN 1 AND 3", name="difficulty_in_range"),
        Index(
            "uq_question_live_slug",
            "slug",
            unique=True,
            postgresql_where=text("retired_at IS NULL"),
        ),
        Index(
            "ix_question_lot",
            "kind",
            "difficulty",
            "lot",
            postgresql_where=text("retired_at IS NULL"),
        ),
        Index("ix_question_live", "kind", "club_id", postgresql_where=text("retired_at IS NULL")),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    slug: Mapped[str]
    kind: Mapped[QuestionKind] = mapped_column(checked_text(QuestionKind))
    club_id: Mapped[UUID | None] = mapped_column(ForeignKey("club.id"))
    topic: Mapped[str]
    question: Mapped[str]
    options: Mapped[list[str]] = mapped_column(ARRAY(Text))
    right_option: Mapped[int] = mapped_column(SmallInteger)
    explanation: Mapped[str]
    source: Mapped[str]
    difficulty: Mapped[int] = mapped_column(SmallInteger)
    lot: Mapped[float] = mapped_column(server_default=text("random()"))
    retired_at: Mapped[datetime | None]
    created_at: Mapped[datetime] = mapped_column(server_default=text("now()"))
