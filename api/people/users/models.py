from datetime import date, datetime
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, Index, func, text
from sqlalchemy.orm import Mapped, mapped_column

from api.foundation.database.tables import Base, checked_text
from api.people.users.enums import Gender

PATTERN = "text_pattern_ops"
NAMED_AS = func.lower(text("(first_name || ' ') || last_name")).label("named_as")
LAST_NAMED_AS = func.lower(text("last_name")).label("last_named_as")
MAILED_AS = func.lower(text("email")).label("mailed_as")
BEGINS = dict.fromkeys(("named_as", "last_named_as", "mailed_as"), PATTERN)


class User(Base):
    """A person with an account, created when a sign-up is activated.

    Emails are unique in their canonical form, and so are phones (E.164). An email is proved once
    its member entered a code that was mailed to it. ``avatar`` is a stored object's key. An erased
    record is kept for the ledger and identifies no person. A suspension lasts until
    ``suspended_until``, or indefinitely: ``SUSPENDED_AT`` is the rule.
    """

    __tablename__ = "user_account"
    __table_args__ = (
        Index("uq_user_account_email", "email", unique=True),
        Index("uq_user_account_phone", "phone", unique=True),
        Index("ix_user_account_club_id", "club_id", "id"),
        Index("ix_user_account_avatar", "avatar", postgresql_where=text("avatar IS NOT NULL")),
        # For prefix searches in the back office.
        Index("ix_user_account_name", NAMED_AS, postgresql_ops=BEGINS),
        Index("ix_user_account_last_name", LAST_NAMED_AS, postgresql_ops=BEGINS),
        Index("ix_user_account_email", MAILED_AS, postgresql_ops=BEGINS),
        Index("ix_user_account_phone", "phone", postgresql_ops={"phone": PATTERN}),
        CheckConstraint(
            "suspended_until IS NULL OR suspended_at IS NOT NULL", name="suspension_has_begun"
        ),
        CheckConstraint("email = lower(email)", name="email_is_canonical"),
        CheckConstraint("phone ~ '^\\+[0-9]{8,15}$'", name="phone_is_e164"),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    club_id: Mapped[UUID] = mapped_column(ForeignKey("club.id"))
    first_name: Mapped[str]
    last_name: Mapped[str]
    email: Mapped[str]
    is_email_proved: Mapped[bool] = mapped_column(server_default=text("true"))
    phone: Mapped[str]
    gender: Mapped[Gender | None] = mapped_column(checked_text(Gender))
    born_on: Mapped[date | None]
    avatar: Mapped[str | None]
    badge: Mapped[str] = mapped_column(server_default="rookie")
    terms_accepted_at: Mapped[datetime]
    activated_at: Mapped[datetime]
    suspended_at: Mapped[datetime | None]
    suspended_until: Mapped[datetime | None]
    erased_at: Mapped[datetime | None]
    tour_seen_at: Mapped[datetime | None]
    created_at: Mapped[datetime] = mapped_column(server_default=text("now()"))


class PrivateDetail(Base):
    """A member's bank account and next of kin, or null; sealed (``security.sealing``)."""

    __tablename__ = "private_detail"

    user_id: Mapped[UUID] = mapped_column(ForeignKey("user_account.id"), primary_key=True)
    settlement: Mapped[bytes | None]
    next_of_kin: Mapped[bytes | None]
    changed_at: Mapped[datetime] = mapped_column(server_default=text("now()"))


class ChangeOfClub(Base):
    """A member's move to another club by an operator; rows are never changed."""

    __tablename__ = "club_change"
    __table_args__ = (Index("ix_club_change_user_id_id", "user_id", "id"),)

    id: Mapped[UUID] = mapped_column(primary_key=True)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("user_account.id"))
    from_club_id: Mapped[UUID] = mapped_column(ForeignKey("club.id"))
    to_club_id: Mapped[UUID] = mapped_column(ForeignKey("club.id"))
    operator_id: Mapped[UUID] = mapped_column(ForeignKey("operator.id"))
    changed_at: Mapped[datetime]
