"""Tables of the chat. Messages are hidden, emptied on erasure, and deleted after years."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    ForeignKey,
    Index,
    UniqueConstraint,
    Uuid,
    text,
)
from sqlalchemy.dialects.postgresql import ARRAY, JSONB
from sqlalchemy.orm import Mapped, mapped_column

from api.community.chat.enums import ModerationAction, ReactionKey, ReportReason
from api.foundation.database.tables import Base, checked_text


class ChatRoom(Base):
    """A club's room, whose id is the club's, or the Public room, whose id is all zeros."""

    __tablename__ = "chat_room"
    __table_args__ = (
        CheckConstraint(
            "id = coalesce(club_id, '00000000-0000-0000-0000-000000000000'::uuid)",
            name="id_says_club",
        ),
        {"postgresql_with": {"fillfactor": "50"}},
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    club_id: Mapped[UUID | None] = mapped_column(ForeignKey("club.id"))
    last_seq: Mapped[int] = mapped_column(BigInteger, server_default=text("0"))


class ChatMembership(Base):
    """A member's membership of a room, read up to ``last_read_seq``.

    ``wrote_at`` is when the member last wrote in slow mode, by the database's clock.
    """

    __tablename__ = "chat_membership"
    __table_args__ = ({"postgresql_with": {"fillfactor": "70"}},)

    user_id: Mapped[UUID] = mapped_column(ForeignKey("user_account.id"), primary_key=True)
    room_id: Mapped[UUID] = mapped_column(ForeignKey("chat_room.id"), primary_key=True)
    last_read_seq: Mapped[int] = mapped_column(BigInteger)
    joined_at: Mapped[datetime]
    wrote_at: Mapped[datetime | None]


class StoredMessage(Base):
    """One message; ``seq`` counts its room's messages, ``client_id`` is the sender's own id.

    ``told_at`` is when a retry of it was last emitted to its room. ``reply_to`` is the message it
    answers, which may be deleted first; ``mentions`` are members of the room.
    """

    __tablename__ = "chat_message"
    __table_args__ = (
        UniqueConstraint("room_id", "seq"),
        UniqueConstraint("user_id", "client_id"),
        Index("ix_chat_message_user_id_sent_at", "user_id", "sent_at"),
        Index(
            "ix_chat_message_hidden",
            "room_id",
            "hidden_at",
            postgresql_where=text("hidden_at IS NOT NULL"),
        ),
        CheckConstraint(
            "char_length(content) BETWEEN 1 AND 1000 OR hidden_at IS NOT NULL AND content = ''",
            name="content_in_range",
        ),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    room_id: Mapped[UUID] = mapped_column(ForeignKey("chat_room.id"))
    seq: Mapped[int] = mapped_column(BigInteger)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("user_account.id"))
    client_id: Mapped[UUID]
    content: Mapped[str]
    sent_at: Mapped[datetime]
    told_at: Mapped[datetime | None]
    hidden_at: Mapped[datetime | None]
    reply_to: Mapped[UUID | None]
    mentions: Mapped[list[UUID]] = mapped_column(ARRAY(Uuid), server_default=text("'{}'"))


class ChatReaction(Base):
    """A member's reaction to a message: at most one."""

    __tablename__ = "chat_reaction"
    __table_args__ = (Index("ix_chat_reaction_user_id", "user_id"),)

    message_id: Mapped[UUID] = mapped_column(ForeignKey("chat_message.id"), primary_key=True)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("user_account.id"), primary_key=True)
    key: Mapped[ReactionKey] = mapped_column(checked_text(ReactionKey, name="key"))
    reacted_at: Mapped[datetime]


class ChatReport(Base):
    """A member's report of a message; open until a moderator decides it."""

    __tablename__ = "chat_report"
    __table_args__ = (
        Index("ix_chat_report_open", "reported_at", postgresql_where=text("settled_at IS NULL")),
    )

    message_id: Mapped[UUID] = mapped_column(ForeignKey("chat_message.id"), primary_key=True)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("user_account.id"), primary_key=True)
    reason: Mapped[ReportReason] = mapped_column(checked_text(ReportReason))
    reported_at: Mapped[datetime]
    settled_at: Mapped[datetime | None]


class ChatMute(Base):
    """A mute: the member can read but not write until ``until``."""

    __tablename__ = "chat_mute"
    __table_args__ = (Index("ix_chat_mute_until", "until"),)

    id: Mapped[UUID] = mapped_column(unique=True, server_default=text("gen_random_uuid()"))
    user_id: Mapped[UUID] = mapped_column(ForeignKey("user_account.id"), primary_key=True)
    until: Mapped[datetime]
    reason: Mapped[str]


class ChatBan(Base):
    """A ban from the chat until ``until``; null means until it is lifted."""

    __tablename__ = "chat_ban"
    __table_args__ = (Index("ix_chat_ban_until", "until"),)

    id: Mapped[UUID] = mapped_column(unique=True)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("user_account.id"), primary_key=True)
    until: Mapped[datetime | None]
    reason: Mapped[str]
    banned_at: Mapped[datetime]


class ChatEvidence(Base):
    """The text of a reported message or one around it; outlives its author's account."""

    __tablename__ = "chat_evidence"
    __table_args__ = (Index("ix_chat_evidence_kept_at", "kept_at"),)

    message_id: Mapped[UUID] = mapped_column(ForeignKey("chat_message.id"), primary_key=True)
    content: Mapped[str]
    kept_at: Mapped[datetime]


class ChatModeration(Base):
    """A moderator's action on a member or a message; rows are never changed."""

    __tablename__ = "chat_moderation"
    __table_args__ = (
        Index(
            "ix_chat_moderation_message_id",
            "message_id",
            postgresql_where=text("message_id IS NOT NULL"),
        ),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    operator_id: Mapped[UUID] = mapped_column(ForeignKey("user_account.id"))
    user_id: Mapped[UUID] = mapped_column(ForeignKey("user_account.id"))
    message_id: Mapped[UUID | None] = mapped_column(ForeignKey("chat_message.id"))
    deed: Mapped[ModerationAction] = mapped_column(checked_text(ModerationAction, name="deed"))
    detail: Mapped[dict[str, Any]] = mapped_column(JSONB)
    done_at: Mapped[datetime]


class ChatWorker(Base):
    """A server process with sockets; one that was not seen for a while is considered dead."""

    __tablename__ = "chat_worker"
    __table_args__ = ({"prefixes": ["UNLOGGED"]},)

    id: Mapped[UUID] = mapped_column(primary_key=True)
    seen_at: Mapped[datetime]


class ChatPresence(Base):
    """A member with at least one socket at a worker; valid only while the server runs."""

    __tablename__ = "chat_presence"
    __table_args__ = ({"prefixes": ["UNLOGGED"]},)

    worker_id: Mapped[UUID] = mapped_column(primary_key=True)
    user_id: Mapped[UUID] = mapped_column(primary_key=True)
    club_id: Mapped[UUID]


class OnlineList(Base):
    """Who is online in a room, as a worker last built it; the Public room's has everybody.

    ``listed`` are the first of them by name; ``members`` counts all.
    """

    __tablename__ = "chat_online"
    __table_args__ = ({"prefixes": ["UNLOGGED"]},)

    room_id: Mapped[UUID] = mapped_column(primary_key=True)
    members: Mapped[int]
    listed: Mapped[list[UUID]] = mapped_column(ARRAY(Uuid))
    listed_at: Mapped[datetime]
