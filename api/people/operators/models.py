from datetime import datetime
from uuid import UUID

from sqlalchemy import BigInteger, CheckConstraint, ForeignKey, Index, Text, text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Mapped, mapped_column

from api.foundation.database.tables import Base

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
