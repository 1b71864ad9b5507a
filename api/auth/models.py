"""Credentials, mailed codes, sessions and the guard against guessing."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, Index, String, text
from sqlalchemy.orm import Mapped, mapped_column

from api.auth.enums import CodePurpose
from api.database.tables import Base, checked_text


class SignUpAttempt(Base):
    """One sign-up that waits for its code; its id becomes the account's when the code comes back.

    Any number of people may sign up with one e-mail: each has a row of their own, until one of
    them activates or ``expires_at`` passes. ``address`` stands for the e-mail (``MailedCode``),
    ``origin`` for the network it came from (``KnownOrigin``), ``browser`` for the browser
    (``KnownBrowser``). ``invite`` is what was written down of who invited.
    """

    __tablename__ = "sign_up_attempt"
    __table_args__ = (
        Index("ix_sign_up_attempt_address", "address", "created_at"),
        Index("ix_sign_up_attempt_expires_at", "expires_at"),
        CheckConstraint("phone ~ '^\\+[0-9]{8,15}$'", name="phone_is_e164"),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    address: Mapped[str]
    origin: Mapped[str]
    club_id: Mapped[UUID] = mapped_column(ForeignKey("club.id"))
    first_name: Mapped[str]
    last_name: Mapped[str]
    email: Mapped[str]
    phone: Mapped[str]
    password_hash: Mapped[str]
    created_at: Mapped[datetime]
    expires_at: Mapped[datetime]
    invite: Mapped[str | None] = mapped_column(String(32))
    browser: Mapped[str | None]


class Credential(Base):
    """A member's password, as an argon2id hash."""

    __tablename__ = "credential"

    user_id: Mapped[UUID] = mapped_column(ForeignKey("user_account.id"), primary_key=True)
    password_hash: Mapped[str]
    changed_at: Mapped[datetime] = mapped_column(server_default=text("now()"))


class MailedCode(Base):
    """One six-digit code that was mailed; stored as a keyed digest.

    ``subject_id`` is what it is good for: a sign-up attempt, or the handle of a forgotten
    password. At most one code per subject, purpose and ``is_from_known`` is open: a new one voids
    the old. ``address`` is the keyed digest of the e-mail, whose limits hold across subjects.
    ``user_id`` is the member: of a reset from the beginning, of an activation once this code has
    done it. What comes from a network the member has come from before is counted apart from all
    others: ``is_from_known`` of the request, ``known_tries`` of the wrong tries.
    """

    __tablename__ = "mailed_code"
    __table_args__ = (
        Index(
            "uq_mailed_code_open",
            "subject_id",
            "purpose",
            "is_from_known",
            unique=True,
            postgresql_where=text("closed_at IS NULL"),
        ),
        Index("ix_mailed_code_address", "address", "purpose", "created_at"),
        Index("ix_mailed_code_user_id", "user_id", postgresql_where=text("user_id IS NOT NULL")),
        CheckConstraint(
            "tries BETWEEN 0 AND 5 AND known_tries BETWEEN 0 AND 5", name="tries_are_bounded"
        ),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    subject_id: Mapped[UUID]
    user_id: Mapped[UUID | None] = mapped_column(ForeignKey("user_account.id"))
    address: Mapped[str]
    purpose: Mapped[CodePurpose] = mapped_column(checked_text(CodePurpose))
    digest: Mapped[str]
    tries: Mapped[int] = mapped_column(server_default=text("0"))
    known_tries: Mapped[int] = mapped_column(server_default=text("0"))
    is_from_known: Mapped[bool]
    created_at: Mapped[datetime] = mapped_column(server_default=text("now()"))
    expires_at: Mapped[datetime]
    closed_at: Mapped[datetime | None]


class KnownOrigin(Base):
    """A network that a member has come in from, as a keyed digest.

    From there the member may come in whatever strangers do elsewhere, and even while others fail
    too often from the same network.
    """

    __tablename__ = "known_origin"
    __table_args__ = (
        Index("ix_known_origin_seen_at", "seen_at"),
        Index("ix_known_origin_origin", "origin"),
    )

    user_id: Mapped[UUID] = mapped_column(ForeignKey("user_account.id"), primary_key=True)
    origin: Mapped[str] = mapped_column(primary_key=True)
    seen_at: Mapped[datetime]


class KnownBrowser(Base):
    """A browser that a member has come in with, as a keyed digest.

    Two accounts of one browser earn nothing by inviting each other.
    """

    __tablename__ = "known_browser"
    __table_args__ = (Index("ix_known_browser_seen_at", "seen_at"),)

    user_id: Mapped[UUID] = mapped_column(ForeignKey("user_account.id"), primary_key=True)
    browser: Mapped[str] = mapped_column(primary_key=True)
    seen_at: Mapped[datetime]


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
