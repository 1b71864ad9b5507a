from datetime import date, datetime
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column

from api.foundation.database.tables import Base, checked_text
from api.games.achievements.enums import BadgeKey


class StreakDay(Base):
    """A Lagos day that counts for a member."""

    __tablename__ = "streak_day"
    __table_args__ = (Index("ix_streak_day_day", "day"),)

    user_id: Mapped[UUID] = mapped_column(ForeignKey("user_account.id"), primary_key=True)
    day: Mapped[date] = mapped_column(primary_key=True)


class StreakFreeze(Base):
    """A missed day bridged by a freeze; never changed."""

    __tablename__ = "streak_freeze"
    __table_args__ = (Index("ix_streak_freeze_day", "day"),)

    user_id: Mapped[UUID] = mapped_column(ForeignKey("user_account.id"), primary_key=True)
    day: Mapped[date] = mapped_column(primary_key=True)


class Streak(Base):
    """A member's closed days: up to ``settled_on`` each counts, is bridged, or ended the streak.

    ``best`` is the length of the longest streak at that time, in days that counted.
    """

    __tablename__ = "streak"
    __table_args__ = (CheckConstraint("best >= 0", name="best_not_negative"),)

    user_id: Mapped[UUID] = mapped_column(ForeignKey("user_account.id"), primary_key=True)
    best: Mapped[int]
    settled_on: Mapped[date]


class EarnedBadge(Base):
    """A member's badge; badges of ranks are read from the promotions instead."""

    __tablename__ = "earned_badge"

    user_id: Mapped[UUID] = mapped_column(ForeignKey("user_account.id"), primary_key=True)
    key: Mapped[BadgeKey] = mapped_column(checked_text(BadgeKey), primary_key=True)
    earned_at: Mapped[datetime]
