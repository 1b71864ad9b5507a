"""Tables of the Battle Zone: seats, and every served question.

Each step holds the lock on the member's seat, which serializes two tabs, two workers, and a
time-out concurrent with an answer.
"""

from datetime import date, datetime
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, Index, SmallInteger, UniqueConstraint, text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Mapped, mapped_column

from api.foundation.database.tables import Base, checked_text
from api.games.battle.enums import AttemptOutcome


class BattleSeat(Base):
    """A member's socket; attempts that ended since ``visit_from`` belong to its visit."""

    __tablename__ = "battle_seat"
    __table_args__ = ({"postgresql_with": {"fillfactor": "70"}},)

    user_id: Mapped[UUID] = mapped_column(ForeignKey("user_account.id"), primary_key=True)
    sid: Mapped[str]
    visit_from: Mapped[datetime]


class BattleAttempt(Base):
    """One question served to one member.

    ``shown`` lists the bank's options (0 to 3) in the order of the keys A to D; ``answer`` is the
    chosen key's index in it. ``outcome`` None means that the question is running.
    """

    __tablename__ = "battle_attempt"
    __table_args__ = (
        UniqueConstraint("user_id", "day", "n"),
        UniqueConstraint("user_id", "day", "question_id"),
        Index(
            "uq_battle_attempt_open",
            "user_id",
            unique=True,
            postgresql_where=text("outcome IS NULL"),
        ),
        Index(
            "ix_battle_attempt_deadline",
            "deadline_at",
            postgresql_where=text("outcome IS NULL"),
        ),
        CheckConstraint("cardinality(shown) = 4", name="four_options"),
        CheckConstraint("answer BETWEEN 0 AND 3", name="answer_in_range"),
        CheckConstraint("(outcome IS NULL) = (closed_at IS NULL)", name="closed_with_outcome"),
        CheckConstraint(
            "(coalesce(outcome, '') IN ('right', 'wrong')) = (answer IS NOT NULL)",
            name="answered",
        ),
        CheckConstraint("points = 0 OR outcome = 'right'", name="points_for_right"),
        {"postgresql_with": {"fillfactor": "70"}},
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("user_account.id"))
    club_id: Mapped[UUID]
    season_id: Mapped[UUID] = mapped_column(ForeignKey("season.id"))
    day: Mapped[date]
    n: Mapped[int] = mapped_column(SmallInteger)
    question_id: Mapped[UUID] = mapped_column(ForeignKey("question.id"))
    rank: Mapped[str]
    shown: Mapped[list[int]] = mapped_column(ARRAY(SmallInteger))
    opened_at: Mapped[datetime]
    deadline_at: Mapped[datetime]
    anchored: Mapped[bool] = mapped_column(server_default=text("false"))
    answer: Mapped[int | None] = mapped_column(SmallInteger)
    outcome: Mapped[AttemptOutcome | None] = mapped_column(
        checked_text(AttemptOutcome, name="outcome")
    )
    points: Mapped[int] = mapped_column(server_default=text("0"))
    elapsed_ms: Mapped[int | None]
    promoted_to: Mapped[str | None]
    closed_at: Mapped[datetime | None]
