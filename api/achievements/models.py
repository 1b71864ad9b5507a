"""Days that count, what bridges the others, and badges."""

from datetime import date, datetime
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column

from api.achievements.enums import BadgeKey
from api.database.tables import Base, checked_text


class StreakDay(Base):
    """A Lagos day that counts for a member."""

    __tablename__ = "streak_day"
    __table_args__ = (Index("ix_streak_day_day", "day"),)

    user_id: Mapped[UUID] = mapped_column(ForeignKey("user_account.id"), primary_key=True)
    day: Mapped[date] = mapped_column(primary_key=True)


class StreakFreeze(Base):
    """A missed day that a freeze bridges; once it is written it stays."""

    __tablename__ = "streak_freeze"
    __table_args__ = (Index("ix_streak_freeze_day", "day"),)

    user_id: Mapped[UUID] = mapped_column(ForeignKey("user_account.id"), primary_key=True)
    day: Mapped[date] = mapped_column(primary_key=True)


class Streak(Base):
    """What is settled of a member's days: up to ``settled_on`` a day counts, is bridged, or ended.

    ``best`` is the longest streak that was known then, in days that counted.
    """

    __tablename__ = "streak"
    __table_args__ = (CheckConstraint("best >= 0", name="best_not_negative"),)

    user_id: Mapped[UUID] = mapped_column(ForeignKey("user_account.id"), primary_key=True)
    best: Mapped[int]
    settled_on: Mapped[date]


class EarnedBadge(Base):
    """A badge that a member has; ranks are read from their promotions instead."""

    __tablename__ = "earned_badge"

    user_id: Mapped[UUID] = mapped_column(ForeignKey("user_account.id"), primary_key=True)
    key: Mapped[BadgeKey] = mapped_column(checked_text(BadgeKey), primary_key=True)
    earned_at: Mapped[datetime]
