from datetime import datetime
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, Index, SmallInteger, text
from sqlalchemy.orm import Mapped, mapped_column

from api.backoffice.refunds.enums import RefundState
from api.foundation.core.money import Kobo
from api.foundation.database.tables import Base, checked_text


class RefundCase(Base):
    """Money of one order or one paid period that may be refunded to its member's wallet.

    ``fee_kobo`` is the part of the amount that belongs to the order's delivery. A refund that
    ``is_owed`` cannot be refused: the club cancelled what was paid for. The operators are those who
    requested and decided it; None for the console.
    """

    __tablename__ = "refund_case"
    __table_args__ = (
        CheckConstraint("amount_kobo BETWEEN 1 AND 100000000000", name="amount_in_range"),
        CheckConstraint("fee_kobo BETWEEN 0 AND amount_kobo", name="fee_in_amount"),
        CheckConstraint("num_nonnulls(order_id, subscription_id) = 1", name="one_subject"),
        CheckConstraint("(state = 'asked') = (decided_at IS NULL)", name="decided_at_a_time"),
        Index("ix_refund_case_order_id", "order_id", postgresql_where=text("order_id IS NOT NULL")),
        Index(
            "ix_refund_case_subscription_id",
            "subscription_id",
            postgresql_where=text("subscription_id IS NOT NULL"),
        ),
        Index("ix_refund_case_state", "state", "id"),
        Index("ix_refund_case_user_id", "user_id"),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("user_account.id"))
    order_id: Mapped[UUID | None] = mapped_column(ForeignKey("shop_order.id"))
    subscription_id: Mapped[UUID | None] = mapped_column(ForeignKey("subscription.id"))
    bought: Mapped[str]
    amount_kobo: Mapped[Kobo]
    fee_kobo: Mapped[Kobo]
    restock: Mapped[bool]
    ends_plan: Mapped[bool]
    is_owed: Mapped[bool]
    reason: Mapped[str]
    state: Mapped[RefundState] = mapped_column(checked_text(RefundState))
    asked_by: Mapped[UUID | None] = mapped_column(ForeignKey("operator.id"))
    asked_at: Mapped[datetime]
    decided_by: Mapped[UUID | None] = mapped_column(ForeignKey("operator.id"))
    decided_at: Mapped[datetime | None]
    refusal: Mapped[str | None]


class RefundedLine(Base):
    """How many of an order line a refund covers."""

    __tablename__ = "refund_line"
    __table_args__ = (CheckConstraint("quantity BETWEEN 1 AND 99", name="quantity_in_range"),)

    refund_id: Mapped[UUID] = mapped_column(ForeignKey("refund_case.id"), primary_key=True)
    line: Mapped[int] = mapped_column(SmallInteger, primary_key=True)
    quantity: Mapped[int] = mapped_column(SmallInteger)
