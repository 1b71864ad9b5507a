"""Seasons, ranks, the points ledger, and the boards folded from it.

An award is one SQL function (``award_points``): it writes the entry, the member's totals and the
rank in one transaction, and a pending row that the next fold adds to the boards. No row shared by
many members is written, so concurrent answers never wait for each other.
"""

from datetime import date, datetime
from typing import Any
from uuid import UUID

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    ForeignKey,
    Identity,
    Index,
    SmallInteger,
    UniqueConstraint,
    func,
    text,
)
from sqlalchemy.dialects.postgresql import JSONB, ExcludeConstraint
from sqlalchemy.orm import Mapped, mapped_column

from api.foundation.database.tables import Base, checked_text
from api.games.ranking.enums import Period, PointSource


class Season(Base):
    """A season's dates and rules (spec 3: battle config)."""

    __tablename__ = "season"
    __table_args__ = (
        CheckConstraint("starts_at < ends_at", name="ends_after_start"),
        CheckConstraint("point_per_question BETWEEN 1 AND 1000", name="points_in_range"),
        CheckConstraint("question_time_limit BETWEEN 3 AND 300", name="time_limit_in_range"),
        CheckConstraint("questions_per_day BETWEEN 1 AND 100", name="quota_in_range"),
        ExcludeConstraint(
            (func.tstzrange(text("starts_at"), text("ends_at")), "&&"),
            name="ex_season_no_overlap",
            using="gist",
        ),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(unique=True)
    starts_at: Mapped[datetime]
    ends_at: Mapped[datetime]
    point_per_question: Mapped[int]
    question_time_limit: Mapped[int]
    questions_per_day: Mapped[int]
    created_at: Mapped[datetime] = mapped_column(server_default=text("now()"))
    version: Mapped[int] = mapped_column(server_default=text("1"))


class BattleRank(Base):
    """A rank of a season, left with ``threshold_point`` battle points (contract B-60).

    ``starts_at`` and ``ends_at`` bound when members of the rank may play; None is the season's own
    bound (contract B-61).
    """

    __tablename__ = "battle_rank"
    __table_args__ = (
        UniqueConstraint("season_id", "threshold_point"),
        CheckConstraint("threshold_point > 0", name="threshold_positive"),
        CheckConstraint("starts_at < ends_at", name="ends_after_start"),
        CheckConstraint("rank ~ '^[a-z]+(-[a-z]+)*$'", name="rank_is_slug"),
    )

    season_id: Mapped[UUID] = mapped_column(ForeignKey("season.id"), primary_key=True)
    rank: Mapped[str] = mapped_column(primary_key=True)
    threshold_point: Mapped[int]
    starts_at: Mapped[datetime | None]
    ends_at: Mapped[datetime | None]


class PointEntry(Base):
    """An award. Never changed; one per source, so that nothing is awarded twice.

    Points are taken back by an award with negative points.

    Only ``award_points`` inserts rows, from rows that hold the club, season and question; foreign
    keys to them would take four more locks per answer.
    """

    __tablename__ = "point_entry"
    __table_args__ = (
        UniqueConstraint("source", "source_id"),
        CheckConstraint("points <> 0", name="points_not_zero"),
        Index("ix_point_entry_user_id_earned_at", "user_id", "earned_at", "id"),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("user_account.id"))
    club_id: Mapped[UUID]
    season_id: Mapped[UUID | None]
    source: Mapped[PointSource] = mapped_column(checked_text(PointSource))
    source_id: Mapped[UUID]
    question_id: Mapped[UUID | None]
    points: Mapped[int]
    elapsed_ms: Mapped[int]
    detail: Mapped[dict[str, Any]] = mapped_column(JSONB)
    day: Mapped[date]
    earned_at: Mapped[datetime]


class MemberSeason(Base):
    """A member's totals in a season; ``answered`` counts answers given, not time-outs."""

    __tablename__ = "member_season"
    __table_args__ = (
        CheckConstraint("battle_points <= points", name="battle_points_are_points"),
        CheckConstraint("answered_correctly <= answered", name="right_are_answered"),
        {"postgresql_with": {"fillfactor": "70"}},
    )

    user_id: Mapped[UUID] = mapped_column(ForeignKey("user_account.id"), primary_key=True)
    season_id: Mapped[UUID] = mapped_column(ForeignKey("season.id"), primary_key=True)
    club_id: Mapped[UUID] = mapped_column(ForeignKey("club.id"))
    points: Mapped[int]
    battle_points: Mapped[int]
    answered: Mapped[int]
    answered_correctly: Mapped[int]
    badge: Mapped[str]


class RankPromotion(Base):
    """A promotion: kept indefinitely, and celebrated until the member has seen it."""

    __tablename__ = "rank_promotion"
    __table_args__ = (
        Index("ix_rank_promotion_untold", "promoted_at", postgresql_where=text("told_at IS NULL")),
    )

    user_id: Mapped[UUID] = mapped_column(ForeignKey("user_account.id"), primary_key=True)
    season_id: Mapped[UUID] = mapped_column(ForeignKey("season.id"), primary_key=True)
    rank: Mapped[str] = mapped_column(primary_key=True)
    promoted_at: Mapped[datetime]
    id: Mapped[UUID] = mapped_column(server_default=text("gen_random_uuid()"))
    seen_at: Mapped[datetime | None]
    told_at: Mapped[datetime | None]


class PointsPending(Base):
    """An award not folded into the boards yet."""

    __tablename__ = "points_pending"

    id: Mapped[int] = mapped_column(BigInteger, Identity(always=True), primary_key=True)
    user_id: Mapped[UUID]
    club_id: Mapped[UUID]
    season_id: Mapped[UUID | None]
    day: Mapped[date]
    points: Mapped[int]
    elapsed_ms: Mapped[int]
    earned_at: Mapped[datetime]


class Board(Base):
    """A period with points; ``starts_on`` is its first Lagos day, None for a season."""

    __tablename__ = "board"
    __table_args__ = (
        UniqueConstraint("period", "starts_on", "season_id", postgresql_nulls_not_distinct=True),
        CheckConstraint("(period = 'season') = (season_id IS NOT NULL)", name="season_named"),
        CheckConstraint("(period = 'season') = (starts_on IS NULL)", name="others_dated"),
    )

    id: Mapped[int] = mapped_column(Identity(always=True), primary_key=True)
    period: Mapped[Period] = mapped_column(checked_text(Period))
    starts_on: Mapped[date | None]
    season_id: Mapped[UUID | None] = mapped_column(ForeignKey("season.id"))


class BoardTotal(Base):
    """A member's points on a board. Among equals the quicker member is first (contract B-65)."""

    __tablename__ = "board_total"
    __table_args__ = (
        Index(
            "ix_board_total_all",
            "board_id",
            text("points DESC"),
            "elapsed_ms",
            "reached_at",
            "user_id",
        ),
        Index(
            "ix_board_total_club",
            "board_id",
            "club_id",
            text("points DESC"),
            "elapsed_ms",
            "reached_at",
            "user_id",
        ),
        {"postgresql_with": {"fillfactor": "80"}},
    )

    board_id: Mapped[int] = mapped_column(ForeignKey("board.id"), primary_key=True)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("user_account.id"), primary_key=True)
    club_id: Mapped[UUID]
    points: Mapped[int]
    elapsed_ms: Mapped[int] = mapped_column(BigInteger)
    reached_at: Mapped[datetime]


class RankHistogram(Base):
    """How many members of a board have how many points, so that a rank is a sum of few rows.

    Level 1 counts by thousands, 2 by hundreds, 3 by tens, 4 by exact points. ``club_id`` is the nil
    UUID for all clubs.
    """

    __tablename__ = "rank_histogram"
    __table_args__ = ({"postgresql_with": {"fillfactor": "50"}},)

    board_id: Mapped[int] = mapped_column(ForeignKey("board.id"), primary_key=True)
    club_id: Mapped[UUID] = mapped_column(primary_key=True)
    level: Mapped[int] = mapped_column(SmallInteger, primary_key=True)
    bucket: Mapped[int] = mapped_column(primary_key=True)
    members: Mapped[int]
