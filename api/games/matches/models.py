from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    ForeignKey,
    Index,
    SmallInteger,
    UniqueConstraint,
    func,
    text,
)
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from api.foundation.database.tables import Base, checked_text
from api.games.matches.enums import FixtureSource, FixtureState


class Team(Base):
    """A team; ``name`` is null for a club's team, which uses the club's name."""

    __tablename__ = "team"
    __table_args__ = (
        CheckConstraint("(club_id IS NULL) <> (name IS NULL)", name="club_or_name"),
        Index("uq_team_name_folded", func.lower(text("name")), unique=True),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    club_id: Mapped[UUID | None] = mapped_column(ForeignKey("club.id"), unique=True)
    name: Mapped[str | None]


class Competition(Base):
    """A competition in one season; ``has_table`` says whether its matches count in a table.

    The results of a ``demo`` are made up. ``version`` grows with every change in the back office.
    """

    __tablename__ = "competition"
    __table_args__ = (
        Index(
            "uq_competition_name_season_folded",
            func.lower(text("name")),
            func.lower(text("season")),
            unique=True,
        ),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    name: Mapped[str]
    season: Mapped[str]
    demo: Mapped[bool] = mapped_column(server_default=text("false"))
    has_table: Mapped[bool] = mapped_column(server_default=text("false"))
    version: Mapped[int] = mapped_column(server_default=text("1"))


class FormerCompetitionName(Base):
    """A former name and season of a competition; ``renamed_at`` is when it was last given up.

    Feeds keep using the old name.
    """

    __tablename__ = "former_competition_name"

    competition_id: Mapped[UUID] = mapped_column(ForeignKey("competition.id"), primary_key=True)
    name: Mapped[str] = mapped_column(primary_key=True)
    season: Mapped[str] = mapped_column(primary_key=True)
    renamed_at: Mapped[datetime]


class Fixture(Base):
    """A match. ``phase_started_at`` is when the current half or break began.

    ``half`` is the current one, 1 or 2; ``scored`` the known goals as ``{side, minute}``, in order.
    ``ref`` is its identifier at its ``source``, unique there. Sources do not change a match that an
    operator has ``locked``. ``version`` grows with every change.
    """

    __tablename__ = "fixture"
    __table_args__ = (
        UniqueConstraint("source", "ref"),
        UniqueConstraint("home_id", "away_id", "kick_off_at"),
        CheckConstraint("home_id <> away_id", name="two_teams"),
        CheckConstraint("home_goals BETWEEN 0 AND 30", name="home_goals_in_range"),
        CheckConstraint("away_goals BETWEEN 0 AND 30", name="away_goals_in_range"),
        CheckConstraint("(home_goals IS NULL) = (away_goals IS NULL)", name="both_or_no_goals"),
        CheckConstraint(
            "state NOT IN ('live', 'half_time', 'finished', 'awarded') OR home_goals IS NOT NULL",
            name="goals_when_played",
        ),
        CheckConstraint("half IN (1, 2)", name="half_in_range"),
        CheckConstraint("(state = 'live') = (half IS NOT NULL)", name="half_while_live"),
        Index("ix_fixture_kick_off_at", "kick_off_at", "id"),
        Index("ix_fixture_state", "state", "kick_off_at", "id"),
        Index("ix_fixture_home_id", "home_id", "kick_off_at"),
        Index("ix_fixture_away_id", "away_id", "kick_off_at"),
        Index("ix_fixture_competition_id", "competition_id", "kick_off_at", "id"),
        Index("ix_fixture_updated_at", "updated_at"),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    competition_id: Mapped[UUID] = mapped_column(ForeignKey("competition.id"))
    round: Mapped[str | None]
    home_id: Mapped[UUID] = mapped_column(ForeignKey("team.id"))
    away_id: Mapped[UUID] = mapped_column(ForeignKey("team.id"))
    kick_off_at: Mapped[datetime]
    venue: Mapped[str | None]
    state: Mapped[FixtureState] = mapped_column(checked_text(FixtureState))
    phase_started_at: Mapped[datetime | None]
    half: Mapped[int | None] = mapped_column(SmallInteger)
    home_goals: Mapped[int | None] = mapped_column(SmallInteger)
    away_goals: Mapped[int | None] = mapped_column(SmallInteger)
    scored: Mapped[list[dict[str, Any]]] = mapped_column(JSONB, server_default=text("'[]'"))
    source: Mapped[FixtureSource] = mapped_column(checked_text(FixtureSource))
    ref: Mapped[str | None]
    locked: Mapped[bool] = mapped_column(server_default=text("false"))
    version: Mapped[int] = mapped_column(server_default=text("1"))
    updated_at: Mapped[datetime]


class FixtureReminder(Base):
    """A member's request to be reminded of a match."""

    __tablename__ = "fixture_reminder"
    __table_args__ = (
        Index("ix_fixture_reminder_fixture_id", "fixture_id", "user_id"),
        Index("ix_fixture_reminder_created_at", "created_at"),
    )

    user_id: Mapped[UUID] = mapped_column(ForeignKey("user_account.id"), primary_key=True)
    fixture_id: Mapped[UUID] = mapped_column(ForeignKey("fixture.id"), primary_key=True)
    created_at: Mapped[datetime]


class FixtureCall(Base):
    """The reminders of a kick-off: sent up to ``last_user_id``, or to all."""

    __tablename__ = "fixture_call"

    fixture_id: Mapped[UUID] = mapped_column(ForeignKey("fixture.id"), primary_key=True)
    kick_off_at: Mapped[datetime]
    last_user_id: Mapped[UUID | None]
    is_done: Mapped[bool] = mapped_column(server_default=text("false"))


class FeedProgress(Base):
    """The progress of a feed: the sequence of its last accepted push.

    ``feed`` is the digest of its key.
    """

    __tablename__ = "feed_progress"

    feed: Mapped[str] = mapped_column(primary_key=True)
    sequence: Mapped[int] = mapped_column(BigInteger)
    taken_at: Mapped[datetime]
