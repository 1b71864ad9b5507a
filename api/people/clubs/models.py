from datetime import datetime
from uuid import UUID

from sqlalchemy import BigInteger, CheckConstraint, ForeignKey, Identity, Index, func, text
from sqlalchemy.orm import Mapped, mapped_column

from api.foundation.database.tables import Base


class Club(Base):
    """A club; its two colours are used on its members' screens, and for its crest until it has one.

    ``crest`` is a stored object's key. Hidden clubs cannot be joined. ``version`` grows with every
    change.
    """

    __tablename__ = "club"
    __table_args__ = (
        # These names are tabs of the chat's list of users, besides the club's name.
        CheckConstraint("lower(name) NOT IN ('public', 'counts', 'last')", name="name_is_no_tab"),
        Index("uq_club_name_folded", func.lower(text("name")), unique=True),
        CheckConstraint("colour_a ~ '^#[0-9A-F]{6}$'", name="colour_a_is_hex"),
        CheckConstraint("colour_b ~ '^#[0-9A-F]{6}$'", name="colour_b_is_hex"),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(unique=True)
    cc_name: Mapped[str | None]
    colour_a: Mapped[str]
    colour_b: Mapped[str]
    created_at: Mapped[datetime] = mapped_column(server_default=text("now()"))
    hidden: Mapped[bool] = mapped_column(server_default=text("false"))
    crest: Mapped[str | None]
    version: Mapped[int] = mapped_column(server_default=text("1"))


class ClubSize(Base):
    """The number of a club's members, without changes that are not folded yet.

    A trigger on the members' table inserts the changes, ``fold_sizes`` adds them. Their sum is
    always exact, and members of one club never wait for each other.
    """

    __tablename__ = "club_size"

    club_id: Mapped[UUID] = mapped_column(ForeignKey("club.id"), primary_key=True)
    members: Mapped[int]


class ClubSizeChange(Base):
    """Members who joined (positive) or left (negative)."""

    __tablename__ = "club_size_change"

    id: Mapped[int] = mapped_column(BigInteger, Identity(always=True), primary_key=True)
    club_id: Mapped[UUID]
    members: Mapped[int]
