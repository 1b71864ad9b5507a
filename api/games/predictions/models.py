from datetime import date, datetime
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, Index, SmallInteger, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from api.foundation.database.tables import Base, checked_text
from api.games.predictions.enums import PredictionOutcome


class Prediction(Base):
    """A member's predicted score of a match, and its result.

    ``settled_version`` is the last decision it was scored by, 0 before the first.
    """

    __tablename__ = "prediction"
    __table_args__ = (
        UniqueConstraint("user_id", "fixture_id"),
        CheckConstraint("home BETWEEN 0 AND 20", name="home_in_range"),
        CheckConstraint("away BETWEEN 0 AND 20", name="away_in_range"),
        CheckConstraint("(outcome = 'pending') = (points IS NULL)", name="points_when_settled"),
        Index("ix_prediction_fixture_id", "fixture_id", "settled_version", "user_id"),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    fixture_id: Mapped[UUID] = mapped_column(ForeignKey("fixture.id"))
    user_id: Mapped[UUID] = mapped_column(ForeignKey("user_account.id"))
    club_id: Mapped[UUID] = mapped_column(ForeignKey("club.id"))
    home: Mapped[int] = mapped_column(SmallInteger)
    away: Mapped[int] = mapped_column(SmallInteger)
    saved_at: Mapped[datetime]
    outcome: Mapped[PredictionOutcome] = mapped_column(
        checked_text(PredictionOutcome), server_default="pending"
    )
    points: Mapped[int | None]
    settled_version: Mapped[int] = mapped_column(server_default=text("0"))


class PredictionDecision(Base):
    """The effect of a match's version on its predictions; rows are never changed.

    With goals it is a result. Predictions saved from ``void_from`` to ``void_until``, both
    inclusive, are void. Month, round and season are those that the first result counts for.
    """

    __tablename__ = "prediction_decision"
    __table_args__ = (
        CheckConstraint("(home_goals IS NULL) = (away_goals IS NULL)", name="both_or_no_goals"),
        CheckConstraint("(void_from IS NULL) = (void_until IS NULL)", name="void_from_until"),
        CheckConstraint("home_goals IS NOT NULL OR void_from IS NOT NULL", name="decides"),
        Index(
            "ix_prediction_decision_decided_at",
            text("decided_at DESC"),
            "fixture_id",
            postgresql_where=text("home_goals IS NOT NULL"),
        ),
    )

    fixture_id: Mapped[UUID] = mapped_column(ForeignKey("fixture.id"), primary_key=True)
    version: Mapped[int] = mapped_column(primary_key=True)
    home_goals: Mapped[int | None] = mapped_column(SmallInteger)
    away_goals: Mapped[int | None] = mapped_column(SmallInteger)
    void_from: Mapped[datetime | None]
    void_until: Mapped[datetime | None]
    competition_id: Mapped[UUID] = mapped_column(ForeignKey("competition.id"))
    round: Mapped[str]
    month: Mapped[date]
    season_id: Mapped[UUID | None] = mapped_column(ForeignKey("season.id"))
    decided_at: Mapped[datetime]


class PredictionCrowd(Base):
    """The counts of a match's predictions, for its kick-off at a time."""

    __tablename__ = "prediction_crowd"

    fixture_id: Mapped[UUID] = mapped_column(ForeignKey("fixture.id"), primary_key=True)
    kick_off_at: Mapped[datetime] = mapped_column(primary_key=True)
    home: Mapped[int]
    draw: Mapped[int]
    away: Mapped[int]


class PredictionTotal(Base):
    """A member's totals on a board; ``results`` are right but not exact."""

    __tablename__ = "prediction_total"
    __table_args__ = (
        Index(
            "ix_prediction_total_all", "board", text("points DESC"), text("exact DESC"), "user_id"
        ),
        Index(
            "ix_prediction_total_club",
            "board",
            "club_id",
            text("points DESC"),
            text("exact DESC"),
            "user_id",
        ),
        Index("ix_prediction_total_settled_on", "settled_on"),
    )

    board: Mapped[str] = mapped_column(primary_key=True)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("user_account.id"), primary_key=True)
    club_id: Mapped[UUID] = mapped_column(ForeignKey("club.id"))
    points: Mapped[int]
    exact: Mapped[int]
    results: Mapped[int]
    settled_on: Mapped[date]
