"""The clubs' table."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import CheckConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from api.core.database import Base


class Club(Base):
    """A club; its two colours draw its crest and dress its members' screens."""

    __tablename__ = "club"
    __table_args__ = (
        # The chat's list of users has its own words beside the club's name.
        CheckConstraint("lower(name) NOT IN ('public', 'counts', 'last')", name="name_is_no_tab"),
        CheckConstraint("colour_a ~ '^#[0-9A-F]{6}$'", name="colour_a_is_hex"),
        CheckConstraint("colour_b ~ '^#[0-9A-F]{6}$'", name="colour_b_is_hex"),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(unique=True)
    cc_name: Mapped[str | None]
    colour_a: Mapped[str]
    colour_b: Mapped[str]
    created_at: Mapped[datetime] = mapped_column(server_default=text("now()"))
