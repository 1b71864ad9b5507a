from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, Index, SmallInteger, Text, func, text
from sqlalchemy.dialects.postgresql import ARRAY, JSONB
from sqlalchemy.orm import Mapped, mapped_column

from api.foundation.database.tables import Base, checked_text
from api.games.questions.enums import QuestionKind

OPTIONS = 4


class Question(Base):
    """One question with four options; ``club_id`` None is for all clubs.

    ``lot`` is the question's random sort key, assigned once and used to draw at random. A trigger
    refuses changes to all columns but ``retired_at``: attempts reference the row indefinitely.
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
        # For the back office's list, newest first.
        Index("ix_question_topic", "topic", "id"),
        Index("ix_question_club_id", "club_id", "id"),
        Index("ix_question_retired", "id", postgresql_where=text("retired_at IS NOT NULL")),
        Index(
            "ix_question_words",
            func.to_tsvector(text("'simple'::regconfig"), text("question")),
            postgresql_using="gin",
        ),
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


class QuestionStatistic(Base):
    """How a question was answered recently, as of the last count.

    ``by_rank`` is ``[{"rank": "rookie", "asked": 12, "right": 7}]``; ``median_ms`` is null if no
    answer was given against the clock.
    """

    __tablename__ = "question_statistic"
    __table_args__ = (
        CheckConstraint("right_count BETWEEN 0 AND asked", name="right_are_asked"),
        Index(
            "ix_question_statistic_flagged",
            "question_id",
            postgresql_where=text("cardinality(flags) > 0"),
        ),
    )

    question_id: Mapped[UUID] = mapped_column(ForeignKey("question.id"), primary_key=True)
    asked: Mapped[int]
    right_count: Mapped[int]
    median_ms: Mapped[int | None]
    by_rank: Mapped[list[dict[str, Any]]] = mapped_column(JSONB)
    flags: Mapped[list[str]] = mapped_column(ARRAY(Text))
    counted_at: Mapped[datetime]


class ImportRun(Base):
    """An uploaded file, the result of its check, and the bank it was checked against.

    ``digest`` is the file's SHA-256, ``bank_digest`` that of the live questions' ids at that time.
    """

    __tablename__ = "import_run"

    id: Mapped[UUID] = mapped_column(primary_key=True)
    digest: Mapped[str]
    bank_digest: Mapped[str]
    content: Mapped[bytes]
    problems: Mapped[list[dict[str, Any]]] = mapped_column(JSONB)
    created_at: Mapped[datetime]
    applied_at: Mapped[datetime | None]
