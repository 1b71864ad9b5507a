from datetime import datetime
from uuid import UUID

from sqlalchemy import Index
from sqlalchemy.orm import Mapped, mapped_column

from api.foundation.database.tables import Base


class UsedClaim(Base):
    """A claim that gave points to an account; it says nothing about whose."""

    __tablename__ = "used_claim"
    __table_args__ = (Index("ix_used_claim_expires_at", "expires_at"),)

    id: Mapped[UUID] = mapped_column(primary_key=True)
    expires_at: Mapped[datetime]
