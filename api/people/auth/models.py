from datetime import date, datetime
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, Index, String, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from api.foundation.database.tables import Base, checked_text
from api.people.auth.enums import CodeChannel, CodePurpose, SmsState


class SignUpAttempt(Base):
    """A pending sign-up; its id becomes the account's id on activation.

    Several people may sign up with one email: each has a row, until one of them activates or
    ``expires_at`` passes. ``address`` is the digest of the email (``MailedCode``), ``origin`` of
    the network (``KnownOrigin``), ``browser`` of the browser (``KnownBrowser``). ``invite`` is the
    entered invite code, ``claim`` that of a right answer given before, ``terms_version`` the
    accepted version of the terms.
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
    claim: Mapped[str | None] = mapped_column(String(200))
    terms_version: Mapped[str | None]
    channel: Mapped[CodeChannel] = mapped_column(
        checked_text(CodeChannel), server_default=text("'email'")
    )


class Credential(Base):
    """A member's password, as an argon2id hash."""

    __tablename__ = "credential"

    user_id: Mapped[UUID] = mapped_column(ForeignKey("user_account.id"), primary_key=True)
    password_hash: Mapped[str]
    changed_at: Mapped[datetime] = mapped_column(server_default=text("now()"))


class MailedCode(Base):
    """A mailed six-digit code, stored as a keyed digest.

    ``subject_id`` is what it is valid for: a sign-up, or the handle of a password reset. At most
    one code per subject, purpose and ``is_from_known`` is open: a new one voids the old.
    ``address`` is the keyed digest of the email, whose limits apply across subjects. ``user_id``
    is the member: for a reset from the beginning, for an activation once the code was used. Known
    networks of the member are counted separately: requests by ``is_from_known``, wrong tries by
    ``known_tries``.
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
        Index("ix_mailed_code_subject_id", "subject_id", "created_at"),
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


class SmsMessage(Base):
    """An SMS with a code; its number is stored as a keyed digest only.

    ``place`` counts the messages of a number on a Lagos ``day``, up to the most that are allowed.
    ``provider_id`` is the provider's id, and ``report`` its last status in its own words.
    """

    __tablename__ = "sms_message"
    __table_args__ = (
        UniqueConstraint("number", "day", "place"),
        UniqueConstraint("provider_id"),
        Index("ix_sms_message_created_at", "created_at"),
        CheckConstraint("place BETWEEN 1 AND 3", name="few_a_day"),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    number: Mapped[str]
    day: Mapped[date]
    place: Mapped[int]
    subject_id: Mapped[UUID]
    state: Mapped[SmsState] = mapped_column(checked_text(SmsState))
    provider_id: Mapped[str | None] = mapped_column(String(64))
    report: Mapped[str | None] = mapped_column(String(80))
    created_at: Mapped[datetime]
    changed_at: Mapped[datetime]


class KnownOrigin(Base):
    """A network a member has signed in from, as a keyed digest.

    The member can sign in from it regardless of attempts from other networks, and even while others
    fail too often from the same one.
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
    """A browser a member has used, as a keyed digest.

    Two accounts of one browser earn nothing by inviting each other, and only the first gets the
    points of a visitor.
    """

    __tablename__ = "known_browser"
    __table_args__ = (
        Index("ix_known_browser_seen_at", "seen_at"),
        Index("ix_known_browser_browser", "browser"),
    )

    user_id: Mapped[UUID] = mapped_column(ForeignKey("user_account.id"), primary_key=True)
    browser: Mapped[str] = mapped_column(primary_key=True)
    seen_at: Mapped[datetime]


class Session(Base):
    """A sign-in; a trigger announces its revocation to every worker.

    ``device`` is a description for its owner ("Chrome on Android"); ``last_seen_at`` is accurate to
    a few minutes.
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
