from datetime import date, datetime
from typing import Any
from uuid import UUID

from sqlalchemy import (
    ARRAY,
    CheckConstraint,
    ForeignKey,
    Index,
    SmallInteger,
    UniqueConstraint,
    Uuid,
    text,
)
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from api.foundation.database.tables import Base


class TriviaSet(Base):
    """The questions of one club on one Lagos day, frozen at the first request."""

    __tablename__ = "trivia_set"
    __table_args__ = (
        CheckConstraint("cardinality(question_ids) > 0", name="not_empty"),
        Index("ix_trivia_set_day", "day"),
    )

    club_id: Mapped[UUID] = mapped_column(ForeignKey("club.id"), primary_key=True)
    day: Mapped[date] = mapped_column(primary_key=True)
    question_ids: Mapped[list[UUID]] = mapped_column(ARRAY(Uuid))
    created_at: Mapped[datetime] = mapped_column(server_default=text("now()"))


class TriviaSchedule(Base):
    """The questions of a scheduled day, instead of a random draw; without a club, for all clubs."""

    __tablename__ = "trivia_schedule"
    __table_args__ = (
        UniqueConstraint("day", "club_id", postgresql_nulls_not_distinct=True),
        CheckConstraint("cardinality(question_ids) > 0", name="not_empty"),
        Index("ix_trivia_schedule_day", "day", "id"),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    day: Mapped[date]
    club_id: Mapped[UUID | None] = mapped_column(ForeignKey("club.id"))
    question_ids: Mapped[list[UUID]] = mapped_column(ARRAY(Uuid))


class TriviaAttempt(Base):
    """A member's one attempt of a day; the outcome is null until the submit.

    ``shown`` is ``[{"question": id, "order": [2, 0, 3, 1]}]``: key A showed the question's option
    2, B option 0, and so on. ``choices`` maps question ids to the chosen keys.
    """

    __tablename__ = "trivia_attempt"
    __table_args__ = (
        UniqueConstraint("user_id", "day"),
        CheckConstraint(
            "(submitted_at IS NULL) = (choices IS NULL) AND (submitted_at IS NULL) = "
            "(correct IS NULL) AND (submitted_at IS NULL) = (points IS NULL)",
            name="judged_when_submitted",
        ),
        CheckConstraint("correct BETWEEN 0 AND jsonb_array_length(shown)", name="correct_in_range"),
        CheckConstraint("points >= 0", name="points_not_negative"),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("user_account.id"))
    day: Mapped[date]
    club_id: Mapped[UUID] = mapped_column(ForeignKey("club.id"))
    shown: Mapped[list[dict[str, Any]]] = mapped_column(JSONB)
    issued_at: Mapped[datetime]
    submitted_at: Mapped[datetime | None]
    choices: Mapped[dict[str, str] | None] = mapped_column(JSONB)
    correct: Mapped[int | None] = mapped_column(SmallInteger)
    points: Mapped[int | None]
