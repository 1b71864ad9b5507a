from datetime import date, datetime
from uuid import UUID

from sqlalchemy import ARRAY, CheckConstraint, ForeignKey, Index, UniqueConstraint, Uuid, text
from sqlalchemy.orm import Mapped, mapped_column

from api.foundation.database.tables import Base, checked_text
from api.messaging.push.enums import PushGroup


class PushSubscription(Base):
    """One browser of a member, valid as long as its session.

    ``endpoint_digest`` identifies it; ``sealed`` is its encrypted address and keys.
    """

    __tablename__ = "push_subscription"
    __table_args__ = (
        Index("ix_push_subscription_user_id", "user_id", "seen_at"),
        Index("ix_push_subscription_session_id", "session_id"),
        Index("ix_push_subscription_seen_at", "seen_at"),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("user_account.id"))
    session_id: Mapped[UUID] = mapped_column(ForeignKey("session.id", ondelete="CASCADE"))
    endpoint_digest: Mapped[bytes] = mapped_column(unique=True)
    sealed: Mapped[bytes]
    created_at: Mapped[datetime]
    seen_at: Mapped[datetime]


class PushDelivery(Base):
    """A notification on its way to a browser; deleted once it has arrived.

    ``together`` is how many notifications it represents. ``due_at`` is when to retry after the
    service asked to wait, null while a stored job has it; ``claimed_at`` is when a worker began to
    send it.
    """

    __tablename__ = "push_delivery"
    __table_args__ = (
        UniqueConstraint("subscription_id", "notification_id"),
        CheckConstraint("together >= 1", name="together_positive"),
        Index("ix_push_delivery_notification_id", "notification_id"),
        Index("ix_push_delivery_due_at", "due_at", postgresql_where=text("due_at IS NOT NULL")),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    subscription_id: Mapped[UUID] = mapped_column(
        ForeignKey("push_subscription.id", ondelete="CASCADE")
    )
    notification_id: Mapped[UUID] = mapped_column(ForeignKey("notification.id", ondelete="CASCADE"))
    together: Mapped[int]
    created_at: Mapped[datetime]
    due_at: Mapped[datetime | None]
    claimed_at: Mapped[datetime | None]


class PushDay(Base):
    """How many pushes of a group a member had on the last day in Lagos that had any.

    ``senders`` are the members who caused them, one entry per push caused by one member.
    """

    __tablename__ = "push_day"

    user_id: Mapped[UUID] = mapped_column(ForeignKey("user_account.id"), primary_key=True)
    push_group: Mapped[PushGroup] = mapped_column(checked_text(PushGroup), primary_key=True)
    day: Mapped[date]
    pushed: Mapped[int]
    senders: Mapped[list[UUID]] = mapped_column(ARRAY(Uuid))
