"""Plans, and the periods of them that members bought."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import ARRAY, CheckConstraint, ForeignKey, Index, String, text
from sqlalchemy.orm import Mapped, mapped_column

from api.core.money import Kobo
from api.database.tables import Base, checked_text
from api.subscriptions.enums import PlanPeriod


class Plan(Base):
    """What is sold: ``duration`` periods for ``amount_kobo``; ``position`` orders the cards.

    The wire joins the benefits with commas (spec 3), so none may hold one (contract B-74).
    """

    __tablename__ = "plan"
    __table_args__ = (
        CheckConstraint("amount_kobo BETWEEN 0 AND 100000000000", name="amount_in_range"),
        CheckConstraint("duration BETWEEN 1 AND 1000", name="duration_in_range"),
        CheckConstraint(
            "array_to_string(benefits, '', ',') NOT LIKE '%,%'", name="benefits_without_commas"
        ),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    plan: Mapped[str] = mapped_column(unique=True)
    amount_kobo: Mapped[Kobo]
    duration: Mapped[int]
    period: Mapped[PlanPeriod] = mapped_column(checked_text(PlanPeriod))
    benefits: Mapped[list[str]] = mapped_column(ARRAY(String))
    battle_zone: Mapped[bool]
    hidden: Mapped[bool] = mapped_column(server_default=text("false"))
    position: Mapped[int]
    created_at: Mapped[datetime] = mapped_column(server_default=text("now()"))


class Subscription(Base):
    """One bought period, from ``starts_at`` up to but not including ``ends_at``.

    ``replaced_at`` is null on a member's latest subscription alone: the next one sets it, whether
    the period was still running (it ends there) or over. ``amount_kobo`` is what was paid then.
    """

    __tablename__ = "subscription"
    __table_args__ = (
        CheckConstraint("ends_at > starts_at", name="ends_after_start"),
        CheckConstraint("replaced_at >= starts_at", name="replaced_after_start"),
        CheckConstraint("amount_kobo >= 0", name="amount_not_negative"),
        CheckConstraint("(amount_kobo = 0) = (transfer_id IS NULL)", name="paid_by_transfer"),
        Index(
            "uq_subscription_latest",
            "user_id",
            unique=True,
            postgresql_where=text("replaced_at IS NULL"),
        ),
        Index(
            "uq_subscription_free_once",
            "user_id",
            "plan_id",
            unique=True,
            postgresql_where=text("amount_kobo = 0"),
        ),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("user_account.id"))
    plan_id: Mapped[UUID] = mapped_column(ForeignKey("plan.id"))
    starts_at: Mapped[datetime]
    ends_at: Mapped[datetime]
    amount_kobo: Mapped[Kobo]
    transfer_id: Mapped[UUID | None] = mapped_column(ForeignKey("ledger_transfer.id"), unique=True)
    replaced_at: Mapped[datetime | None]
    created_at: Mapped[datetime] = mapped_column(server_default=text("now()"))
