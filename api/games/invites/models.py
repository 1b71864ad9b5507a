from datetime import datetime
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, Index, String, text
from sqlalchemy.orm import Mapped, mapped_column

from api.foundation.database.tables import Base


class Invite(Base):
    """The code with which a member invites; created on first request."""

    __tablename__ = "invite"

    user_id: Mapped[UUID] = mapped_column(ForeignKey("user_account.id"), primary_key=True)
    code: Mapped[str] = mapped_column(String(16), unique=True)
    created_at: Mapped[datetime]


class Invitation(Base):
    """A member who joined through an invite.

    ``settled_at`` is when the reward was due: the member had paid, or played on three days.
    ``rewarded_at`` is when the inviter was rewarded, None without a reward. The cap counts the
    rewards of a season (None: between seasons).
    """

    __tablename__ = "invitation"
    __table_args__ = (
        CheckConstraint("inviter_id <> invited_id", name="of_two"),
        CheckConstraint("rewarded_at IS NULL OR settled_at IS NOT NULL", name="settled_first"),
        Index("ix_invitation_inviter_id", "inviter_id", text("rewarded_at NULLS FIRST")),
        Index("ix_invitation_open", "accepted_at", postgresql_where=text("settled_at IS NULL")),
    )

    invited_id: Mapped[UUID] = mapped_column(ForeignKey("user_account.id"), primary_key=True)
    inviter_id: Mapped[UUID] = mapped_column(ForeignKey("user_account.id"))
    accepted_at: Mapped[datetime]
    settled_at: Mapped[datetime | None]
    rewarded_at: Mapped[datetime | None]
    season_id: Mapped[UUID | None] = mapped_column(ForeignKey("season.id"))
