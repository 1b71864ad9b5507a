from datetime import datetime
from uuid import UUID

from sqlalchemy import ARRAY, CheckConstraint, ForeignKey, Index, String, text
from sqlalchemy.orm import Mapped, mapped_column

from api.foundation.core.money import Kobo
from api.foundation.database.tables import Base, checked_text
from api.money.subscriptions.enums import PlanPeriod


class Plan(Base):
    """A product: ``duration`` periods for ``amount_kobo``; ``position`` orders the cards.

    The wire joins the benefits with commas (spec 3), so none may contain one (contract B-74).
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
    version: Mapped[int] = mapped_column(server_default=text("1"))
    created_at: Mapped[datetime] = mapped_column(server_default=text("now()"))


class PlanPriceChange(Base):
    """The price of a plan before a change, for renewals that keep the old price for now."""

    __tablename__ = "plan_price_change"

    plan_id: Mapped[UUID] = mapped_column(ForeignKey("plan.id"), primary_key=True)
    changed_at: Mapped[datetime] = mapped_column(primary_key=True)
    amount_before_kobo: Mapped[Kobo]


class Subscription(Base):
    """One purchased period, from ``starts_at`` up to but not including ``ends_at``.

    ``replaced_at`` is null only on a member's latest subscription: the next one sets it, whether
    the period was still running (it ends there) or over. ``credited_kobo`` is the refund of unused
    days at that time. ``amount_kobo`` is what was paid, zero for a gift.

    ``renews`` is the member's choice. On a renewed period ``first_starts_at`` is the start of the
    first one, whose day of the month later ends follow. Its price reflects changes of the plan up
    to ``priced_at``; null means ``starts_at``. A failed renewal has ``renewal_tries`` and the
    ``wanted_kobo`` that the wallet did not hold. ``ended_at`` is set when nothing follows,
    ``reminded_at`` and ``warned_at`` when the member was notified of the approaching end.
    """

    __tablename__ = "subscription"
    __table_args__ = (
        CheckConstraint("ends_at > starts_at", name="ends_after_start"),
        CheckConstraint("replaced_at >= starts_at", name="replaced_after_start"),
        CheckConstraint("amount_kobo >= 0", name="amount_not_negative"),
        CheckConstraint("(amount_kobo = 0) = (transfer_id IS NULL)", name="paid_by_transfer"),
        CheckConstraint("NOT is_gift OR amount_kobo = 0", name="gifts_cost_nothing"),
        CheckConstraint("credited_kobo BETWEEN 0 AND amount_kobo", name="credited_in_range"),
        CheckConstraint("ended_at >= least(ends_at, replaced_at)", name="ended_after_its_end"),
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
            postgresql_where=text("amount_kobo = 0 AND NOT is_gift"),
        ),
        Index("ix_subscription_user_id_id", "user_id", "id"),
        Index(
            "ix_subscription_ends_at_open",
            "ends_at",
            postgresql_where=text("replaced_at IS NULL AND ended_at IS NULL"),
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
    credited_kobo: Mapped[Kobo] = mapped_column(server_default=text("0"))
    is_gift: Mapped[bool] = mapped_column(server_default=text("false"))
    renews: Mapped[bool] = mapped_column(server_default=text("false"))
    first_starts_at: Mapped[datetime | None]
    priced_at: Mapped[datetime | None]
    renewal_tries: Mapped[int] = mapped_column(server_default=text("0"))
    wanted_kobo: Mapped[Kobo | None]
    reminded_at: Mapped[datetime | None]
    warned_at: Mapped[datetime | None]
    ended_at: Mapped[datetime | None]
    created_at: Mapped[datetime] = mapped_column(server_default=text("now()"))
