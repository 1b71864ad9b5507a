"""Credentials, mailed codes, sessions and the guard against guessing."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, Index, text
from sqlalchemy.orm import Mapped, mapped_column

from api.auth.enums import CodePurpose
from api.core.database import Base, checked_text


class Credential(Base):
    """A member's password, as an argon2id hash."""

    __tablename__ = "credential"

    user_id: Mapped[UUID] = mapped_column(ForeignKey("user_account.id"), primary_key=True)
    password_hash: Mapped[str]
    changed_at: Mapped[datetime] = mapped_column(server_default=text("now()"))


class MailedCode(Base):
    """One six-digit code that was mailed; stored as a keyed digest.

    At most one code per member and purpose is open: a new one voids the old.
    """

    __tablename__ = "mailed_code"
    __table_args__ = (
        Index(
            "uq_mailed_code_open",
            "user_id",
            "purpose",
            unique=True,
            postgresql_where=text("closed_at IS NULL"),
        ),
        Index("ix_mailed_code_user_id_created_at", "user_id", "purpose", "created_at"),
        CheckConstraint("tries BETWEEN 0 AND 5", name="tries_are_bounded"),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("user_account.id"))
    purpose: Mapped[CodePurpose] = mapped_column(checked_text(CodePurpose))
    digest: Mapped[str]
    tries: Mapped[int] = mapped_column(server_default=text("0"))
    created_at: Mapped[datetime] = mapped_column(server_default=text("now()"))
    expires_at: Mapped[datetime]
    closed_at: Mapped[datetime | None]


class Session(Base):
    """One sign-in; a trigger announces its revocation to every worker.

    ``device`` is what a person recognises it by ("Chrome on Android"); ``last_seen_at`` is right
    to a few minutes.
    """

    __tablename__ = "session"
    __table_args__ = (
        Index(
            "ix_session_user_id_open",
            "user_id",
            "created_at",
            postgresql_where=text("revoked_at IS NULL"),
        ),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("user_account.id"))
    device: Mapped[str | None]
    created_at: Mapped[datetime] = mapped_column(server_default=text("now()"))
    last_seen_at: Mapped[datetime] = mapped_column(server_default=text("now()"))
    expires_at: Mapped[datetime]
    revoked_at: Mapped[datetime | None]


class SignInGuard(Base):
    """Wrong passwords for one e-mail, known or not; the e-mail is stored as a keyed digest."""

    __tablename__ = "sign_in_guard"

    digest: Mapped[str] = mapped_column(primary_key=True)
    attempts: Mapped[int]
    attempted_at: Mapped[datetime]
    locked_until: Mapped[datetime | None]
    admitted: Mapped[bool]
