"""The state that the evening's check of the boards compares with."""

from datetime import date
from uuid import UUID

from sqlalchemy import ARRAY, ForeignKey, Uuid
from sqlalchemy.orm import Mapped, mapped_column

from api.foundation.database.tables import Base


class ClubTop(Base):
    """A club's leaders at the evening of ``day``, on that season's board."""

    __tablename__ = "club_top"

    club_id: Mapped[UUID] = mapped_column(ForeignKey("club.id"), primary_key=True)
    season_id: Mapped[UUID | None]
    day: Mapped[date]
    user_ids: Mapped[list[UUID]] = mapped_column(ARRAY(Uuid))
