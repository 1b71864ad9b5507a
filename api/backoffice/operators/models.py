"""Operators, their sessions, the audit, and proposals for a second person."""

from datetime import datetime, time
from typing import Any
from uuid import UUID

from sqlalchemy import BigInteger, CheckConstraint, ForeignKey, Index, Text, text
from sqlalchemy.dialects.postgresql import ARRAY, JSONB
from sqlalchemy.orm import Mapped, mapped_column

from api.backoffice.operators.enums import ApprovalState
from api.foundation.core.money import Kobo
from api.foundation.database.tables import Base, checked_text

ROLES = "'owner', 'finance', 'shop', 'moderator', 'editor', 'game-master'"


class OperatorRow(Base):
    """A member who works in the back office, or did.

    ``totp_secret`` is sealed; without one the operator cannot sign in. ``last_code_step`` is the
    30-second step of the last code used: each code is valid once. ``version`` grows with every
    change.
    """

    __tablename__ = "operator"
    __table_args__ = (
        CheckConstraint(
            f"roles <@ ARRAY[{ROLES}]::text[] AND cardinality(roles) > 0", name="roles_exist"
        ),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("user_account.id"), unique=True)
    roles: Mapped[list[str]] = mapped_column(ARRAY(Text))
    totp_secret: Mapped[bytes | None]
    last_code_step: Mapped[int | None] = mapped_column(BigInteger)
    version: Mapped[int] = mapped_column(server_default=text("1"))
    created_by: Mapped[UUID | None] = mapped_column(ForeignKey("operator.id"))
    created_at: Mapped[datetime] = mapped_column(server_default=text("now()"))
    disabled_at: Mapped[datetime | None]


class AdminSession(Base):
    """A session in the back office. ``code_at`` is when its last code was entered."""

    __tablename__ = "admin_session"
    __table_args__ = (
        Index(
            "ix_admin_session_operator_id_open",
            "operator_id",
            postgresql_where=text("ended_at IS NULL"),
        ),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    operator_id: Mapped[UUID] = mapped_column(ForeignKey("operator.id"))
    created_at: Mapped[datetime]
    last_used_at: Mapped[datetime]
    code_at: Mapped[datetime]
    ended_at: Mapped[datetime | None]


class KnownOperatorNetwork(Base):
    """A network that an operator has signed in from, as a keyed digest.

    From there the correct password and code are always accepted, regardless of failures elsewhere.
    """

    __tablename__ = "known_operator_network"
    __table_args__ = (Index("ix_known_operator_network_seen_at", "seen_at"),)

    operator_id: Mapped[UUID] = mapped_column(ForeignKey("operator.id"), primary_key=True)
    origin: Mapped[str] = mapped_column(primary_key=True)
    seen_at: Mapped[datetime]


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


class OfficeSetting(Base):
    """Settings made in the back office: one row; null means the default.

    Defaults are the deployment's or the product's. Times are in Lagos time. ``version`` grows with
    every change.
    """

    __tablename__ = "office_setting"
    __table_args__ = (CheckConstraint("is_one", name="one_row"),)

    is_one: Mapped[bool] = mapped_column(primary_key=True, server_default=text("true"))
    version: Mapped[int] = mapped_column(server_default=text("1"))
    transfer_account: Mapped[dict[str, Any] | None] = mapped_column(JSONB(none_as_null=True))
    state_required: Mapped[bool | None]
    quiet_from: Mapped[time | None]
    quiet_to: Mapped[time | None]
    adjustment_limit_kobo: Mapped[Kobo | None]
    adjustment_day_limit_kobo: Mapped[Kobo | None]
    refund_limit_kobo: Mapped[Kobo | None]
    refund_day_limit_kobo: Mapped[Kobo | None]
    confirm_day_limit_kobo: Mapped[Kobo | None]
    gift_limit: Mapped[int | None]
    transfer_units_limit: Mapped[int | None]
    transfer_value_limit_kobo: Mapped[Kobo | None]
