from datetime import datetime
from uuid import UUID

from sqlalchemy import ForeignKey
from sqlalchemy.orm import Mapped, mapped_column

from api.foundation.database.tables import Base


class TermsAcceptance(Base):
    """That a member accepted a version of the legal texts; rows are never changed."""

    __tablename__ = "terms_acceptance"

    user_id: Mapped[UUID] = mapped_column(ForeignKey("user_account.id"), primary_key=True)
    version: Mapped[str] = mapped_column(primary_key=True)
    accepted_at: Mapped[datetime]
