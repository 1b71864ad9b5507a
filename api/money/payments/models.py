from datetime import datetime
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, Index, LargeBinary, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from api.foundation.core.money import Kobo
from api.foundation.database.tables import Base, checked_text
from api.money.payments.enums import DebtState, FundingState, ReportState


class Funding(Base):
    """One intent to fund a wallet; committed before the provider is called.

    ``opening_until`` is set while the provider is being asked for a checkout. Only then is
    ``idempotency_key`` meaningful; the table of idempotency keys decides what is a retry.
    ``asked_at`` is when the provider was last asked for the outcome, ``notified_at`` when the
    member was notified of it, and ``cancelled_at`` when the member closed the checkout.
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
        Index("ix_funding_state_id", "state", "id"),
        Index("ix_funding_gateway_transaction_id", "gateway_transaction_id"),
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
        Index(
            "ix_funding_decided_at",
            "decided_at",
            postgresql_where=text("decided_at IS NOT NULL"),
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
    """One event that a provider reported with a valid signature, in its exact bytes.

    ``raw`` is empty once the member's account is deleted, because the bytes name the payer.
    ``reason`` is why an operator ignores the event.
    """

    __tablename__ = "payment_event"
    __table_args__ = (
        UniqueConstraint("dedupe_key"),
        Index("ix_payment_event_reference", "reference"),
        Index("ix_payment_event_state_id", "state", "id"),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    gateway: Mapped[str]
    dedupe_key: Mapped[str]
    type: Mapped[str]
    reference: Mapped[str | None]
    raw: Mapped[bytes] = mapped_column(LargeBinary)
    received_at: Mapped[datetime] = mapped_column(server_default=text("now()"))
    state: Mapped[ReportState] = mapped_column(
        checked_text(ReportState), server_default=text("'failed'")
    )
    reason: Mapped[str | None]


class Dispute(Base):
    """A payer's dispute with their bank, as reported by the provider; it moves no money.

    ``status`` and ``resolution`` are the provider's words. ``funding_id`` is None when the disputed
    payment does not match any of our fundings.
    """

    __tablename__ = "dispute"
    __table_args__ = (
        UniqueConstraint("gateway", "case_id"),
        CheckConstraint("amount_kobo BETWEEN 1 AND 100000000000", name="amount_in_range"),
        Index("ix_dispute_funding_id", "funding_id"),
        Index("ix_dispute_open", "id", postgresql_where=text("closed_at IS NULL")),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    gateway: Mapped[str]
    case_id: Mapped[str]
    reference: Mapped[str]
    funding_id: Mapped[UUID | None] = mapped_column(ForeignKey("funding.id"))
    amount_kobo: Mapped[Kobo]
    status: Mapped[str]
    resolution: Mapped[str | None]
    opened_at: Mapped[datetime]
    told_at: Mapped[datetime]
    closed_at: Mapped[datetime | None]


class Chargeback(Base):
    """What a provider took back of a funding, and how much of it the wallet still held."""

    __tablename__ = "chargeback"
    __table_args__ = (
        UniqueConstraint("gateway", "case_id"),
        CheckConstraint("amount_kobo BETWEEN 1 AND 100000000000", name="amount_in_range"),
        CheckConstraint("taken_kobo BETWEEN 0 AND amount_kobo", name="taken_in_range"),
        Index("ix_chargeback_funding_id", "funding_id"),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    funding_id: Mapped[UUID] = mapped_column(ForeignKey("funding.id"))
    gateway: Mapped[str]
    case_id: Mapped[str]
    amount_kobo: Mapped[Kobo]
    taken_kobo: Mapped[Kobo]
    reason: Mapped[str]
    created_at: Mapped[datetime]


class Debt(Base):
    """What a wallet did not hold when it was charged back; ``left_kobo`` is still owed.

    A debt that is written off keeps its ``left_kobo``: the amount that was lost.
    """

    __tablename__ = "debt"
    __table_args__ = (
        UniqueConstraint("chargeback_id"),
        CheckConstraint("amount_kobo BETWEEN 1 AND 100000000000", name="amount_in_range"),
        CheckConstraint("left_kobo BETWEEN 0 AND amount_kobo", name="left_in_range"),
        CheckConstraint("(state = 'collected') = (left_kobo = 0)", name="collected_is_zero"),
        CheckConstraint("(state = 'open') = (settled_at IS NULL)", name="settled_is_dated"),
        Index("ix_debt_open", "id", postgresql_where=text("state = 'open'")),
        Index("ix_debt_user_id", "user_id"),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("user_account.id"))
    chargeback_id: Mapped[UUID] = mapped_column(ForeignKey("chargeback.id"))
    amount_kobo: Mapped[Kobo]
    left_kobo: Mapped[Kobo]
    state: Mapped[DebtState] = mapped_column(checked_text(DebtState), server_default=text("'open'"))
    opened_at: Mapped[datetime]
    settled_at: Mapped[datetime | None]
