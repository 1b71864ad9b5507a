from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ARRAY, CheckConstraint, ForeignKey, Index, Text, UniqueConstraint, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from api.foundation.database.tables import Base, checked_text
from api.messaging.notifications.enums import NotificationKind


class Notification(Base):
    """A notification to a member, unique by kind and subject.

    ``data`` are its facts (``api.messaging.notifications.rules``). ``sender_id`` is the member who
    caused it, null when none did. ``mail_due_at`` and ``push_due_at`` are when its mail and
    push are due, null if there is none or a worker has claimed it.
    """

    __tablename__ = "notification"
    __table_args__ = (
        UniqueConstraint("user_id", "kind", "subject"),
        Index("ix_notification_user_id_id", "user_id", "id"),
        Index(
            "ix_notification_user_id_unread", "user_id", postgresql_where=text("read_at IS NULL")
        ),
        Index(
            "ix_notification_mail_due_at",
            "mail_due_at",
            postgresql_where=text("mail_due_at IS NOT NULL"),
        ),
        Index(
            "ix_notification_push_due_at",
            "push_due_at",
            postgresql_where=text("push_due_at IS NOT NULL"),
        ),
        Index(
            "ix_notification_mail_waiting",
            "id",
            postgresql_where=text("mail_due_at IS NOT NULL"),
        ),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("user_account.id"))
    kind: Mapped[NotificationKind] = mapped_column(checked_text(NotificationKind))
    subject: Mapped[str]
    data: Mapped[dict[str, Any]] = mapped_column(JSONB)
    sender_id: Mapped[UUID | None] = mapped_column(ForeignKey("user_account.id"))
    created_at: Mapped[datetime]
    read_at: Mapped[datetime | None]
    mail_due_at: Mapped[datetime | None]
    push_due_at: Mapped[datetime | None]


GROUPS_EXIST = (
    "without_mail || without_push <@ "
    "ARRAY['money', 'orders', 'plans', 'community', 'games', 'matches']"
)


class NotificationSetting(Base):
    """The groups that a member has switched mail and push off for.

    Without a row ``rules.WITHOUT_MAIL`` and ``rules.WITHOUT_PUSH`` apply.
    """

    __tablename__ = "notification_setting"
    __table_args__ = (CheckConstraint(GROUPS_EXIST, name="groups_exist"),)

    user_id: Mapped[UUID] = mapped_column(ForeignKey("user_account.id"), primary_key=True)
    without_mail: Mapped[list[str]] = mapped_column(ARRAY(Text))
    without_push: Mapped[list[str]] = mapped_column(ARRAY(Text), server_default=text("'{games}'"))
    changed_at: Mapped[datetime]
