"""The members' table."""

from datetime import date, datetime
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, Index, func, text
from sqlalchemy.orm import Mapped, mapped_column

from api.database.tables import Base, checked_text
from api.users.enums import Gender


class User(Base):
    """A person with an account, made when the code of a sign-up came back.

    E-mails are unique in any case of letters, and so are phones (E.164). ``avatar`` is a stored
    object's key. An erased record stays for the ledger's sake and names nobody.
    """

    __tablename__ = "user_account"
    __table_args__ = (
        Index("uq_user_account_email", func.lower(text("email")), unique=True),
        Index("uq_user_account_phone", "phone", unique=True),
        Index("ix_user_account_club_id", "club_id"),
        Index("ix_user_account_avatar", "avatar", postgresql_where=text("avatar IS NOT NULL")),
        CheckConstraint("phone ~ '^\\+[0-9]{8,15}$'", name="phone_is_e164"),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    club_id: Mapped[UUID] = mapped_column(ForeignKey("club.id"))
    first_name: Mapped[str]
    last_name: Mapped[str]
    email: Mapped[str]
    phone: Mapped[str]
    gender: Mapped[Gender | None] = mapped_column(checked_text(Gender))
    born_on: Mapped[date | None]
    avatar: Mapped[str | None]
    badge: Mapped[str] = mapped_column(server_default="rookie")
    terms_accepted_at: Mapped[datetime]
    activated_at: Mapped[datetime]
    suspended_at: Mapped[datetime | None]
    erased_at: Mapped[datetime | None]
    created_at: Mapped[datetime] = mapped_column(server_default=text("now()"))


class PrivateDetail(Base):
    """A member's bank account and next of kin, sealed (``api.security.sealing``), or null."""

    __tablename__ = "private_detail"

    user_id: Mapped[UUID] = mapped_column(ForeignKey("user_account.id"), primary_key=True)
    settlement: Mapped[bytes | None]
    next_of_kin: Mapped[bytes | None]
    changed_at: Mapped[datetime] = mapped_column(server_default=text("now()"))
