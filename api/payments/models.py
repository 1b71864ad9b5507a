"""The tables of money from outside: what was asked for, and what the provider sent."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, Index, LargeBinary, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from api.core.money import Kobo
from api.database.tables import Base, checked_text
from api.payments.enums import FundingState


class Funding(Base):
    """One intent to fund a wallet; committed before its provider hears of it.

    ``opening_until`` is set while its provider is being asked for a checkout: only then does
    ``idempotency_key`` mean anything, the keys' own table decides what is a retry. ``asked_at`` is
    when its outcome was last asked for, ``notified_at`` when its member was told of the outcome,
    ``cancelled_at`` when its member closed the checkout.
    """

    __tablename__ = "funding"
    __table_args__ = (
        UniqueConstraint("reference"),
        UniqueConstraint("gateway", "gateway_transaction_id"),
        CheckConstraint("amount_kobo BETWEEN 1 AND 100000000000", name="amount_in_range"),
        CheckConstraint(
            "(state IN ('succeeded', 'review')) = (decided_at IS NOT NULL)", name="decided_is_dated"
        ),
        CheckConstraint(
            "(state = 'review') = (review_reason IS NOT NULL)", name="review_has_reason"
        ),
        Index("ix_funding_user_id_created_at", "user_id", "created_at"),
        Index(
            "ix_funding_being_opened",
            "user_id",
            "idempotency_key",
            postgresql_where=text("opening_until IS NOT NULL"),
        ),
        Index(
            "ix_funding_next_check_at",
            "next_check_at",
            postgresql_where=text("state IN ('prepared', 'pending', 'failed')"),
        ),
        Index("ix_funding_in_review", "decided_at", postgresql_where=text("state = 'review'")),
        Index(
            "ix_funding_unnotified",
            "user_id",
            postgresql_where=text("notified_at IS NULL AND decided_at IS NOT NULL"),
        ),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    reference: Mapped[str]
    user_id: Mapped[UUID] = mapped_column(ForeignKey("user_account.id"))
    gateway: Mapped[str]
    amount_kobo: Mapped[Kobo]
    currency: Mapped[str]
    state: Mapped[FundingState] = mapped_column(checked_text(FundingState))
    idempotency_key: Mapped[str | None]
    opening_until: Mapped[datetime | None]
    gateway_transaction_id: Mapped[str | None]
    review_reason: Mapped[str | None]
    next_check_at: Mapped[datetime | None]
    asked_at: Mapped[datetime | None]
    decided_at: Mapped[datetime | None]
    notified_at: Mapped[datetime | None]
    cancelled_at: Mapped[datetime | None]
    created_at: Mapped[datetime] = mapped_column(server_default=text("now()"))


class PaymentEvent(Base):
    """One happening that a provider reported with a good signature, in its exact bytes.

    ``raw`` is empty where the member it names has left: the bytes name the person who paid.
    """

    __tablename__ = "payment_event"
    __table_args__ = (
        UniqueConstraint("dedupe_key"),
        Index("ix_payment_event_reference", "reference"),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    gateway: Mapped[str]
    dedupe_key: Mapped[str]
    type: Mapped[str]
    reference: Mapped[str | None]
    raw: Mapped[bytes] = mapped_column(LargeBinary)
    received_at: Mapped[datetime] = mapped_column(server_default=text("now()"))
