from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ForeignKey, Index
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from api.foundation.database.tables import Base


class AuditEntry(Base):
    """One row per write, inserted in its transaction and never changed.

    Without an operator it was done at the command line.
    """

    __tablename__ = "audit_entry"
    __table_args__ = (
        Index("ix_audit_entry_operator_id", "operator_id", "id"),
        Index("ix_audit_entry_target_id", "target_id", "id"),
        Index("ix_audit_entry_right_used_id", "right_used", "id"),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    at: Mapped[datetime]
    operator_id: Mapped[UUID | None] = mapped_column(ForeignKey("operator.id"))
    right_used: Mapped[str]
    action: Mapped[str]
    target_type: Mapped[str]
    target_id: Mapped[str]
    before_state: Mapped[dict[str, Any] | None] = mapped_column(JSONB(none_as_null=True))
    after_state: Mapped[dict[str, Any] | None] = mapped_column(JSONB(none_as_null=True))
    reason: Mapped[str | None]
    request_id: Mapped[str]
