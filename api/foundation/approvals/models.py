from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, Index, Text, text
from sqlalchemy.dialects.postgresql import ARRAY, JSONB
from sqlalchemy.orm import Mapped, mapped_column

from api.foundation.approvals.enums import ApprovalState
from api.foundation.database.tables import Base, checked_text


class Approval(Base):
    """A proposal that another operator must decide; ``digest`` covers kind and content."""

    __tablename__ = "approval"
    __table_args__ = (
        CheckConstraint("decided_by <> proposed_by", name="second_person_decides"),
        CheckConstraint(
            "(state IN ('approved', 'refused')) = (decided_by IS NOT NULL)",
            name="decision_says_who",
        ),
        Index("ix_approval_open", "expires_at", postgresql_where=text("state = 'open'")),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    kind: Mapped[str]
    content: Mapped[dict[str, Any]] = mapped_column(JSONB)
    digest: Mapped[str]
    right_needed: Mapped[str]
    state: Mapped[ApprovalState] = mapped_column(
        checked_text(ApprovalState), server_default=text("'open'")
    )
    proposed_by: Mapped[UUID] = mapped_column(ForeignKey("operator.id"))
    proposed_at: Mapped[datetime]
    reason: Mapped[str]
    reasons: Mapped[list[str]] = mapped_column(ARRAY(Text), server_default=text("'{}'"))
    expires_at: Mapped[datetime]
    decided_by: Mapped[UUID | None] = mapped_column(ForeignKey("operator.id"))
    decided_at: Mapped[datetime | None]
    decision_reason: Mapped[str | None]
    result: Mapped[dict[str, Any] | None] = mapped_column(JSONB(none_as_null=True))
